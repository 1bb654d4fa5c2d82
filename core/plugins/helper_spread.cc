#include "core/plugins/helper_spread.h"

#include <algorithm>
#include <vector>

namespace stowage {
namespace {

// The pairs of all selectors; for equal keys the last one counts.
std::vector<LabelMap::Entry> ServiceSelectors(const Pod& pod,
                                              const std::vector<ServiceRef>& services) {
  std::vector<LabelMap::Entry> merged;
  const Symbol& namespace_ = pod.metadata.namespace_;
  auto service = std::lower_bound(services.begin(), services.end(), namespace_,
                                  [](const ServiceRef& candidate, const Symbol& wanted) {
                                    return candidate->metadata.namespace_ < wanted;
                                  });
  for (; service != services.end() && (*service)->metadata.namespace_ == namespace_; ++service) {
    const std::optional<LabelMap>& selector = (*service)->spec.selector;
    if (selector && pod.metadata.labels.HasAll(*selector)) {
      merged.insert(merged.end(), selector->begin(), selector->end());
    }
  }
  return merged;
}

template <typename WorkloadRef>
void AddRequirements(const WorkloadRef& workload, Selector* selector) {
  if (workload == nullptr) return;
  Result<Selector, FieldErrors> own = Selector::Make(workload->spec.selector);
  if (!own.ok()) return;
  selector->Add(own->requirements());
}

}  // namespace

Selector DefaultSelector(const Pod& pod, const Listers& listers) {
  std::vector<LabelMap::Entry> pairs = ServiceSelectors(pod, listers.Services());
  LabelMap labels;
  labels.SetAll(&pairs);
  const auto& owners = pod.metadata.owner_references;
  auto owner = std::find_if(owners.begin(), owners.end(),
                            [](const OwnerReference& candidate) { return candidate.controller; });
  if (owner == owners.end()) return Selector::FromSet(labels);
  const Symbol& namespace_ = pod.metadata.namespace_;
  if (owner->api_version == "v1" && owner->kind == "ReplicationController") {
    ReplicationControllerRef found = listers.GetReplicationController(namespace_, owner->name);
    if (found != nullptr && found->spec.selector) {
      pairs.assign(found->spec.selector->begin(), found->spec.selector->end());
      labels.SetAll(&pairs);
    }
  }
  Selector selector = Selector::FromSet(labels);
  if (owner->api_version == "apps/v1" && owner->kind == "ReplicaSet") {
    AddRequirements(listers.GetReplicaSet(namespace_, owner->name), &selector);
  } else if (owner->api_version == "apps/v1" && owner->kind == "StatefulSet") {
    AddRequirements(listers.GetStatefulSet(namespace_, owner->name), &selector);
  }
  return selector;
}

}  // namespace stowage
