// AllocatorFixture holds slices, classes and allocations, and writes what an allocator finds as one
// line.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/dra/allocator.h"
#include "core/dra/device_refusals.h"
#include "core/dra/resource_pools.h"
#include "tests/support/from_json.h"

namespace stowage {

// Expressions of tests: "true", "false", "fault", "driver=NAME", or "ATTRIBUTE=TEXT", which is
// false without the attribute.
class AttributeSelectors final : public SelectorEvaluator {
 public:
  Result<bool, std::string> Matches(const Symbol& expression, const ResourceSliceRef& slice,
                                    const Device& device,
                                    bool shows_multiple_allocations) override {
    EXPECT_TRUE(shows_multiple_allocations);
    ++num_evaluations;
    std::string_view text = expression.view();
    if (text == "true" || text == "false") return text == "true";
    size_t equals = text.find('=');
    if (equals == std::string_view::npos) return std::string("CEL runtime error: fault");
    std::string_view name = text.substr(0, equals);
    std::string_view value = text.substr(equals + 1);
    if (name == "driver") return slice->spec.driver == value;
    const DeviceAttribute* attribute = FindEntry(device.attributes, Symbol(name));
    return attribute != nullptr && attribute->string_value && *attribute->string_value == value;
  }

  size_t num_evaluations = 0;
};

// The parts of a ResourceSlice, as JSON.
struct SliceParts {
  std::string pool = "p";
  std::string nodes = R"("nodeName":"n")";
  std::string devices = "[]";
  std::string counters = "[]";
  int generation = 1;
  int count = 1;
  std::string driver = "d";
};

// A list of devices without any properties: "a b c".
inline std::string Plain(std::string_view names) {
  std::string json = "[";
  while (!names.empty()) {
    std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    json.append(json.size() > 1 ? "," : "").append(R"({"name":")").append(name).append("\"}");
  }
  return json + "]";
}

// A request for devices of class "c". `more` begins with a comma, or is empty.
inline std::string Exactly(std::string_view name, int count = 1, std::string_view more = "") {
  std::string json = R"({"name":")";
  json.append(name).append(R"(","exactly":{"deviceClassName":"c","allocationMode":"ExactCount",)");
  return json.append(R"("count":)").append(std::to_string(count)).append(more).append("}}");
}
inline std::string All(std::string_view name, std::string_view more = "") {
  std::string json = R"({"name":")";
  json.append(name).append(R"(","exactly":{"deviceClassName":"c","allocationMode":"All")");
  return json.append(more).append("}}");
}
// One of the alternatives of a request.
inline std::string Sub(std::string_view name, int count = 1, std::string_view more = "") {
  std::string json = R"({"name":")";
  json.append(name).append(R"(","deviceClassName":"c","allocationMode":"ExactCount","count":)");
  return json.append(std::to_string(count)).append(more).append("}");
}
inline std::string FirstAvailable(std::string_view name, std::string_view subs) {
  std::string json = R"({"name":")";
  return json.append(name).append(R"(","firstAvailable":[)").append(subs).append("]}");
}
// Part of a request: it requires that an attribute has a value.
inline std::string Selector(std::string_view expression) {
  std::string json = R"(,"selectors":[{"cel":{"expression":")";
  return json.append(expression).append("\"}}]");
}

class AllocatorFixture : public ::testing::Test, public DeviceClasses {
 public:
  DeviceClassRef GetDeviceClass(const Symbol& name) const override {
    auto found = classes_.find(name);
    return found == classes_.end() ? nullptr : found->second;
  }

 protected:
  AllocatorFixture() { AddClass("c", "{}"); }

  void AddSlice(std::string_view name, const SliceParts& parts) {
    std::string json = R"({"metadata":{"name":")";
    json.append(name).append(R"("},"spec":{"driver":")").append(parts.driver);
    json.append(R"(","pool":{"name":")").append(parts.pool).append(R"(","generation":)");
    json.append(std::to_string(parts.generation)).append(R"(,"resourceSliceCount":)");
    json.append(std::to_string(parts.count)).append("},").append(parts.nodes);
    if (!parts.nodes.empty()) json.append(",");
    json.append(R"("sharedCounters":)").append(parts.counters);
    json.append(R"(,"devices":)").append(parts.devices).append("}}");
    slices_.Put(std::make_shared<const ResourceSlice>(MakeResourceSlice(json)));
  }
  void AddClass(std::string_view name, std::string_view spec) {
    std::string json = R"({"metadata":{"name":")";
    json.append(name).append(R"("},"spec":)").append(spec).append("}");
    classes_[Symbol(name)] = std::make_shared<const DeviceClass>(MakeDeviceClass(json));
  }
  // `results`: JSON of results that other claims have.
  void SetAllocated(std::string_view results) { allocated_.Add(Allocation(results)); }
  // A device of driver "d".
  void SetAllocated(std::string_view pool, std::string_view device) {
    SetAllocated(ResultOf(pool, device));
  }
  void SetFree(std::string_view pool, std::string_view device) {
    allocated_.Remove(Allocation(ResultOf(pool, device)));
  }
  static std::string ResultOf(std::string_view pool, std::string_view device) {
    std::string json = R"({"driver":"d","pool":")";
    return json.append(pool).append(R"(","device":")").append(device).append("\"}");
  }
  static AllocationResult Allocation(std::string_view results) {
    std::string json =
        R"({"metadata":{"name":"c","namespace":"n"},"status":{"allocation":{"devices":)";
    json.append(R"({"results":[)").append(results).append("]}}}}");
    return *MakeResourceClaim(json).status.allocation;
  }
  // `requests`: JSON, separated by commas. `more` begins with a comma, or is empty.
  static ResourceClaimRef Claim(std::string_view requests, std::string_view more = "",
                                std::string_view name = "claim") {
    std::string json = R"({"metadata":{"namespace":"ns","name":")";
    json.append(name).append(R"(","uid":"uid-)").append(name);
    json.append(R"("},"spec":{"devices":{"requests":[)").append(requests).append("]");
    json.append(more).append("}}}");
    return std::make_shared<const ResourceClaim>(MakeResourceClaim(json));
  }

  Result<Allocations, AllocationFault> Run(std::vector<ResourceClaimRef> claims) {
    auto allocator = MakeAllocator(
        {features_, allocated_, slices_, *this, selectors_, shared_pools_, refusals_});
    return allocator->Allocate(node_, claims, &steps_);
  }
  // "request=pool/device …", claims separated by "|"; "none", or the fault's kind and message.
  std::string Allocate(std::vector<ResourceClaimRef> claims) { return Text(Run(claims)); }
  std::string Allocate(std::string_view requests, std::string_view more = "") {
    return Allocate({Claim(requests, more)});
  }

  static std::string Text(const Result<Allocations, AllocationFault>& result) {
    if (!result.ok()) {
      constexpr std::string_view kKinds[] = {"error: ", "node: ", "exhausted"};
      return std::string(kKinds[static_cast<size_t>(result.fault().kind)]) + result.fault().message;
    }
    if (result->empty()) return "none";
    std::string text;
    for (const Shared<AllocationResult>& allocation : *result) {
      if (&allocation != result->data()) text += "| ";
      for (const DeviceRequestAllocationResult& device : allocation->devices.results) {
        text += device.request.str() + "=" + device.pool.str() + "/" + device.device.str();
        if (device.admin_access) text += " admin";
        for (const auto& [name, amount] : device.consumed_capacity) {
          text += " " + name.str() + ":" + amount.ToString();
        }
        text += " ";
      }
    }
    if (!text.empty()) text.pop_back();
    return text;
  }

  AllocatorFeatures features_;
  AllocatedDevices allocated_{true};
  ResourceSlices slices_;
  std::map<Symbol, DeviceClassRef> classes_;
  AttributeSelectors selectors_;
  std::shared_ptr<ResourcePools> shared_pools_;
  DeviceRefusals* refusals_ = nullptr;
  Node node_ = FromJson<Node>(ObjectKind::kNode, R"({"metadata":{"name":"n"}})");
  StepBudget steps_;
};

}  // namespace stowage
