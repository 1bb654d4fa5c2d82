#include "core/runtime/opportunistic_batch.h"

#include <utility>

namespace stowage {
namespace {

constexpr int64_t kMaxAgeUs = 500'000;

}  // namespace

OpportunisticBatch::LastNodeResult OpportunisticBatch::LastNode(
    const std::optional<PodSignature>& signature, const CycleStamp& cycle,
    const Snapshot& snapshot) const {
  if (nodes_.empty()) return {};
  if (!last_cycle_ || cycle.number != *last_cycle_ + 1) return {nullptr, "pod_skipped"};
  bool is_alike = signature && signature_ && *signature == *signature_;
  if (!is_alike) return {nullptr, "pod_incompatible"};
  if (cycle.now.ToMicros() - created_.ToMicros() > kMaxAgeUs) return {nullptr, "expired"};
  const NodeInfo* node = snapshot.Get(last_chosen_);
  if (node == nullptr) return {nullptr, "node_missing"};
  return {node};
}

void OpportunisticBatch::StoreScheduleResults(std::optional<PodSignature>&& signature,
                                              const Symbol& hint, const Symbol& chosen,
                                              std::optional<SortedScoredNodes>&& nodes,
                                              const CycleStamp& cycle) {
  last_cycle_ = cycle.number;
  last_chosen_ = chosen;
  if (hint == chosen) return;
  created_ = cycle.now;
  if (signature && nodes) {
    nodes_ = *std::move(nodes);
  } else if (!nodes_.empty()) {
    nodes_ = {};
  }
  if (signature || signature_) signature_ = std::move(signature);
}

}  // namespace stowage
