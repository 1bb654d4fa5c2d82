// Savepoint is the state of a Scheduler at the beginning of a transaction, in parts of the same
// types. A copy of a part shares what neither changes later.
//
// The tasks under way cannot be copied: they move here, with all that belongs to them.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/scheduler/scheduler.h"

namespace stowage {

struct Scheduler::Savepoint {
  // Moves the tasks of the scheduler here.
  explicit Savepoint(Scheduler* scheduler);

  Rng rng;
  Rng jitter;
  Instant now;
  Metrics metrics;
  ObjectStore::Savepoint store;
  DraManager dra;
  Cache::Savepoint cache;
  Nominator nominator;
  SyncTracker sync;
  RecordLog records;
  BindingsInFlight bindings_in_flight;
  EventBroadcaster event_broadcaster;
  std::optional<SimulatedApi> simulated_api;
  std::optional<SimulatedVolumes> simulated_volumes;
  std::optional<SimulatedClaims> simulated_claims;
  std::vector<Profiles::SavedProfile> profiles;
  SchedulingCycle cycle;
  size_t num_kept;  // of the kept batches
  std::set<std::string> reported_kinds;
  BindingCycles bindings;
  uint64_t num_cycles;
  ScheduleCommands commands;

  // The tasks, and the pods whose attempts they continue.
  std::unique_ptr<SchedulingQueue> queue;
  Outbox outbox;
  Loop loop{outbox};
  WaitingPods waiting_pods;
  PodsInPreBind pods_in_pre_bind;
};

}  // namespace stowage
