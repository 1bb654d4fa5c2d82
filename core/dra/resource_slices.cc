#include "core/dra/resource_slices.h"

#include <memory>

namespace stowage {
namespace {

bool Selects(const std::optional<Symbol>& wanted, const Symbol& name) {
  return !wanted || *wanted == name;
}

bool MatchesPool(const DeviceTaintRuleSpec& rule, const ResourceSliceSpec& slice) {
  const std::optional<DeviceTaintSelector>& selector = rule.device_selector;
  return !selector ||
         (Selects(selector->driver, slice.driver) && Selects(selector->pool, slice.pool.name));
}

}  // namespace

// The slice itself if no rule adds a taint.
ResourceSliceRef ResourceSlices::WithTaints(const ResourceSliceRef& slice) const {
  std::shared_ptr<ResourceSlice> patched;
  for (const auto& [name, rule] : rules_) {
    if (!MatchesPool(rule->spec, slice->spec)) continue;
    const std::optional<DeviceTaintSelector>& selector = rule->spec.device_selector;
    for (size_t index = 0; index < slice->spec.devices.size(); ++index) {
      if (selector && !Selects(selector->device, slice->spec.devices[index].name)) continue;
      if (patched == nullptr) patched = std::make_shared<ResourceSlice>(*slice);
      patched->spec.devices[index].taints.push_back(rule->spec.taint);
    }
  }
  return patched == nullptr ? slice : patched;
}

void ResourceSlices::Store(const Symbol& name, ResourceSliceRef slice) {
  ++version_;
  auto forget = [this, &name](const ResourceSlice& old) {
    const Symbol& node = old.spec.node_name;
    if (node.empty()) {
      slices_without_node_.erase(name);
    } else {
      auto of_node = by_node_.find(node);
      of_node->second.erase(name);
      if (of_node->second.empty()) by_node_.erase(of_node);
    }
  };
  auto known = slices_.find(name);
  if (known != slices_.end()) forget(*known->second);
  if (slice == nullptr) {
    slices_.erase(name);
    return;
  }
  const Symbol& node = slice->spec.node_name;
  (node.empty() ? slices_without_node_ : by_node_[node])[name] = slice;
  slices_[name] = std::move(slice);
}

ResourceSliceRef ResourceSlices::Put(const ResourceSliceRef& slice) {
  const Symbol name = slice->metadata.name;
  auto known = slices_.find(name);
  ResourceSliceRef old = known == slices_.end() ? nullptr : known->second;
  given_[name] = slice;
  Store(name, WithTaints(slice));
  return old;
}

ResourceSliceRef ResourceSlices::Remove(const Symbol& name) {
  auto known = slices_.find(name);
  if (known == slices_.end()) return nullptr;
  ResourceSliceRef old = known->second;
  const Symbol kept = name;  // `name` may be the slice's own
  given_.erase(kept);
  Store(kept, nullptr);
  return old;
}

std::vector<ResourceSlices::Change> ResourceSlices::Patch() {
  std::vector<Change> changes;
  for (const auto& [name, given] : given_) {
    ResourceSliceRef patched = WithTaints(given);
    ResourceSliceRef old = slices_.at(name);
    if (patched == old || patched->spec == old->spec) continue;
    changes.emplace_back(std::move(old), patched);
  }
  for (const Change& change : changes) Store(change.second->metadata.name, change.second);
  return changes;
}

std::vector<ResourceSlices::Change> ResourceSlices::PutRule(const DeviceTaintRuleRef& rule) {
  rules_[rule->metadata.name] = rule;
  return Patch();
}

std::vector<ResourceSlices::Change> ResourceSlices::RemoveRule(const Symbol& name) {
  if (rules_.erase(name) == 0) return {};
  return Patch();
}

const ResourceSlices::ByName* ResourceSlices::OfNode(const Symbol& node) const {
  auto found = by_node_.find(node);
  return found == by_node_.end() ? nullptr : &found->second;
}

}  // namespace stowage
