#include "core/config/behaviour.h"

namespace stowage {
namespace {

using Version = KubernetesVersion;

constexpr std::string_view kVersions[kKubernetesVersionCount] = {"v1.33", "v1.34", "v1.35",
                                                                 "v1.36"};
constexpr std::string_view kPatches[kKubernetesVersionCount] = {"v1.33.13", "v1.34.9", "v1.35.6",
                                                                "v1.36.3"};

constexpr BehaviourRow kTable[] = {
    {"balanced-allocation", &Behaviour::balanced_allocation_scores_change, Version::k1_36,
     "PR 135573"},
    {"image-volumes", &Behaviour::image_volumes_count, Version::k1_36, "PR 130231"},
    {"csi-missing-optin", &Behaviour::missing_csi_driver_needs_opt_in, Version::k1_36, "KEP-5030"},
    {"dra-score-plugin", &Behaviour::dynamic_resources_scores, Version::k1_35, "PR 134711"},
    {"nomination-without-postfilter", &Behaviour::nomination_needs_post_filter, Version::k1_35,
     "PR 135007"},
    {"victim-already-terminating", &Behaviour::spares_terminating_victims, Version::k1_35,
     "PR 134294"},
    // Cherry-picked into 1.34, of which the column stands for the last patch.
    {"taint-text", &Behaviour::taint_reason_is_fixed, Version::k1_34, "PR 134740"},
    {"fit-unresolvable", &Behaviour::impossible_request_is_unresolvable, Version::k1_34,
     "PR 131345"},
    {"rwop-text", &Behaviour::read_write_once_pod_reason_is_plural, Version::k1_34, ""},
    {"interpod-namespace-selector", &Behaviour::own_terms_keep_namespace_selector, Version::k1_34,
     "PR 132457"},
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
