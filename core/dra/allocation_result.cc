#include "core/dra/allocation_result.h"

#include <algorithm>
#include <string_view>

#include "core/base/uuid.h"

namespace stowage {
namespace {

constexpr std::string_view kFromClass = "FromClass";
constexpr std::string_view kFromClaim = "FromClaim";

bool Contains(const SharedList<Symbol>& names, const Symbol& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The configs of each class once, for all requests of the class.
void AddClassConfigs(const ClaimRequests& claim, const std::vector<size_t>& alternatives,
                     std::vector<DeviceAllocationConfiguration>* configs) {
  struct OfClass {
    const Symbol& name;
    size_t begin;
    size_t end;
  };
  std::vector<OfClass> added;
  for (size_t request = 0; request < claim.requests.size(); ++request) {
    const DeviceRequestData& entry =
        claim.entries[claim.requests[request].first + alternatives[request]];
    const Symbol& name = entry.device_class->metadata.name;
    auto known = std::find_if(added.begin(), added.end(),
                              [&name](const OfClass& other) { return other.name == name; });
    if (known != added.end()) {
      for (size_t config = known->begin; config < known->end; ++config) {
        (*configs)[config].requests.push_back(entry.full_name);
      }
      continue;
    }
    size_t begin = configs->size();
    for (const DeviceClassConfiguration& config : entry.device_class->spec.config) {
      configs->push_back({Symbol(kFromClass), {entry.full_name}, config.opaque});
    }
    added.push_back({name, begin, configs->size()});
  }
}

// A config that names several of the chosen requests is added once for each.
void AddClaimConfigs(const ClaimRequests& claim, const std::vector<size_t>& alternatives,
                     std::vector<DeviceAllocationConfiguration>* configs) {
  for (const DeviceClaimConfiguration& config : claim.claim->spec.devices.config) {
    DeviceAllocationConfiguration added{Symbol(kFromClaim), config.requests, config.opaque};
    if (config.requests.empty()) {
      configs->push_back(std::move(added));
      continue;
    }
    for (size_t request = 0; request < claim.requests.size(); ++request) {
      const DeviceRequestData& entry =
          claim.entries[claim.requests[request].first + alternatives[request]];
      if (Contains(config.requests, entry.base_name()) ||
          Contains(config.requests, entry.full_name)) {
        configs->push_back(added);
      }
    }
  }
}

bool IsSameRequirement(const SelectorExpression& a, const SelectorExpression& b) {
  if (a.key != b.key || a.op != b.op) return false;
  auto is_part = [](const std::vector<Symbol>& values, const std::vector<Symbol>& of) {
    return std::all_of(values.begin(), values.end(), [&of](const Symbol& value) {
      return std::find(of.begin(), of.end(), value) != of.end();
    });
  };
  return is_part(a.values, b.values) && is_part(b.values, a.values);
}

void AddNewRequirements(const std::vector<SelectorExpression>& requirements,
                        std::vector<SelectorExpression>* all) {
  for (const SelectorExpression& requirement : requirements) {
    bool is_known = std::any_of(all->begin(), all->end(), [&requirement](const auto& known) {
      return IsSameRequirement(known, requirement);
    });
    if (!is_known) all->push_back(requirement);
  }
}

}  // namespace

SharedList<DeviceAllocationConfiguration> AllocationConfig(
    const ClaimRequests& claim, const std::vector<size_t>& alternatives) {
  std::vector<DeviceAllocationConfiguration> configs;
  AddClassConfigs(claim, alternatives, &configs);
  AddClaimConfigs(claim, alternatives, &configs);
  return configs;
}

Result<std::optional<NodeSelector>, std::string> AllocationNodeSelector(
    const TentativeAllocation& chosen, size_t claim, const NodeSelector& only_this_node) {
  NodeSelectorTerm term;
  for (const ChosenDevice& choice : chosen.OfClaim(claim)) {
    const PoolDevice& place = chosen.DeviceAt(choice.place);
    const Device& device = place.device();
    const ResourceSliceSpec& slice = place.slice->spec();
    bool is_by_device = slice.per_device_node_selection;
    const Symbol& node_name = is_by_device ? device.node_name : slice.node_name;
    if (!node_name.empty() || device.binds_to_node) {
      return std::optional<NodeSelector>(only_this_node);
    }
    const std::optional<NodeSelector>& selector =
        is_by_device ? device.node_selector : slice.node_selector;
    if (!selector || selector->node_selector_terms.empty()) continue;
    if (selector->node_selector_terms.size() > 1) {
      return "unsupported ResourceSlice.NodeSelector with " +
             std::to_string(selector->node_selector_terms.size()) + " terms";
    }
    const NodeSelectorTerm& added = selector->node_selector_terms.front();
    AddNewRequirements(added.match_fields, &term.match_fields);
    AddNewRequirements(added.match_expressions, &term.match_expressions);
  }
  if (term.match_fields.empty() && term.match_expressions.empty()) {
    return std::optional<NodeSelector>();
  }
  return std::optional<NodeSelector>(NodeSelector{{std::move(term)}});
}

SharedList<DeviceRequestAllocationResult> AllocationResults(const TentativeAllocation& chosen,
                                                            size_t claim,
                                                            const ObjectMeta& metadata,
                                                            bool has_binding_conditions) {
  const TentativeAllocation::Chosen& choices = chosen.OfClaim(claim);
  std::vector<DeviceRequestAllocationResult> results(choices.size());
  for (size_t index = 0; index < choices.size(); ++index) {
    const ChosenDevice& choice = choices[index];
    const Device& device = chosen.DeviceAt(choice.place).device();
    DeviceRequestAllocationResult& result = results[index];
    const PoolId& pool = chosen.PoolOf(choice.place).id;
    result.request = choice.request->full_name;
    result.driver = pool.driver;
    result.pool = pool.pool;
    result.device = device.name;
    if (choice.request->is_admin()) result.admin_access = true;
    result.tolerations = choice.request->request->tolerations;
    if (has_binding_conditions) {
      result.binding_conditions = device.binding_conditions;
      result.binding_failure_conditions = device.binding_failure_conditions;
    }
    if (!choice.is_shared) continue;
    result.share_id = Symbol(UuidOf(metadata.uid.str() + "/" + std::to_string(index)));
    result.consumed_capacity = choice.consumed_capacity;
  }
  return results;
}

}  // namespace stowage
