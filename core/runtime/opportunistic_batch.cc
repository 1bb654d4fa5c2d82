#include "core/runtime/opportunistic_batch.h"

#include <utility>

namespace stowage {
namespace {

constexpr int64_t kMaxAgeUs = 500'000;

}  // namespace

const NodeInfo* OpportunisticBatch::LastNode(const std::optional<PodSignature>& signature,
                                             const CycleStamp& cycle,
                                             const Snapshot& snapshot) const {
  if (nodes_.empty() || !last_cycle_ || cycle.number != *last_cycle_ + 1) return nullptr;
  if (!signature || !signature_ || !(*signature == *signature_)) return nullptr;
  if (cycle.now.ToMicros() - created_.ToMicros() > kMaxAgeUs) return nullptr;
  return snapshot.Get(last_chosen_);
}

void OpportunisticBatch::StoreScheduleResults(std::optional<PodSignature> signature,
                                              const Symbol& hint, const Symbol& chosen,
                                              SortedScoredNodes nodes, const CycleStamp& cycle) {
  last_cycle_ = cycle.number;
  last_chosen_ = chosen;
  if (hint == chosen) return;
  if (!signature) nodes = {};
  signature_ = std::move(signature);
  nodes_ = std::move(nodes);
  created_ = cycle.now;
}

}  // namespace stowage
