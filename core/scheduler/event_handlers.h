// EventHandlers apply what the API server reports about objects to the store, the cache and the
// queue, and move the pods that wait for such a change (spec 02 §3–§5).
//
// A finished pod (phase Succeeded or Failed) counts as deleted, as in the reference's watch.
// Counterpart: eventhandlers.go, v1.36.
#pragma once

#include <set>
#include <string_view>

#include "core/api/decode/objects.h"
#include "core/cache/cache.h"
#include "core/config/features.h"
#include "core/dra/dra_manager.h"
#include "core/framework/waiting_pods.h"
#include "core/queue/scheduling_queue.h"
#include "core/scheduler/bindings_in_flight.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/record_log.h"

namespace stowage {

class EventHandlers final : public ClaimObserver {
 public:
  struct Targets {
    ObjectStore& store;
    DraManager& dra;
    Cache& cache;
    SchedulingQueue& queue;
    WaitingPods& waiting_pods;
    const BindingsInFlight& bindings;
    RecordLog& records;
    const Features& features;
  };

  EventHandlers(Targets targets, std::set<Symbol> scheduler_names)
      : targets_(targets), scheduler_names_(std::move(scheduler_names)) {
    targets_.dra.claims().set_observer(this);
  }

  // The object was added or changed; `object` is its current state. A pod must not have the uid of
  // another pod.
  void OnPut(const AnyObject& object);
  void OnPut(const PodRef& pod);
  // The object as a list reports it. A list overrides the known state, which may have gone back:
  // the object may be on another node or on none, be a different object of the same name, or reuse
  // a resource version for other content.
  void OnListed(const AnyObject& object);
  // The object was deleted. Unknown objects are ignored, except for an assumed pod whose name
  // another pod has taken. `object` holds its metadata, and for a pod the node that it was last
  // bound to.
  void OnDelete(const AnyObject& object);
  // A list no longer has the object, so its final state is unknown.
  void OnFinalStateUnknown(const KindKey& kind, const ObjectKey& key);

  // The scheduler itself has changed its view of a claim.
  void OnClaimChange(const ResourceClaimRef& old_claim, const ResourceClaimRef& new_claim) override;

  // True if a profile has the pod's scheduler name.
  bool IsResponsibleFor(const Pod& pod) const {
    return scheduler_names_.contains(pod.spec.scheduler_name);
  }

 private:
  void PutPod(const PodRef& pod, bool is_listed);
  void OnPodAdd(const PodRef& pod);
  void OnPodUpdate(const PodRef& old_pod, const PodRef& new_pod, bool is_listed);
  void OnPodDelete(const PodRef& pod);
  void OnBoundPodDelete(const PodRef& pod, const Symbol& node);
  void OnNodePut(const NodeRef& old_node, const NodeRef& new_node);
  void OnOtherPut(const std::optional<AnyObject>& old_object, const AnyObject& object);
  void OnRemoved(const AnyObject& object);
  // For the kinds of devices: an update that plugins see later than the store, or differently.
  // Returns false if the object is of another kind.
  bool PutDevices(const AnyObject& object);
  bool RemoveDevices(const AnyObject& object);
  void MoveAfterSliceChanges(const std::vector<ResourceSlices::Change>& changes);
  // Moves pods if a plugin wants such events.
  void MoveIfWanted(std::optional<AnyObject> old_object, std::optional<AnyObject> new_object);

  PodInfoRef PodInfoOf(const PodRef& pod) const;
  void AddAssignedPod(const PodRef& pod);
  void UpdateAssignedPod(const PodRef& old_pod, const PodRef& new_pod);
  void DeleteAssignedPod(const PodRef& pod);
  void UpdatePodInQueue(const PodRef& old_pod, const PodRef& new_pod, bool is_listed);
  bool AssumeIfBinding(const Pod& pod);
  void DeletePodFromQueue(const PodRef& pod, bool is_binding);
  void ForgetDeletedPod(const Pod& pod);
  void MoveLowerOrEqualPriority(const PodRef& pod);

  // False if no pod waits for an event. Most events arrive then and are not even constructed.
  bool HasListeners() const { return targets_.queue.HasListeners(); }
  void Move(const ClusterEvent& event, const EventObjects& objects,
            const SchedulingQueue::PreCheck& pre_check = nullptr) {
    targets_.queue.MoveAllToActiveOrBackoffQueue(event, objects, pre_check);
  }
  void Report(std::string_view operation, const ObjectMeta& object, const Status& status);

  Targets targets_;
  std::set<Symbol> scheduler_names_;
};

}  // namespace stowage
