// SimulatedApi plays the API server and its controllers for decisions: a bound pod runs, a victim
// vanishes (or terminates), a nomination is written. Its answers are objects, as a watch brings
// them.
#pragma once

#include <algorithm>

#include "core/base/instant.h"
#include "core/framework/handle.h"
#include "core/scheduler/event_handlers.h"

namespace stowage {

class SimulatedApi {
 public:
  SimulatedApi(EventHandlers& handlers, const ObjectStore& store, bool graceful_deletion)
      : handlers_(handlers), store_(store), graceful_deletion_(graceful_deletion) {}

  // Every pod that came in from outside: no simulated pod starts before any of them.
  void Observe(const Pod& pod) {
    if (pod.status.start_time) latest_start_ = std::max(latest_start_, *pod.status.start_time);
  }

  void Bind(const Pod& pod, const Symbol& node, Instant now);
  // Deletes the victims and empties the nominations that the preemption takes away.
  void Preempt(const PreemptionReport& preemption, Instant now);
  // Writes status.nominatedNodeName; gives the pod as it is then.
  PodRef SetNomination(const Pod& pod, const Symbol& node);

  bool has_graceful_deletion() const { return graceful_deletion_; }

 private:
  void Evict(const PodInfo& victim, Instant now);

  EventHandlers& handlers_;
  const ObjectStore& store_;
  bool graceful_deletion_;
  Instant latest_start_;
};

}  // namespace stowage
