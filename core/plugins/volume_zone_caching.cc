// VolumeZone's code for the verdict cache.
#include "core/plugins/volume_zone.h"
#include "core/plugins/volume_zone_state.h"

namespace stowage {

bool VolumeZone::AppendFragment(const Pod& pod, PodSignature* signature) const {
  VolumeTopologies topologies;
  if (!CollectTopologies(pod, handle_.listers(), &topologies).IsSuccess()) return false;
  signature->AddCount(topologies.size());
  for (const VolumeTopology& topology : topologies) {
    signature->Add(topology.key);
    signature->AddCount(topology.values.size());
    for (const Symbol& value : topology.values) signature->Add(value);
  }
  return true;
}

}  // namespace stowage
