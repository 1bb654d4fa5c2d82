#include "core/scheduler/event_handlers.h"

#include "core/api/pod_helpers.h"
#include "core/base/cold.h"

namespace stowage {
namespace {

bool IsAssigned(const Pod& pod) { return !pod.spec.node_name.empty(); }

bool IsFinished(const Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

// An object without a resource version did not come from an API server; it cannot be distinguished
// from its previous state.
bool IsResync(const Pod& old_pod, const Pod& new_pod) {
  const std::string& version = new_pod.metadata.resource_version;
  return !version.empty() && version == old_pod.metadata.resource_version &&
         new_pod.metadata.uid == old_pod.metadata.uid;
}

EventObjects Added(AnyObject object) { return {std::nullopt, std::move(object)}; }
EventObjects Deleted(AnyObject object) { return {std::move(object), std::nullopt}; }

}  // namespace

STOWAGE_COLD void EventHandlers::Report(std::string_view operation, const ObjectMeta& object,
                                        const Status& status) {
  if (status.IsSuccess()) return;
  targets_.records.WriteInconsistency(operation, ObjectKey::Of(object), status.Message());
}

void EventHandlers::OnPut(const AnyObject& object) {
  if (object.Is<Pod>()) return PutPod(object.Ref<Pod>(), false);
  std::optional<AnyObject> old = targets_.store.Put(object);
  if (object.Is<Node>()) {
    OnNodePut(old ? old->Ref<Node>() : nullptr, object.Ref<Node>());
  } else {
    OnOtherPut(old, object);
  }
}

void EventHandlers::OnPut(const PodRef& pod) { PutPod(pod, false); }

void EventHandlers::OnListed(const AnyObject& object) {
  const Pod* pod = object.Get<Pod>();
  if (pod == nullptr) return OnPut(object);
  ObjectKey key = ObjectKey::Of(pod->metadata);
  PodRef old = targets_.store.GetPod(key.namespace_, key.name);
  bool is_recreated = old != nullptr && old->metadata.uid != pod->metadata.uid;
  if (is_recreated) OnFinalStateUnknown(ObjectKind::kPod, key);
  PutPod(object.Ref<Pod>(), true);
}

void EventHandlers::PutPod(const PodRef& pod, bool is_listed) {
  if (IsFinished(*pod)) return OnDelete(AnyObject(pod));
  PodRef old = targets_.store.PutPod(pod);
  old != nullptr ? OnPodUpdate(old, pod, is_listed) : OnPodAdd(pod);
}

STOWAGE_COLD void EventHandlers::OnDelete(const AnyObject& object) {
  std::optional<AnyObject> old = targets_.store.Remove(object);
  const Pod* last = object.Get<Pod>();
  if (last == nullptr) {
    if (old) OnRemoved(*old);
    return;
  }
  PodRef pod = old ? old->Ref<Pod>() : nullptr;
  bool is_known = pod != nullptr && pod->metadata.uid == last->metadata.uid;
  if (is_known && !IsAssigned(*pod) && IsAssigned(*last)) {
    return OnBoundPodDelete(pod, last->spec.node_name);
  }
  // Another pod may have taken the name of one that is still assumed.
  if (!is_known && targets_.cache.IsAssumedPod(last->metadata.uid)) ForgetDeletedPod(*last);
  if (pod != nullptr) OnPodDelete(pod);
}

// The watch missed the last update of `pod`, which bound it to `node`. The cache holds the pod as
// assumed, possibly on another node, or not at all.
STOWAGE_COLD void EventHandlers::OnBoundPodDelete(const PodRef& pod, const Symbol& node) {
  Pod bound = *pod;
  bound.spec.node_name = node;
  Report("RemovePod", pod->metadata, targets_.cache.RemovePod(*pod));
  Move(AssignedPodEvent(action::kDelete), Deleted(std::make_shared<const Pod>(std::move(bound))));
  if (IsResponsibleFor(*pod)) DeletePodFromQueue(pod, false);
}

STOWAGE_COLD void EventHandlers::OnFinalStateUnknown(const KindKey& kind, const ObjectKey& key) {
  std::optional<AnyObject> old = targets_.store.Remove(kind, key);
  if (!old) return;
  PodRef pod = old->Ref<Pod>();
  if (pod == nullptr) return OnRemoved(*old);
  // A pod that was pending may have been bound since; the cache then holds it as assumed, or not at
  // all.
  DeleteAssignedPod(pod);
  if (IsResponsibleFor(*pod)) DeletePodFromQueue(pod, false);
}

STOWAGE_COLD void EventHandlers::OnRemoved(const AnyObject& object) {
  EventResource resource = EventResourceOf(object);
  ClusterEvent event{resource, action::kDelete, OtherResourceOf(object)};
  if (const Node* node = object.Get<Node>()) {
    Move(event, Deleted(object));
    Report("RemoveNode", node->metadata, targets_.cache.RemoveNode(*node));
  } else if (RemoveDevices(object)) {
    return;
  } else if ((targets_.queue.ActionsFor(resource, event.other) & action::kDelete) != 0) {
    Move(event, Deleted(object));
  }
}

STOWAGE_COLD void EventHandlers::OnNodePut(const NodeRef& old_node, const NodeRef& new_node) {
  if (old_node == nullptr) {
    targets_.cache.AddNode(new_node);
    Move({EventResource::kNode, action::kAdd}, Added(new_node));
    return;
  }
  targets_.cache.UpdateNode(*old_node, new_node);
  if (!HasListeners()) return;
  for (const ClusterEvent& event : NodeSchedulingPropertiesChange(*old_node, *new_node)) {
    Move(event, {AnyObject(old_node), AnyObject(new_node)});
  }
}

STOWAGE_COLD void EventHandlers::OnOtherPut(const std::optional<AnyObject>& old_object,
                                            const AnyObject& object) {
  if (PutDevices(object)) return;
  if (const auto device_class = object.Ref<DeviceClass>())
    targets_.dra.PutDeviceClass(device_class);
  EventResource resource = EventResourceOf(object);
  Symbol other = OtherResourceOf(object);
  ActionType wanted = targets_.queue.ActionsFor(resource, other);
  ActionType happened = old_object ? action::kUpdate : action::kAdd;
  if ((wanted & happened) != 0) Move({resource, happened, other}, {old_object, object});
}

[[gnu::noinline]] void EventHandlers::OnPodAdd(const PodRef& pod) {
  if (IsAssigned(*pod)) {
    AddAssignedPod(pod);
  } else if (IsResponsibleFor(*pod) && !AssumeIfBinding(*pod)) {
    targets_.cache.pod_groups().Put(pod, PodGroupState::Stage::kUnscheduled);
    targets_.cache.ExpectPods(targets_.store.NumPods());
    targets_.queue.Add(MakePodInfo(pod, targets_.features));
    if (targets_.features.gang_scheduling && HasListeners()) {
      Move(UnscheduledPodEvent(action::kAdd), Added(pod));
    }
  }
}

// A list that is outdated, or from another history of the cluster, may remove a pod or its node
// while the pod's binding is under way; the list or a later event brings the pod back. The pod is
// then assumed again instead of queued: in the queue, a second attempt could bind it to another
// node. If the binding fails, the pod returns to the queue.
STOWAGE_COLD bool EventHandlers::AssumeIfBinding(const Pod& pod) {
  PodInfoRef assumed = targets_.bindings.Get(pod.metadata.uid);
  if (assumed == nullptr) return false;
  Report("AssumePod", pod.metadata, targets_.cache.AssumePod(assumed));
  return true;
}

void EventHandlers::OnPodUpdate(const PodRef& old_pod, const PodRef& new_pod, bool is_listed) {
  // Another pod has the name, and the deletion of the first was missed.
  bool is_other = old_pod->metadata.uid != new_pod->metadata.uid;
  if (is_other) targets_.cache.pod_groups().Remove(*old_pod);
  bool has_other_node = old_pod->spec.node_name != new_pod->spec.node_name;
  if (IsAssigned(*old_pod) && has_other_node) {
    // A list reports a bound pod elsewhere, or another pod has its name and the deletion of the
    // first was missed. The reference exits here and starts again from a list.
    OnPodDelete(old_pod);
    OnPodAdd(new_pod);
  } else if (IsAssigned(*old_pod)) {
    UpdateAssignedPod(old_pod, new_pod);
  } else if (IsAssigned(*new_pod)) {
    AddAssignedPod(new_pod);
    if (IsResponsibleFor(*old_pod)) DeletePodFromQueue(old_pod, true);
  } else if (IsResponsibleFor(*old_pod) && IsResponsibleFor(*new_pod)) {
    UpdatePodInQueue(old_pod, new_pod, is_listed);
  } else if (IsResponsibleFor(*old_pod)) {
    DeletePodFromQueue(old_pod, false);  // now belongs to another scheduler
  } else {
    OnPodAdd(new_pod);
  }
}

[[gnu::noinline]] void EventHandlers::OnPodDelete(const PodRef& pod) {
  if (IsAssigned(*pod)) {
    DeleteAssignedPod(pod);
  } else if (IsResponsibleFor(*pod)) {
    DeletePodFromQueue(pod, false);
  }
}

// Reuses the PodInfo in the cache, which may be that of the assumed pod or of an older state.
PodInfoRef EventHandlers::PodInfoOf(const PodRef& pod) const {
  PodInfoRef known = targets_.cache.GetPod(pod->metadata.uid);
  if (known == nullptr) return MakePodInfo(pod, targets_.features);
  return known->pod == pod ? known : MakePodInfo(pod, *known, targets_.features);
}

void EventHandlers::AddAssignedPod(const PodRef& pod) {
  Report("AddPod", pod->metadata, targets_.cache.AddPod(PodInfoOf(pod)));
  if (HasListeners()) Move(AssignedPodEvent(action::kAdd), Added(pod));
}

[[gnu::noinline]] void EventHandlers::UpdateAssignedPod(const PodRef& old_pod,
                                                        const PodRef& new_pod) {
  Report("UpdatePod", new_pod->metadata, targets_.cache.UpdatePod(*old_pod, PodInfoOf(new_pod)));
  if (!HasListeners()) return;
  for (const ClusterEvent& event :
       PodSchedulingPropertiesChange(*old_pod, *new_pod, targets_.features)) {
    Move(event, {AnyObject(old_pod), AnyObject(new_pod)});
  }
}

void EventHandlers::DeleteAssignedPod(const PodRef& pod) {
  Report("RemovePod", pod->metadata, targets_.cache.RemovePod(*pod));
  Move(AssignedPodEvent(action::kDelete), Deleted(pod));
}

[[gnu::noinline]] void EventHandlers::UpdatePodInQueue(const PodRef& old_pod, const PodRef& new_pod,
                                                       bool is_listed) {
  if (!is_listed && IsResync(*old_pod, *new_pod)) return;
  if (targets_.cache.IsAssumedPod(new_pod->metadata.uid)) {
    // Its binding is under way, and fails if the pod begins to terminate now.
    if (IsTerminating(*new_pod) && !IsTerminating(*old_pod)) ForgetDeletedPod(*new_pod);
    return;
  }
  bool is_no_longer_terminating = IsTerminating(*old_pod) && !IsTerminating(*new_pod);
  if (is_no_longer_terminating && AssumeIfBinding(*new_pod)) return targets_.queue.Delete(*new_pod);
  targets_.cache.pod_groups().Put(new_pod, PodGroupState::Stage::kUnscheduled);
  targets_.queue.Update(old_pod, MakePodInfo(new_pod, targets_.features));
  const Symbol& nominated = old_pod->status.nominated_node_name;
  if (!nominated.empty() && nominated != new_pod->status.nominated_node_name) {
    MoveLowerOrEqualPriority(old_pod);
  }
}

void EventHandlers::DeletePodFromQueue(const PodRef& pod, bool is_binding) {
  targets_.queue.Delete(*pod);
  if (is_binding) return;
  targets_.cache.pod_groups().Remove(*pod);
  if (targets_.cache.IsAssumedPod(pod->metadata.uid)) {
    ForgetDeletedPod(*pod);
  } else if (!pod->status.nominated_node_name.empty()) {
    MoveLowerOrEqualPriority(pod);
  }
}

// A pod that waits in Permit is rejected, and its binding cycle returns it to the queue. A pod
// further on is removed from the cache here; its binding is expected to fail.
STOWAGE_COLD void EventHandlers::ForgetDeletedPod(const Pod& pod) {
  PodInfoRef assumed = targets_.cache.GetPod(pod.metadata.uid);
  if (assumed == nullptr) return;
  WaitingPod* waiting = targets_.waiting_pods.Get(pod.metadata.uid);
  bool is_rejected = waiting != nullptr && waiting->Reject(Symbol(), "removed");
  if (!is_rejected) {
    Report("ForgetPod", pod.metadata, targets_.cache.ForgetPod(*assumed->pod));
  }
  Move(AssignedPodEvent(action::kDelete), Deleted(assumed->pod));
}

// Pods that made room for the nominated pod, of the same or lower priority, may fit now.
STOWAGE_COLD void EventHandlers::MoveLowerOrEqualPriority(const PodRef& pod) {
  int32_t priority = PodPriority(*pod);
  Move(AssignedPodEvent(action::kDelete), Deleted(pod),
       [priority](const Pod& waiting) { return PodPriority(waiting) <= priority; });
}

}  // namespace stowage
