// The chunk form of DynamicResources' Score.
#include <algorithm>

#include "core/plugins/dynamic_resources.h"

namespace stowage {

Status DynamicResources::ScoreChunk(const CycleState&, const Pod&, const NodeChunk& chunk, uint64_t,
                                    ChunkScores* scores) const {
  std::fill_n(scores->begin(), chunk.rows.size(), 0);
  return Status::Success();
}

}  // namespace stowage
