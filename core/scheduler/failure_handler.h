// FailureHandler handles a pod whose attempt failed: it returns the pod to the queue, and reports
// why in an event and in a condition (spec 05 §10).
// Counterpart: handleSchedulingFailure of schedule_one.go, v1.36.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "core/config/features.h"
#include "core/framework/api_client.h"
#include "core/framework/metrics.h"
#include "core/loop/loop.h"
#include "core/queue/nominator.h"
#include "core/queue/scheduling_queue.h"
#include "core/scheduler/event_handlers.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/record_log.h"

namespace stowage {

// Why an attempt failed.
struct SchedulingFailure {
  bool is_rejected = false;  // by a plugin or extender; false: an error
  std::string message;
  std::set<Symbol> unschedulable_plugins = {};
  std::set<Symbol> pending_plugins = {};
  // Replaces the pod's nomination (empty: clears it); nullopt: unchanged.
  std::optional<Symbol> nominated_node_name = {};
};

class FailureHandler {
 public:
  struct Parts {
    const Features& features;
    const ObjectStore& store;
    const EventHandlers& handlers;
    SchedulingQueue& queue;
    Nominator& nominator;
    Metrics& metrics;
    RecordLog& records;
    ApiClient& api;
    Loop& loop;
    // False: nothing reads events, so none are created.
    bool has_event_sink;
  };

  explicit FailureHandler(Parts parts) : parts_(parts) {}

  // Ends the attempt in the queue, starts the patch of the pod's status, and records the event. A
  // pod that was deleted, bound or given to another scheduler in the meantime is not queued again.
  void Handle(const QueuedPodRef& queued, SchedulingFailure failure);

 private:
  Task<void> PatchStatus(PodRef pod, PodStatusPatch patch);

  Parts parts_;
};

}  // namespace stowage
