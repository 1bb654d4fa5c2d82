// The events that may make pods schedulable that PodTopologySpread rejected.
#include <algorithm>
#include <functional>

#include "core/api/pod_helpers.h"
#include "core/plugins/pod_topology_spread.h"

namespace stowage {
namespace {

// Whether `other` is `pod` itself, or a pod that its constraints may count.
bool IsInvolved(const Pod& other, const Pod& pod, bool counts_nominations) {
  if (other.metadata.uid == pod.metadata.uid) return true;
  return IsAssignedOrNominated(other, counts_nominations) &&
         other.metadata.namespace_ == pod.metadata.namespace_;
}

bool AnyMatches(const std::vector<SpreadConstraint>& constraints, const Pod& pod) {
  return std::any_of(constraints.begin(), constraints.end(),
                     [&pod](const SpreadConstraint& constraint) {
                       return constraint.selector.Matches(pod.metadata.labels);
                     });
}

bool HelpsToChangeTolerations(const std::vector<SpreadConstraint>& constraints, const Pod& before,
                              const Pod& after) {
  if (before.spec.tolerations == after.spec.tolerations) return false;
  return std::any_of(
      constraints.begin(), constraints.end(),
      [](const SpreadConstraint& constraint) { return constraint.honors_node_taints; });
}

bool HelpsToChangeLabels(const std::vector<SpreadConstraint>& constraints, const LabelMap& before,
                         const LabelMap& after) {
  if (before == after) return false;
  return std::any_of(
      constraints.begin(), constraints.end(), [&](const SpreadConstraint& constraint) {
        return constraint.selector.Matches(before) != constraint.selector.Matches(after);
      });
}

bool HelpsToChangeNode(const std::vector<SpreadConstraint>& constraints, const Node& before,
                       const Node& after) {
  const LabelMap& old_labels = before.metadata.labels;
  const LabelMap& new_labels = after.metadata.labels;
  bool has_keys = HasAllTopologyKeys(new_labels, constraints);
  if (HasAllTopologyKeys(old_labels, constraints) != has_keys) return true;
  if (!has_keys) return false;
  if (before.spec.taints != after.spec.taints) return true;
  return std::any_of(constraints.begin(), constraints.end(),
                     [&](const SpreadConstraint& constraint) {
                       return *old_labels.Find(constraint.topology_key) !=
                              *new_labels.Find(constraint.topology_key);
                     });
}

}  // namespace

std::vector<ClusterEventWithHint> PodTopologySpread::EventsToRegister() const {
  return {{{EventResource::kPod, action::kAdd | action::kUpdatePodLabel |
                                     action::kUpdatePodToleration | action::kDelete},
           std::bind_front(&PodTopologySpread::IsSchedulableAfterPodChange, this),
           true},
          {{EventResource::kNode,
            action::kAdd | action::kDelete | action::kUpdateNodeLabel | action::kUpdateNodeTaint},
           std::bind_front(&PodTopologySpread::IsSchedulableAfterNodeChange, this),
           true}};
}

QueueingHint PodTopologySpread::IsSchedulableAfterPodChange(const Pod& pod,
                                                            const EventObjects& objects) const {
  auto pods = objects.As<Pod>();
  if (!pods) return QueueingHint::kQueue;
  const Pod* before = pods->old_object;
  const Pod* after = pods->new_object;
  for (const Pod* other : {after, before}) {
    if (other == nullptr) continue;
    if (!IsInvolved(*other, pod, features_.behaviour.nominated_pods_wake)) {
      return QueueingHint::kQueueSkip;
    }
  }

  Result<Constraints, std::string> constraints = ConstraintsOf(pod, kDoNotSchedule);
  if (!constraints.ok()) return QueueingHint::kQueue;
  if (!pods->IsUpdate()) return QueueIf(AnyMatches(*constraints, after ? *after : *before));
  bool is_itself = after->metadata.uid == pod.metadata.uid;
  if (is_itself && HelpsToChangeTolerations(*constraints, *before, *after)) {
    return QueueingHint::kQueue;
  }
  return QueueIf(
      HelpsToChangeLabels(*constraints, before->metadata.labels, after->metadata.labels));
}

QueueingHint PodTopologySpread::IsSchedulableAfterNodeChange(const Pod& pod,
                                                             const EventObjects& objects) const {
  auto nodes = objects.As<Node>();
  if (!nodes) return QueueingHint::kQueue;
  Result<Constraints, std::string> constraints = ConstraintsOf(pod, kDoNotSchedule);
  if (!constraints.ok()) return QueueingHint::kQueue;
  const Node* before = nodes->old_object;
  const Node* after = nodes->new_object;
  if (nodes->IsUpdate()) return QueueIf(HelpsToChangeNode(*constraints, *before, *after));
  return QueueIf(HasAllTopologyKeys((after ? *after : *before).metadata.labels, *constraints));
}

}  // namespace stowage
