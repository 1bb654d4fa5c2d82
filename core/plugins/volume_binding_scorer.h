// How well the capacity of a node's volumes and pools is used by a pod's claims.
// Counterpart: framework/plugins/volumebinding/scorer.go, v1.36; spec plugins/volume-binding.md.
#pragma once

#include <cstdint>

#include "core/plugins/helper_shape_score.h"
#include "core/plugins/volume_binding_binder.h"

namespace stowage {

class ScoreNotes;

// The mean over the storage classes of what `shape` gives for the share that is asked for of what
// there is; 0 where nothing is known.
// `notes`, unless null, gets a line for each class.
int64_t ScoreVolumeCapacity(const PodVolumes& volumes, const BrokenLinearFunction& shape,
                            ScoreNotes* notes = nullptr);

}  // namespace stowage
