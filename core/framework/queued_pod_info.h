// QueuedPodInfo is a pending pod with its state in the queue (spec 03 §3).
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

// The pod's last move between queues, for Inspect and records.
struct QueueMove {
  Symbol event;            // a label: "AssignedPodDelete", "BackoffComplete"
  Symbol plugin;           // the rejecting plugin whose hint moved the pod; empty if there was none
  std::string hint;        // "Queue", or empty
  std::string_view queue;  // destination: "active", "backoff", "unschedulable"
  Instant at;
};

struct QueuedPodInfo {
  PodInfoRef pod_info;
  Instant timestamp;      // when the pod was added to the queue, or came back to it
  uint64_t sequence = 0;  // order of entry; orders pods with equal timestamps
  uint32_t attempts = 0;  // scheduling attempts so far
  // When it first entered the active queue; unset while it is gated.
  std::optional<Instant> initial_attempt_timestamp;
  // Whether the timeout of the unschedulable pool has moved it since its last attempt.
  bool was_flushed_from_unschedulable = false;

  // The number of attempts that ended in a rejection, and of the last consecutive attempts that
  // ended in an error without a rejecting plugin.
  uint32_t unschedulable_count = 0;
  uint32_t consecutive_errors_count = 0;
  // The end of its backoff, cached until its next attempt.
  std::optional<Instant> backoff_expiration;

  // The plugins that rejected it, and those among them that wait for an operation under way.
  std::set<Symbol> unschedulable_plugins;
  std::set<Symbol> pending_plugins;
  // The PreEnqueue plugin that gates it, and its message; empty if none does.
  Symbol gating_plugin;
  std::string gating_message;

  // The queue of its last pop: "active" or "backoff".
  std::string_view popped_from = "active";
  std::optional<QueueMove> last_move;
  uint64_t moved = 0;  // orders last moves

  const Pod& pod() const { return *pod_info->pod; }
  bool IsGated() const { return !gating_plugin.empty(); }
};

using QueuedPodRef = std::shared_ptr<QueuedPodInfo>;

}  // namespace stowage
