// QueuedPodInfo is a pending pod with what the queue knows about it (spec 03 §3).
// Counterpart: framework.QueuedPodInfo, v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/instant.h"
#include "core/framework/cluster_event.h"
#include "core/table/pod_info.h"

namespace stowage {

// What moved a pod last, for people who ask.
struct QueueMove {
  std::string event;       // a label: "AssignedPodDelete", "BackoffComplete"
  Symbol plugin;           // the rejecting plugin that wanted the move; empty when it was none
  std::string hint;        // "Queue", or empty
  std::string_view queue;  // where it went: "active", "backoff", "unschedulable"
  Instant at;
};

struct QueuedPodInfo {
  PodInfoRef pod_info;
  Instant timestamp;      // when the pod entered this round of queueing
  uint64_t sequence = 0;  // order of entry, decides what the timestamp leaves open
  uint32_t attempts = 0;  // scheduling attempts so far
  // When it entered the active queue for the first time; not while gated.
  std::optional<Instant> initial_attempt_timestamp;
  // Since it came back last, the timeout of the unschedulable pool moved it.
  bool was_flushed_from_unschedulable = false;

  // How often it came back rejected, and how often in a row without anybody who rejected it.
  uint32_t unschedulable_count = 0;
  uint32_t consecutive_errors_count = 0;
  // Remembered until it comes back the next time.
  std::optional<Instant> backoff_expiration;

  // Who rejected it, and of these who waits for something that is under way.
  std::set<Symbol> unschedulable_plugins;
  std::set<Symbol> pending_plugins;
  // The PreEnqueue plugin that holds it back, in its words; empty when none does.
  Symbol gating_plugin;
  std::string gating_message;

  // The queue that it was popped from last: "active" or "backoff".
  std::string_view popped_from = "active";
  std::optional<QueueMove> last_move;

  const Pod& pod() const { return *pod_info->pod; }
  bool IsGated() const { return !gating_plugin.empty(); }
};

using QueuedPodRef = std::shared_ptr<QueuedPodInfo>;

}  // namespace stowage
