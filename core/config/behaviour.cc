#include "core/config/behaviour.h"

namespace stowage {
namespace {

using Version = KubernetesVersion;

constexpr std::string_view kVersions[kKubernetesVersionCount] = {"v1.33", "v1.34", "v1.35", "v1.36",
                                                                 "v1.37-preview"};
constexpr std::string_view kPatches[kKubernetesVersionCount] = {"v1.33.13", "v1.34.9", "v1.35.6",
                                                                "v1.36.3", ""};

constexpr BehaviourRow kTable[] = {
    {"balanced-allocation", &Behaviour::balanced_allocation_scores_change, Version::k1_36},
    {"image-volumes", &Behaviour::image_volumes_count, Version::k1_36},
    {"csi-missing-optin", &Behaviour::missing_csi_driver_needs_opt_in, Version::k1_36},
    {"nominated-pods-wake", &Behaviour::nominated_pods_wake, Version::k1_36},
    {"own-labels-wake", &Behaviour::own_labels_wake, Version::k1_36},
    {"deleted-anti-affinity-wakes", &Behaviour::deleted_anti_affinity_wakes, Version::k1_36},
    {"binding-victims-return", &Behaviour::binding_victims_return, Version::k1_36},
    {"failed-eviction", &Behaviour::failed_eviction_spares_last_victim, Version::k1_36},
    {"dra-score-plugin", &Behaviour::dynamic_resources_scores, Version::k1_35},
    {"nomination-without-postfilter", &Behaviour::nomination_needs_post_filter, Version::k1_35},
    {"victim-already-terminating", &Behaviour::spares_terminating_victims, Version::k1_35},
    {"last-victim", &Behaviour::waits_for_last_victim, Version::k1_35},
    {"ties-by-heap", &Behaviour::ties_go_by_heap, Version::k1_35},
    // Cherry-picked into 1.34, of which the column stands for the last patch.
    {"taint-text", &Behaviour::taint_reason_is_fixed, Version::k1_34},
    {"fit-unresolvable", &Behaviour::impossible_request_is_unresolvable, Version::k1_34},
    {"rwop-text", &Behaviour::read_write_once_pod_reason_is_plural, Version::k1_34},
    {"interpod-namespace-selector", &Behaviour::own_terms_keep_namespace_selector, Version::k1_34},
    {"backoff-count", &Behaviour::backoff_counts_failures, Version::k1_34},
    {"gating-plugin", &Behaviour::gating_plugin_selects_events, Version::k1_34},
    {"preemption-events", &Behaviour::preemption_waits_for_deletions, Version::k1_34},
};

}  // namespace

std::string_view VersionText(KubernetesVersion version) {
  return kVersions[static_cast<size_t>(version)];
}

std::string_view PatchText(KubernetesVersion version) {
  return kPatches[static_cast<size_t>(version)];
}

std::optional<KubernetesVersion> ParseKubernetesVersion(std::string_view text) {
  for (size_t index = 0; index < kKubernetesVersionCount; ++index) {
    if (text == kVersions[index] || text == kVersions[index].substr(1)) {
      return static_cast<KubernetesVersion>(index);
    }
  }
  return std::nullopt;
}

std::span<const BehaviourRow> BehaviourTable() { return kTable; }

bool Behaviour::Set(std::string_view name, bool value) {
  for (const BehaviourRow& row : kTable) {
    if (row.name != name) continue;
    this->*row.fact = value;
    return true;
  }
  return false;
}

Behaviour BehaviourOf(KubernetesVersion version) {
  Behaviour behaviour;
  for (const BehaviourRow& row : kTable) behaviour.*row.fact = version >= row.since;
  return behaviour;
}

}  // namespace stowage
