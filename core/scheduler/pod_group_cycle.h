// PodGroupCycle is the state of the scheduling cycle of a pod group: its pods are placed one after
// the other on one snapshot, and bound only if the group as a whole can run (spec 05 §13).
// CycleRunner runs it. Counterpart: schedule_one_podgroup.go, v1.36.
#pragma once

#include <optional>
#include <vector>

#include "core/api/object_key.h"
#include "core/framework/pod_group_states.h"
#include "core/scheduler/attempt.h"

namespace stowage {

struct PodGroupMember {
  PodGroupMember(const QueuedPodRef& queued, ProfileRuntime& profile)
      : attempt{queued, profile, CycleState()} {}

  Attempt attempt;
  ScheduleResult result = {};
  Status permit = {};  // Success or Wait if it is placed
  bool is_tried = false;
  bool is_placed = false;            // assumed on a node
  bool requires_preemption = false;  // its node is nominated
};

struct PodGroupCycle {
  ObjectKey key;
  std::vector<PodGroupMember> members;  // in the order in which they are tried
  Status status;                        // Unschedulable also while it waits for preemption
  bool waits_for_preemption = false;
  bool is_trial = false;  // of a preemption for the group: its pods do not preempt on their own
  // The pods that were evicted for the group, most important first.
  std::optional<std::vector<PodInfoRef>> victims = {};
  Placement placement = {};  // TopologyAwareWorkloadScheduling: on which it was placed

  bool IsFeasible() const { return status.IsSuccess() || waits_for_preemption; }
};

}  // namespace stowage
