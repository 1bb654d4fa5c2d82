// EventHandlers take what the API server says about objects to the cache, the pending pods and the
// nominations (spec 02 §3–§4).
//
// A pod that is finished (phase Succeeded or Failed) counts as deleted, as the reference's watch
// has it. Pods of other schedulers take room when bound and are otherwise ignored. Counterpart:
// eventhandlers.go, v1.36.
#pragma once

#include <set>

#include "core/api/decode/objects.h"
#include "core/cache/cache.h"
#include "core/config/features.h"
#include "core/queue/nominator.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/pending_pods.h"

namespace stowage {

class EventHandlers {
 public:
  struct Targets {
    ObjectStore& store;
    Cache& cache;
    PendingPods& pending;
    Nominator& nominator;
    const Features& features;
  };

  EventHandlers(Targets targets, std::set<Symbol> scheduler_names)
      : targets_(targets), scheduler_names_(std::move(scheduler_names)) {}

  // The object as it is now: added, or changed from what was last seen. A pod's uid must not be
  // that of another pod.
  void OnPut(const AnyObject& object);
  // The object is gone; an unknown one is ignored.
  void OnDelete(const KindKey& kind, const ObjectKey& key);

  // A profile of that name exists.
  bool IsResponsibleFor(const Pod& pod) const {
    return scheduler_names_.contains(pod.spec.scheduler_name);
  }

 private:
  void OnPodAdd(const PodRef& pod);
  void OnPodUpdate(const PodRef& old_pod, const PodRef& new_pod);
  void OnPodDelete(const PodRef& pod);
  void AddAssignedPod(const PodRef& pod);
  void AddPendingPod(const PodRef& pod, const Symbol& nominated_node);
  void UpdatePendingPod(const Pod& old_pod, const PodRef& new_pod);
  void RemovePendingPod(const Pod& pod);
  void ForgetAssumedPod(const Symbol& uid);

  Targets targets_;
  std::set<Symbol> scheduler_names_;
};

}  // namespace stowage
