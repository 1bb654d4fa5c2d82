// NodeName's code for the verdict cache and the chunk form.
#include "core/plugins/node_name.h"

namespace stowage {

bool NodeName::PassesAll(const CycleState&, const Pod& pod, const NodeTable&) const {
  return pod.spec.node_name.empty();
}

uint64_t NodeName::FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                               uint64_t candidates, ChunkStatuses* statuses) const {
  if (pod.spec.node_name.empty()) return candidates;
  return PerNodeFilter<NodeName>::FilterChunk(state, pod, chunk, candidates, statuses);
}

bool NodeName::AppendFragment(const Pod& pod, PodSignature* signature) const {
  signature->Add(pod.spec.node_name);
  return true;
}

}  // namespace stowage
