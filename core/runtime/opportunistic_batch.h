// OpportunisticBatch keeps the rest of a profile's last ranking and proposes its next node to the
// next pod, if that pod has the signature of the last one and would not fit on the last one's node
// (spec 05 §11).
//
// The ranking is used for half a second, even though other nodes may have become better meanwhile.
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

// Identifies a scheduling cycle; cycles are numbered in the order of pops.
struct CycleStamp {
  uint64_t number = 0;
  Instant now;
};

class OpportunisticBatch {
 public:
  struct LastNodeResult {
    const NodeInfo* node = nullptr;
    // Why the kept ranking is not used, as batch_cache_flushed_total labels it.
    std::string_view flush_reason = {};
  };
  // Takes the kept ranking of another one. `rng` as for SortedScoredNodes.
  void CopyStateFrom(const OpportunisticBatch& other, Rng* rng) {
    *this = other;
    nodes_.set_rng(rng);
  }

  // The node of the last pod, if the kept ranking is valid for a pod of `signature` once that node
  // rejects it.
  LastNodeResult LastNode(const std::optional<PodSignature>& signature, const CycleStamp& cycle,
                          const Snapshot& snapshot) const;
  // The next node of the ranking. Call it after LastNode's node has rejected the pod.
  Symbol TakeHint() { return nodes_.Pop(); }

  // Call it after every pod that found a node. `hint` is the node that was proposed, or empty;
  // `nodes` are the other candidates, nullopt if nothing was scored.
  void StoreScheduleResults(std::optional<PodSignature>&& signature, const Symbol& hint,
                            const Symbol& chosen, std::optional<SortedScoredNodes>&& nodes,
                            const CycleStamp& cycle);

 private:
  // The kept ranking's signature; `nodes_` may be empty.
  std::optional<PodSignature> signature_;
  SortedScoredNodes nodes_;
  Instant created_;

  std::optional<uint64_t> last_cycle_;
  Symbol last_chosen_;
};

}  // namespace stowage
