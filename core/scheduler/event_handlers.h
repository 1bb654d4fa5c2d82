// EventHandlers take what the API server says about objects to the store, the cache and the queue,
// and wake the pods that wait for such a change (spec 02 §3–§5).
//
// A pod that is finished (phase Succeeded or Failed) counts as deleted, as the reference's watch
// has it. Counterpart: eventhandlers.go, v1.36.
#pragma once

#include <set>
#include <string_view>

#include "core/api/decode/objects.h"
#include "core/cache/cache.h"
#include "core/config/features.h"
#include "core/framework/waiting_pods.h"
#include "core/queue/scheduling_queue.h"
#include "core/scheduler/bindings_under_way.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/record_log.h"

namespace stowage {

class EventHandlers {
 public:
  struct Targets {
    ObjectStore& store;
    Cache& cache;
    SchedulingQueue& queue;
    WaitingPods& waiting_pods;
    const BindingsUnderWay& bindings;
    RecordLog& records;
    const Features& features;
  };

  EventHandlers(Targets targets, std::set<Symbol> scheduler_names)
      : targets_(targets), scheduler_names_(std::move(scheduler_names)) {}

  // The object as it is now: added, or changed from what was last seen. A pod's uid must not be
  // that of another pod.
  void OnPut(const AnyObject& object);
  void OnPut(const PodRef& pod);
  // The object as a list has it, which is right about it whatever was known: state may have gone
  // back, to another node, to none, to another object of the name, with versions that were given
  // before to something else.
  void OnListed(const AnyObject& object);
  // The object is gone; an unknown one is ignored, unless it is a pod that is still assumed, whose
  // name another one took. `object` has its metadata, and of a pod the node that it was bound to at
  // last.
  void OnDelete(const AnyObject& object);
  // A list does not have the object any more: nobody knows what it was at last.
  void OnFinalStateUnknown(const KindKey& kind, const ObjectKey& key);

  // A profile of that name exists.
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

  PodInfoRef PodInfoOf(const PodRef& pod) const;
  void AddAssignedPod(const PodRef& pod);
  void UpdateAssignedPod(const PodRef& old_pod, const PodRef& new_pod);
  void DeleteAssignedPod(const PodRef& pod);
  void UpdatePodInQueue(const PodRef& old_pod, const PodRef& new_pod, bool is_listed);
  bool GoesOnBinding(const Pod& pod);
  void DeletePodFromQueue(const PodRef& pod, bool is_binding);
  void ForgetDeletedPod(const Pod& pod);
  void MoveLowerThanNominated(const PodRef& pod);

  // Most events come while nobody waits for one, and are not even made then.
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
