#include "core/dra/device_requests.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

class ClaimValidation {
 public:
  ClaimValidation(const ResourceClaimRef& claim, const AllocatorFeatures& features,
                  const DeviceClasses& classes)
      : features_(features), classes_(classes), spec_(claim->spec.devices) {
    result_.claim = claim;
  }

  ClaimRequests Run() {
    for (const DeviceRequest& request : spec_.requests) {
      AddRequest(request);
      if (!result_.entries.empty() && !result_.entries.back().error.empty()) return result_;
    }
    for (size_t index = 0; index < spec_.constraints.size(); ++index) {
      const DeviceConstraint& constraint = spec_.constraints[index];
      if (constraint.match_attribute || constraint.distinct_attribute) continue;
      result_.constraint_error = "claim " + Claim() + ", constraint #" + std::to_string(index) +
                                 ": empty constraint (unsupported constraint type?)";
      break;
    }
    return std::move(result_);
  }

 private:
  std::string Claim() const { return ClaimName(*result_.claim); }
  std::string RequestPrefix(const Symbol& name) const {
    return "claim " + Claim() + ", request " + name.str();
  }

  void AddRequest(const DeviceRequest& request) {
    size_t first = result_.entries.size();
    std::string error = GateError(request);
    if (!error.empty()) {
      result_.requests.push_back({first, 1, false});
      result_.entries.emplace_back().error = std::move(error);
    } else if (request.first_available.empty()) {
      result_.requests.push_back({first, 1, false});
      AddEntry(request.name, Symbol(), request.exactly ? &*request.exactly : nullptr);
    } else {
      result_.requests.push_back({first, request.first_available.size(), true});
      for (const DeviceSubRequest& alternative : request.first_available) {
        AddEntry(alternative.name, request.name, &alternative.request);
        if (!result_.entries.back().error.empty()) return;
      }
    }
  }

  std::string GateError(const DeviceRequest& request) const {
    if (!features_.prioritized_list && !request.first_available.empty()) {
      return RequestPrefix(request.name) +
             ": has subrequests, but the DRAPrioritizedList feature is disabled";
    }
    if (features_.consumable_capacity) return "";
    constexpr std::string_view kDisabled =
        ": has capacity requests, but the DRAConsumableCapacity feature is disabled";
    if (request.exactly && request.exactly->capacity) {
      return RequestPrefix(request.name).append(kDisabled);
    }
    for (const DeviceSubRequest& alternative : request.first_available) {
      if (!alternative.request.capacity) continue;
      return ("claim " + Claim() + ", subrequest " + alternative.name.str()).append(kDisabled);
    }
    return "";
  }

  void AddEntry(const Symbol& name, const Symbol& parent, const ExactDeviceRequest* request) {
    DeviceRequestData& entry = result_.entries.emplace_back();
    entry.name = name;
    entry.parent = parent;
    entry.full_name = parent.empty() ? name : Symbol(parent.str() + "/" + name.str());
    std::string problem = request == nullptr
                              ? ": missing device class name (unsupported request type?)"
                              : FillEntry(*request, &entry);
    if (!problem.empty()) {
      entry.error = RequestPrefix(name) + problem;
      return;
    }
    entry.request = request;
    for (const DeviceConstraint& constraint : spec_.constraints) {
      const SharedList<Symbol>& names = constraint.requests;
      auto has = [&names](const Symbol& wanted) {
        return std::find(names.begin(), names.end(), wanted) != names.end();
      };
      entry.is_bound.push_back(names.empty() || has(entry.base_name()) || has(entry.full_name));
    }
  }

  // Returns what is wrong, or nothing.
  std::string FillEntry(const ExactDeviceRequest& request, DeviceRequestData* entry) const {
    for (size_t index = 0; index < request.selectors.size(); ++index) {
      if (request.selectors[index].cel) continue;
      return ", selector #" + std::to_string(index) +
             ": CEL expression empty (unsupported selector type?)";
    }
    if (!features_.admin_access && request.admin_access) {
      return ": admin access is requested, but the feature is disabled";
    }
    const Symbol& name = request.device_class_name;
    if (name.empty()) return ": missing device class name (unsupported request type?)";
    entry->device_class = classes_.GetDeviceClass(name);
    if (entry->device_class == nullptr) {
      return ": could not retrieve device class " + name.str() +
             ": deviceclass.resource.k8s.io \"" + name.str() + "\" not found";
    }
    const Symbol& mode = request.allocation_mode;
    entry->is_all = mode == "All";
    // The API server sets the mode and the count of 1.
    entry->count = mode.empty() ? std::max<int64_t>(request.count, 1) : request.count;
    if (mode.empty() || mode == "ExactCount" || entry->is_all) return "";
    return ": unsupported count mode " + mode.str();
  }

  const AllocatorFeatures& features_;
  const DeviceClasses& classes_;
  const DeviceClaim& spec_;
  ClaimRequests result_;
};

}  // namespace

std::string ClaimName(const ResourceClaim& claim) {
  const ObjectMeta& metadata = claim.metadata;
  if (metadata.namespace_.empty()) return metadata.name.str();
  return metadata.namespace_.str() + "/" + metadata.name.str();
}

ClaimRequests ValidateClaim(const ResourceClaimRef& claim, const AllocatorFeatures& features,
                            const DeviceClasses& classes) {
  return ClaimValidation(claim, features, classes).Run();
}

}  // namespace stowage
