// BindingCycles runs the binding cycle of each pod whose node is chosen (spec 05 §9). Each binding
// cycle is a task that runs beside later scheduling cycles. BindingCycles also expires bound pods
// that stay assumed because no watch event confirms them.
// Counterpart: bindingCycle of schedule_one.go, v1.36.
#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/cache/cache.h"
#include "core/framework/extender.h"
#include "core/framework/waiting_pods.h"
#include "core/scheduler/attempt.h"
#include "core/scheduler/bindings_in_flight.h"
#include "core/scheduler/failure_handler.h"
#include "core/scheduler/simulated_api.h"

namespace stowage {

class BindingCycles {
 public:
  struct Options {
    bool nominates_expected_node = false;  // NominatedNodeNameForExpectation
    int64_t assumed_pod_expiry_us = 0;     // 0: assumed pods never expire
    bool has_event_sink = false;           // false: nothing reads events, so none are created
  };
  struct Parts {
    Cache& cache;
    SchedulingQueue& queue;
    WaitingPods& waiting_pods;
    PodsInPreBind& pods_in_pre_bind;
    BindingsInFlight& bindings_in_flight;
    const Extenders& extenders;
    Metrics& metrics;
    RecordLog& records;
    ApiClient& api;
    SimulatedApi* simulated_api;  // null in host mode
    Loop& loop;
    FailureHandler& failures;
  };

  BindingCycles(Parts parts, Options options) : parts_(parts), options_(options) {}

  // Takes the expiries of assumed pods of another one, without its binding cycles.
  void CopyStateFrom(const BindingCycles& other) { assumed_until_ = other.assumed_until_; }

  // Spawns the binding cycle of an assumed pod. The pod is reserved, and either past Permit or
  // waiting in it.
  void Start(Attempt&& attempt);

  // When the first assumed pod expires; nullopt if none does.
  std::optional<Instant> NextExpiry() const;
  // Removes the assumed pods whose expiry is at or before `now` from the cache.
  void ExpireAssumedPods(Instant now);

 private:
  Task<void> Run(Attempt attempt);
  Task<void> NominateExpectedNode(const Attempt& attempt);
  Task<Status> Bind(Attempt* attempt);
  bool MayLend(const Attempt& attempt) const;
  Task<Status> BindByExtenders(Attempt* attempt);
  void Finish(const Attempt& attempt);
  void CountScheduled(const QueuedPodInfo& queued);
  void HandleFailure(Attempt* attempt, std::string_view phase, const Status& status);

  Parts parts_;
  Options options_;
  // Bound pods that are still assumed, ordered by expiry.
  std::set<std::pair<Instant, Symbol>> assumed_until_;
};

}  // namespace stowage
