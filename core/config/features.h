// Features are what a release of kube-scheduler and its feature gates make of the scheduler. The
// defaults are those of v1.36 (spec 07 §7).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/config/behaviour.h"
#include "core/config/configuration_error.h"

namespace stowage {

struct Features {
  bool scheduler_queueing_hints = true;
  bool scheduler_pop_from_backoff_q = true;
  bool scheduler_async_preemption = true;
  bool scheduler_async_api_calls = false;
  bool opportunistic_batching = true;
  bool nominated_node_name_for_expectation = true;
  bool clearing_nominated_node_name_after_binding = true;
  bool node_declared_features = true;
  bool generic_workload = false;
  bool gang_scheduling = false;
  bool workload_aware_preemption = false;
  bool topology_aware_workload_scheduling = false;
  bool dynamic_resource_allocation = true;
  bool dra_admin_access = true;
  bool dra_prioritized_list = true;
  bool dra_consumable_capacity = true;
  bool dra_device_taints = true;
  bool dra_device_binding_conditions = true;
  bool dra_extended_resource = true;
  bool dra_partitionable_devices = true;
  bool dra_resource_claim_device_status = true;
  bool dra_scheduler_filter_timeout = true;
  bool dra_device_taint_rules = false;
  bool dra_list_type_attributes = false;
  bool dra_node_allocatable_resources = false;
  bool dra_workload_resource_claims = false;
  bool dra_resource_pool_status = false;
  bool in_place_pod_vertical_scaling = true;
  bool in_place_pod_level_resources_vertical_scaling = true;
  bool pod_level_resources = true;
  bool pod_observed_generation_tracking = true;
  bool sidecar_containers = true;
  bool match_label_keys_in_pod_affinity = true;
  bool match_label_keys_in_pod_topology_spread = true;
  bool match_label_keys_in_pod_topology_spread_selector_merge = true;
  bool node_inclusion_policy_in_pod_topology_spread = true;
  bool volume_attributes_class = true;
  bool mutable_csi_node_allocatable_count = true;
  bool storage_capacity_scoring = false;
  bool volume_limit_scaling = false;
  bool mutable_pv_node_affinity = false;
  bool taint_toleration_comparison_operators = false;

  Behaviour behaviour = {};

  // Not gates. Whether there are DynamicResourcesArgs; before, arguments of DynamicResources are
  // those of a plugin outside the core. Whether recordings of the release prove what it does with
  // devices; and whether the release is a preview, of which nothing was recorded.
  bool has_dynamic_resources_args = true;
  bool devices_are_proved = true;
  bool is_preview = false;

  friend bool operator==(const Features&, const Features&) = default;
};

// What a gate is in one release.
enum class GateState : char {
  kAbsent = '-',  // the release does not know the gate
  kAlphaOff = 'a',
  kBetaOff = 'b',
  kAlphaOn = 'A',
  kBetaOn = 'B',
  kGeneralOn = 'G',
  kLockedOn = 'L',   // general, and cannot be disabled
  kRemovedOn = 'R',  // the release does not know the gate, because it is always on
};

// A gate by its Kubernetes name. `member` is null for gates that only change what pods and nodes
// may declare: they can be set, but the scheduler does not read them.
struct FeatureGate {
  std::string_view name;
  bool Features::*member;
  std::string_view states;  // a GateState for each KubernetesVersion

  GateState in(KubernetesVersion version) const {
    return static_cast<GateState>(states[static_cast<size_t>(version)]);
  }
};

std::span<const FeatureGate> KnownFeatureGates();

// Gate names and values, in the form of --feature-gates.
using FeatureGateMap = std::vector<std::pair<std::string, bool>>;

// The defaults of the release, changed by `gates`. AllAlpha and AllBeta set the gates of their
// stage that `gates` does not name. Errors, in Kubernetes' words: an unknown gate, a locked gate
// set to another value, an enabled gate with disabled dependencies. Gates are checked in order of
// their names.
Result<Features, ConfigurationError> FeaturesFromMap(const FeatureGateMap& gates,
                                                     KubernetesVersion version = kNewestVersion);

}  // namespace stowage
