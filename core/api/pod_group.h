// PodGroup: pods that are scheduled together (spec 01 §4).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/api/pod.h"
#include "core/api/raw_member.h"

namespace stowage {

struct GangSchedulingPolicy {
  int32_t min_count = 0;
};

struct PodGroupSchedulingPolicy {
  std::optional<GangSchedulingPolicy> gang;  // else the policy is basic
};

struct PodGroupTopologyConstraint {
  Symbol key;
};

struct PodGroupSchedulingConstraints {
  std::vector<PodGroupTopologyConstraint> topology;
};

struct PodGroupSpec {
  PodGroupSchedulingPolicy scheduling_policy;
  std::optional<PodGroupSchedulingConstraints> scheduling_constraints;
  // "PodGroup" in v1alpha2, an object with the member "all" in later versions: victims of a
  // preemption are all pods of the group or none.
  RawValue disruption_mode;
  std::optional<int32_t> priority;
  SharedList<PodResourceClaim> resource_claims = {};
};

struct PodGroupStatus {
  SharedList<PodCondition> conditions;
};

struct PodGroup {
  ObjectMeta metadata;
  PodGroupSpec spec;
  PodGroupStatus status;
};

using PodGroupRef = std::shared_ptr<const PodGroup>;

// Whether a preemption evicts all pods of the group or none.
inline bool IsDisruptedAsAWhole(const PodGroup& group) {
  const Symbol& mode = group.spec.disruption_mode.json;
  return mode == "\"PodGroup\"" || mode.view().starts_with("{\"all\":");
}

// The name of the pod's group in its namespace; empty if it belongs to none.
inline Symbol PodGroupNameOf(const Pod& pod) {
  return pod.spec.scheduling_group ? pod.spec.scheduling_group->pod_group_name : Symbol();
}

}  // namespace stowage
