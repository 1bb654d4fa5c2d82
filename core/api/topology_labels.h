// The labels for zones and regions, with their old and new names.
// Counterpart: k8s.io/api/core/v1/well_known_labels.go, v1.36.
#pragma once

#include "core/api/well_known_labels.h"
#include "core/base/symbol.h"

namespace stowage {

struct TopologyLabels {
  Symbol beta_zone{kLabelFailureDomainBetaZone};
  Symbol zone{kLabelTopologyZone};
  Symbol beta_region{kLabelFailureDomainBetaRegion};
  Symbol region{kLabelTopologyRegion};

  static const TopologyLabels& Get() {
    static const auto* labels = new TopologyLabels;
    return *labels;
  }
};

// Separates the zones of a volume with several.
inline constexpr std::string_view kLabelMultiZoneDelimiter = "__";

}  // namespace stowage
