// Behaviour is what distinguishes the releases of kube-scheduler besides their feature gates, as
// named facts. Plugins read facts, never releases. The table in behaviour.cc has a row for each
// fact. VERSIONS.md says how a release is added.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace stowage {

// The releases that the engine can be, the oldest first. Each stands for its last patch:
// 1.33.13, 1.34.9, 1.35.6, 1.36.3. A preview is v1.36 with the rows of the next release that are
// proved by tables only.
enum class KubernetesVersion : uint8_t { k1_33, k1_34, k1_35, k1_36, k1_37Preview };

inline constexpr size_t kKubernetesVersionCount = 5;
inline constexpr KubernetesVersion kNewestVersion = KubernetesVersion::k1_36;

// "v1.36", "v1.37-preview".
std::string_view VersionText(KubernetesVersion version);
// The patch that a release stands for: "v1.36.3". Empty for a preview.
std::string_view PatchText(KubernetesVersion version);
// Parses "1.36" and "v1.36"; nullopt for every other text.
std::optional<KubernetesVersion> ParseKubernetesVersion(std::string_view text);

// The defaults are those of the newest release.
struct Behaviour {
  // NodeResourcesBalancedAllocation scores how much the pod changes the balance; before, the
  // balance with the pod.
  bool balanced_allocation_scores_change = true;
  // ImageLocality counts the images of image volumes.
  bool image_volumes_count = true;
  // A node without a volume's CSI driver refuses only if the driver asks for it; before, with the
  // gate VolumeLimitScaling, every such node does.
  bool missing_csi_driver_needs_opt_in = true;
  // DynamicResources is a Score plugin.
  bool dynamic_resources_scores = true;
  // Without PostFilter plugins, a pod that finds no node loses its nomination.
  bool nomination_needs_post_filter = true;
  // Victims that are terminating already are not deleted again, and if there are no others, lower
  // nominations on the node stay.
  bool spares_terminating_victims = true;
  // TaintToleration's reason does not name the taint.
  bool taint_reason_is_fixed = true;
  // NodeResourcesFit refuses a request above what the node can allocate as unresolvable.
  bool impossible_request_is_unresolvable = true;
  // The reason of VolumeRestrictions for ReadWriteOncePod claims begins with "node(s) unavailable".
  bool read_write_once_pod_reason_is_plural = true;
  // InterPodAffinity keeps the namespaceSelector of the pod's own terms after it has added the
  // namespaces that it selects, so that NotIn and DoesNotExist also select unlabelled namespaces.
  bool own_terms_keep_namespace_selector = true;

  // The facts below concern the queue and what runs beside cycles. No recording shows them.

  // Changes of nominated pods wake pods that InterPodAffinity or PodTopologySpread rejected;
  // before, only those of assigned pods do.
  bool nominated_pods_wake = true;
  // A pod that InterPodAffinity rejected wakes when its own labels change.
  bool own_labels_wake = true;
  // A pod that InterPodAffinity rejected wakes when a pod is deleted whose anti-affinity matches
  // it.
  bool deleted_anti_affinity_wakes = true;
  // A victim in Permit or PreBind fails and returns to the queue; before, a victim in Permit is
  // rejected as unschedulable, and one in PreBind is deleted.
  bool binding_victims_return = true;
  // If a victim could not be evicted, the last one stays.
  bool failed_eviction_spares_last_victim = true;
  // A preemptor stays gated until its last victim is terminating; before, until the eviction of
  // that victim begins.
  bool waits_for_last_victim = true;
  // Among equal totals the first pop of a heap wins; before, a random draw decides.
  bool ties_go_by_heap = true;
  // Backoff grows with rejections, or with consecutive errors; before, with all attempts.
  bool backoff_counts_failures = true;
  // Only events that the gating plugin registered move a gated pod; before, all that its rejectors
  // wait for, except for pods gated by SchedulingGates.
  bool gating_plugin_selects_events = true;
  // DefaultPreemption waits for deletions of pods; before, for every event.
  bool preemption_waits_for_deletions = true;

  // Sets the fact of the row with this name; false if there is none.
  bool Set(std::string_view name, bool value);

  friend bool operator==(const Behaviour&, const Behaviour&) = default;
};

// js/src/kubernetes/release_facts.js has the rest of each row: a sentence, the source, the proof.
struct BehaviourRow {
  std::string_view name;  // where recorded: the cause in the manifests of the recordings
  bool Behaviour::*fact;
  KubernetesVersion since;
};

// One row for each fact.
std::span<const BehaviourRow> BehaviourTable();

Behaviour BehaviourOf(KubernetesVersion version);

}  // namespace stowage
