// Names to which the scheduler itself gives a meaning: labels, taint keys, effects, operators.
// Counterpart: k8s.io/api/core/v1/well_known_labels.go and well_known_taints.go, v1.36.
#pragma once

#include <string_view>

namespace stowage {

inline constexpr std::string_view kLabelTopologyZone = "topology.kubernetes.io/zone";
inline constexpr std::string_view kLabelTopologyRegion = "topology.kubernetes.io/region";
inline constexpr std::string_view kLabelFailureDomainBetaZone =
    "failure-domain.beta.kubernetes.io/zone";
inline constexpr std::string_view kLabelFailureDomainBetaRegion =
    "failure-domain.beta.kubernetes.io/region";

inline constexpr std::string_view kTaintNodeUnschedulable = "node.kubernetes.io/unschedulable";

inline constexpr std::string_view kTaintEffectNoSchedule = "NoSchedule";
inline constexpr std::string_view kTaintEffectPreferNoSchedule = "PreferNoSchedule";
inline constexpr std::string_view kTaintEffectNoExecute = "NoExecute";

inline constexpr std::string_view kTolerationOpEqual = "Equal";
inline constexpr std::string_view kTolerationOpExists = "Exists";
inline constexpr std::string_view kTolerationOpLt = "Lt";
inline constexpr std::string_view kTolerationOpGt = "Gt";

// The value of metadata.name in node selectors' matchFields.
inline constexpr std::string_view kFieldMetadataName = "metadata.name";

}  // namespace stowage
