// What VolumeZone reads of a pod's volumes.
#pragma once

#include <set>
#include <vector>

#include "core/api/pod.h"
#include "core/framework/listers.h"
#include "core/framework/status.h"

namespace stowage {

// A node label and the values that a volume requires of it.
struct VolumeTopology {
  Symbol key;
  std::set<Symbol> values;

  friend bool operator==(const VolumeTopology&, const VolumeTopology&) = default;
};

using VolumeTopologies = std::vector<VolumeTopology>;

// Collects in the order of the pod's volumes. Generic ephemeral volumes are not considered.
Status CollectTopologies(const Pod& pod, const Listers& listers, VolumeTopologies* topologies);

}  // namespace stowage
