// ResourceSlices is the list of all slices, with the taints of DeviceTaintRules appended to their
// devices if gate DRADeviceTaintRules is on (spec plugins/dynamic-resources "Shared state").
// Counterpart: dynamic-resource-allocation/resourceslice/tracker, v1.36.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/device_taint_rule.h"
#include "core/api/resource_slice.h"

namespace stowage {

class ResourceSlices {
 public:
  using ByName = std::map<Symbol, ResourceSliceRef>;
  // A slice before and after a change of a rule.
  using Change = std::pair<ResourceSliceRef, ResourceSliceRef>;

  // Each returns the slice with its taints as it was before, null if there was none.
  ResourceSliceRef Put(const ResourceSliceRef& slice);
  ResourceSliceRef Remove(const Symbol& name);
  // Each returns the slices whose taints change, sorted by name.
  std::vector<Change> PutRule(const DeviceTaintRuleRef& rule);
  std::vector<Change> RemoveRule(const Symbol& name);

  // With their taints, sorted by name. The names in one of these lists are not in the other.
  const ByName& All() const { return slices_; }
  // The slices with this nodeName; null if there are none.
  const ByName* OfNode(const Symbol& node) const;
  // The slices without a nodeName.
  const ByName& WithoutNode() const { return slices_without_node_; }

  // Changes with every change of a slice. Equal versions mean equal lists.
  uint64_t version() const { return version_; }
  void set_version(uint64_t version) { version_ = version; }

 private:
  void Store(const Symbol& name, ResourceSliceRef slice);
  std::vector<Change> Patch();
  ResourceSliceRef WithTaints(const ResourceSliceRef& slice) const;

  std::map<Symbol, DeviceTaintRuleRef> rules_;
  ByName given_;   // without taints of rules
  ByName slices_;  // with taints of rules
  std::unordered_map<Symbol, ByName, SymbolHash> by_node_;
  ByName slices_without_node_;
  uint64_t version_ = 0;
};

}  // namespace stowage
