// OpportunisticBatch keeps what was left of the last ranking of a profile and proposes its next
// node to the next pod, when that pod is like the last one and would not fit beside it (spec 05
// §11).
//
// It trusts the ranking for half a second, though other nodes may have become better meanwhile.
// Counterpart: pkg/scheduler/framework/runtime/batch.go, v1.36.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/instant.h"
#include "core/framework/pod_signature.h"
#include "core/framework/snapshot.h"
#include "core/runtime/sorted_scored_nodes.h"
#include "core/table/node_info.h"

namespace stowage {

// A scheduling cycle, numbered in the order in which pods left the queue.
struct CycleStamp {
  uint64_t number = 0;
  Instant now;
};

class OpportunisticBatch {
 public:
  struct LastNodeResult {
    const NodeInfo* node = nullptr;
    // Why there is none although something is kept, as batch_cache_flushed_total names it.
    std::string_view flush_reason = {};
  };
  // The node of the last pod, if the kept ranking serves a pod of `signature` as soon as that node
  // rejects it.
  LastNodeResult LastNode(const std::optional<PodSignature>& signature, const CycleStamp& cycle,
                          const Snapshot& snapshot) const;
  // The next node of the ranking, to be asked for after LastNode's has rejected the pod.
  Symbol TakeHint() { return nodes_.Pop(); }

  // After every pod that found a node. `hint` was proposed to it, or is empty; `nodes` are the
  // others that it could have had, none when nothing was scored.
  void StoreScheduleResults(std::optional<PodSignature>&& signature, const Symbol& hint,
                            const Symbol& chosen, SortedScoredNodes&& nodes,
                            const CycleStamp& cycle);

 private:
  // What is kept; `nodes_` may be empty.
  std::optional<PodSignature> signature_;
  SortedScoredNodes nodes_;
  Instant created_;

  std::optional<uint64_t> last_cycle_;
  Symbol last_chosen_;
};

}  // namespace stowage
