// Scores how well a pod's claims use the capacity of a node's volumes and pools.
// Counterpart: framework/plugins/volumebinding/scorer.go, v1.36; spec plugins/volume-binding.md.
#pragma once

#include <cstdint>

#include "core/plugins/helper_shape_score.h"
#include "core/plugins/volume_binding_binder.h"

namespace stowage {

class ScoreNotes;

// The mean over the storage classes of `shape` at (requested capacity / available capacity); 0 if
// no capacity is known. `notes`, unless null, receives a line for each class.
int64_t ScoreVolumeCapacity(const PodVolumes& volumes, const BrokenLinearFunction& shape,
                            ScoreNotes* notes = nullptr);

}  // namespace stowage
