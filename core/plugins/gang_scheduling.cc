#include "core/plugins/gang_scheduling.h"

#include "core/base/format.h"

namespace stowage {
namespace {

constexpr int64_t kPermitTimeoutUs = int64_t{5} * 60 * 1'000'000;

std::string KeyText(const Pod& pod) {
  return Format("{}/{}", pod.metadata.namespace_.view(), PodGroupNameOf(pod).view());
}

// Of an added pod or pod group: whether it belongs to the group of `pod`, or is that group.
QueueingHint HintFor(const Pod& pod, const ObjectMeta& added, const Symbol& group) {
  return QueueIf(pod.spec.scheduling_group && added.namespace_ == pod.metadata.namespace_ &&
                 group == PodGroupNameOf(pod));
}

QueueingHint IsSchedulableAfterPodAdded(const Pod& pod, const EventObjects& objects) {
  const Pod* added = objects.New<Pod>();
  if (added == nullptr) return QueueingHint::kQueue;
  if (!added->spec.scheduling_group) return QueueingHint::kQueueSkip;
  return HintFor(pod, added->metadata, PodGroupNameOf(*added));
}

QueueingHint IsSchedulableAfterPodGroupAdded(const Pod& pod, const EventObjects& objects) {
  const PodGroup* added = objects.New<PodGroup>();
  if (added == nullptr) return QueueingHint::kQueue;
  return HintFor(pod, added->metadata, added->metadata.name);
}

}  // namespace

Status GangScheduling::PreEnqueue(const Pod& pod) const {
  if (!pod.spec.scheduling_group) return Status::Success();
  Symbol name = PodGroupNameOf(pod);
  PodGroupRef group = handle_.listers().GetPodGroup(pod.metadata.namespace_, name);
  if (group == nullptr) {
    return Status::UnschedulableAndUnresolvable(
        Format("waiting for pods's pod group \"{}\" to appear in scheduling queue", name.view()));
  }
  const std::optional<GangSchedulingPolicy>& gang = group->spec.scheduling_policy.gang;
  if (!gang) return Status::Success();
  const PodGroupState* known = handle_.pod_groups().Get(PodGroupStates::KeyOf(pod));
  if (known == nullptr) {
    return Status::Error(Format("failed to get pod group state for pod {}", KeyText(pod)));
  }
  if (static_cast<int64_t>(known->members.size()) >= gang->min_count) return Status::Success();
  return Status::UnschedulableAndUnresolvable(
      "waiting for minCount pods from a gang to appear in scheduling queue");
}

Status GangScheduling::Permit(CycleState& state, const Pod& pod, const Symbol&,
                              int64_t* timeout_us) {
  if (!pod.spec.scheduling_group) return Status::Success();
  PodGroupRef group = handle_.listers().GetPodGroup(pod.metadata.namespace_, PodGroupNameOf(pod));
  if (group == nullptr) {
    return Status::Error(
        Format("failed to get podGroup {}: podgroup.scheduling.k8s.io \"{}\" "
               "not found",
               KeyText(pod), PodGroupNameOf(pod).view()));
  }
  const std::optional<GangSchedulingPolicy>& gang = group->spec.scheduling_policy.gang;
  if (!gang) return Status::Success();
  const PodGroupState* known = handle_.pod_groups().Get(PodGroupStates::KeyOf(pod));
  if (known == nullptr) {
    return Status::Error(Format("failed to get pod group state for pod {}", KeyText(pod)));
  }
  if (static_cast<int64_t>(known->num_scheduled) >= gang->min_count) {
    AllowWaiting(*known);
    return Status::Success();
  }
  if (!state.is_pod_group_cycle()) ActivateUnscheduled(*known);
  *timeout_us = kPermitTimeoutUs;
  return Status::WithReasons(Code::kWait,
                             {Symbol("waiting for minCount pods from a gang to be scheduled")});
}

void GangScheduling::ActivateUnscheduled(const PodGroupState& group) const {
  if (handle_.background() == nullptr) return;
  std::vector<PodRef> pods;
  for (const auto& [uid, member] : group.members) {
    if (member.stage == PodGroupState::Stage::kUnscheduled) pods.push_back(member.pod);
  }
  handle_.background()->activator.Activate(pods);
}

void GangScheduling::AllowWaiting(const PodGroupState& group) const {
  Background* background = handle_.background();
  // Without a deadline no pod waits whose outcome is open.
  if (background == nullptr || !background->waiting_pods.NextDeadline()) return;
  for (const auto& [uid, member] : group.members) {
    if (member.stage != PodGroupState::Stage::kAssumed) continue;
    WaitingPod* waiting = background->waiting_pods.Get(uid);
    if (waiting != nullptr) waiting->Allow(Symbol(kName));
  }
}

std::vector<ClusterEventWithHint> GangScheduling::EventsToRegister() const {
  return {
      {.event = {EventResource::kPod, action::kAdd},
       .hint = IsSchedulableAfterPodAdded,
       .is_of_pod_group = true},
      {.event = {EventResource::kPodGroup, action::kAdd},
       .hint = IsSchedulableAfterPodGroupAdded,
       .is_of_pod_group = true},
  };
}

}  // namespace stowage
