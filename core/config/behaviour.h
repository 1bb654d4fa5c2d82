// Behaviour is what distinguishes the releases of kube-scheduler besides their feature gates, as
// named facts. Plugins read facts, never releases. The table in behaviour.cc has a row for each
// fact: since which release it holds, its source, and how it is proved.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace stowage {

// The releases that the engine can be, the oldest first. Each stands for its last patch:
// 1.33.13, 1.34.9, 1.35.6, 1.36.3.
enum class KubernetesVersion : uint8_t { k1_33, k1_34, k1_35, k1_36 };

inline constexpr size_t kKubernetesVersionCount = 4;
inline constexpr KubernetesVersion kNewestVersion = KubernetesVersion::k1_36;

// "v1.36".
std::string_view VersionText(KubernetesVersion version);
// The patch that a release stands for: "v1.36.3".
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

  // Sets the fact of the row with this name; false if there is none.
  bool Set(std::string_view name, bool value);

  friend bool operator==(const Behaviour&, const Behaviour&) = default;
};

struct BehaviourRow {
  std::string_view name;  // the cause in the manifests of the recordings
  bool Behaviour::*fact;
  KubernetesVersion since;
  std::string_view source;
};

// One row for each fact.
std::span<const BehaviourRow> BehaviourTable();

Behaviour BehaviourOf(KubernetesVersion version);

}  // namespace stowage
