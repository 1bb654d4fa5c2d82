// DynamicResources' code for the verdict cache, and the chunk form of its Score.
#include <algorithm>

#include "core/api/pod_requests.h"
#include "core/api/resource_names.h"
#include "core/dra/dra_manager.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/extended_resources.h"

namespace stowage {

bool DynamicResources::AppendFragment(const Pod& pod, PodSignature*) const {
  return pod.spec.resource_claims.empty() &&
         !IsServedByDevices(pod, features_, handle_.dra().extended_resources());
}

Status DynamicResources::ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                                    uint64_t candidates, ChunkScores* scores) const {
  if (DataIn(state) != nullptr) {
    return PerNodeScore<DynamicResources>::ScoreChunk(state, pod, chunk, candidates, scores);
  }
  std::fill_n(scores->begin(), chunk.rows.size(), 0);
  return Status::Success();
}

}  // namespace stowage
