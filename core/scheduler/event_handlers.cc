#include "core/scheduler/event_handlers.h"

#include "core/api/pod_helpers.h"

namespace stowage {
namespace {

bool IsAssigned(const Pod& pod) { return !pod.spec.node_name.empty(); }

bool IsFinished(const Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

}  // namespace

void EventHandlers::OnPut(const AnyObject& object) {
  if (const auto* pod = std::get_if<PodRef>(&object); pod != nullptr && IsFinished(**pod)) {
    OnDelete(ObjectKind::kPod, ObjectKey::Of((*pod)->metadata));
    return;
  }
  std::optional<AnyObject> old = targets_.store.Put(object);
  if (const auto* node = std::get_if<NodeRef>(&object); node != nullptr) {
    if (old) {
      targets_.cache.UpdateNode(*std::get<NodeRef>(*old), *node);
    } else {
      targets_.cache.AddNode(*node);
    }
  } else if (const auto* pod = std::get_if<PodRef>(&object); pod != nullptr) {
    old ? OnPodUpdate(std::get<PodRef>(*old), *pod) : OnPodAdd(*pod);
  }
}

void EventHandlers::OnDelete(const KindKey& kind, const ObjectKey& key) {
  std::optional<AnyObject> old = targets_.store.Remove(kind, key);
  if (!old) return;
  if (kind == ObjectKind::kNode) {
    CHECK(targets_.cache.RemoveNode(*std::get<NodeRef>(*old)).IsSuccess());
  }
  if (kind == ObjectKind::kPod) OnPodDelete(std::get<PodRef>(*old));
}

void EventHandlers::OnPodAdd(const PodRef& pod) {
  if (IsAssigned(*pod)) {
    AddAssignedPod(pod);
  } else if (IsResponsibleFor(*pod)) {
    AddPendingPod(pod, pod->status.nominated_node_name);
  }
}

void EventHandlers::OnPodUpdate(const PodRef& old_pod, const PodRef& new_pod) {
  bool is_same_pod = old_pod->metadata.uid == new_pod->metadata.uid;
  bool was_assigned = IsAssigned(*old_pod);
  if (was_assigned && is_same_pod && old_pod->spec.node_name == new_pod->spec.node_name) {
    PodInfoRef info = MakePodInfo(new_pod, targets_.features);
    CHECK(targets_.cache.UpdatePod(*old_pod, info).IsSuccess());
    return;
  }
  if (was_assigned || !is_same_pod) {
    OnPodDelete(old_pod);
    OnPodAdd(new_pod);
    return;
  }
  if (IsAssigned(*new_pod)) {
    RemovePendingPod(*old_pod);
    AddAssignedPod(new_pod);
  } else if (targets_.cache.IsAssumedPod(new_pod->metadata.uid)) {
    bool is_leaving = IsTerminating(*new_pod) && !IsTerminating(*old_pod);
    if (is_leaving) ForgetAssumedPod(new_pod->metadata.uid);
  } else if (IsResponsibleFor(*new_pod)) {
    UpdatePendingPod(*old_pod, new_pod);
  } else {
    RemovePendingPod(*old_pod);
  }
}

void EventHandlers::OnPodDelete(const PodRef& pod) {
  if (IsAssigned(*pod)) {
    CHECK(targets_.cache.RemovePod(*pod).IsSuccess());
    return;
  }
  RemovePendingPod(*pod);
  if (targets_.cache.IsAssumedPod(pod->metadata.uid)) ForgetAssumedPod(pod->metadata.uid);
}

// Its binding is expected to fail.
void EventHandlers::ForgetAssumedPod(const Symbol& uid) {
  PodInfoRef assumed = targets_.cache.GetPod(uid);
  CHECK(targets_.cache.ForgetPod(*assumed->pod).IsSuccess());
}

void EventHandlers::AddAssignedPod(const PodRef& pod) {
  CHECK(targets_.cache.AddPod(MakePodInfo(pod, targets_.features)).IsSuccess());
}

void EventHandlers::AddPendingPod(const PodRef& pod, const Symbol& nominated_node) {
  PodInfoRef info = MakePodInfo(pod, targets_.features);
  targets_.nominator.AddNominatedPod(info, nominated_node);
  targets_.pending.AddOrUpdate(info);
}

void EventHandlers::UpdatePendingPod(const Pod& old_pod, const PodRef& new_pod) {
  Symbol nominated_node = new_pod->status.nominated_node_name;
  // The update may be older than a nomination that was made here and is still to be written.
  if (nominated_node.empty() && old_pod.status.nominated_node_name.empty()) {
    nominated_node = targets_.nominator.NodeOf(new_pod->metadata.uid);
  }
  AddPendingPod(new_pod, nominated_node);
}

void EventHandlers::RemovePendingPod(const Pod& pod) {
  targets_.pending.Delete(ObjectKey::Of(pod.metadata));
  targets_.nominator.DeleteNominatedPod(pod.metadata.uid);
}

}  // namespace stowage
