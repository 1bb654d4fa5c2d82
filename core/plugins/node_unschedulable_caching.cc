// NodeUnschedulable's code for the verdict cache and the chunk form.
#include "core/plugins/node_unschedulable.h"

namespace stowage {

bool NodeUnschedulable::PassesAll(const CycleState&, const Pod&, const NodeTable& table) const {
  return table.are_all_schedulable();
}

uint64_t NodeUnschedulable::FilterChunk(const CycleState&, const Pod& pod, const NodeChunk& chunk,
                                        uint64_t candidates, ChunkStatuses* statuses) const {
  uint64_t cordoned = chunk.Select(chunk.table.unschedulable(), candidates);
  if (cordoned == 0 || Tolerates(pod)) return candidates;
  statuses->Set(cordoned, Status::UnschedulableAndUnresolvable(kReason));
  return candidates & ~cordoned;
}

bool NodeUnschedulable::AppendFragment(const Pod& pod, PodSignature* signature) const {
  signature->Add(int64_t{Tolerates(pod)});
  return true;
}

}  // namespace stowage
