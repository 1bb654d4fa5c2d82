#include "core/runtime/verdicts/nominated_verdicts.h"

#include <algorithm>
#include <utility>

#include "core/api/pod_helpers.h"
#include "core/base/cold.h"
#include "core/runtime/verdicts/verdict_entry.h"

namespace stowage {
namespace {

// Statuses that no row has any more are dropped when there are so many.
constexpr size_t kStatusesMax = 255;

}  // namespace

STOWAGE_COLD void NominatedVerdicts::Forget() { *this = NominatedVerdicts(); }

void NominatedVerdicts::Forget(std::span<const uint32_t> rows) {
  if (!is_filled_) return;
  // Nothing has read them for a long time.
  if (stale_.size() + rows.size() > statuses_.rows()) return Forget();
  for (uint32_t row : rows) Drop(row);
  stale_.insert(stale_.end(), rows.begin(), rows.end());
}

void NominatedVerdicts::Drop(uint32_t row) {
  auto known = verdicts_.find(row);
  if (known == verdicts_.end()) return;
  num_nominated_ -= known->second.nominated.size();
  verdicts_.erase(known);
}

bool NominatedVerdicts::Refresh(const Framework& framework, const VerdictEntry& entry,
                                const Pod& pod) {
  if (statuses_.distinct().size() > kStatusesMax) Forget();
  if (!is_filled_) {
    statuses_ = NodeToStatus(entry.verdicts(), entry.statuses());
    refused_.Resize(entry.verdicts().size());
  }
  ListStaleRows(framework, PodPriority(pod));
  std::vector<uint32_t> still_stale;
  bool has_fault = false;
  for (uint32_t row : stale_) {
    const NodeInfo& node = framework.snapshot().table().info(row);
    const auto& nominated = framework.nominator().NominatedPodsForNode(node.name());
    uint8_t verdict = entry.verdicts()[row];
    Status status = verdict == 0 ? Status::Success() : entry.statuses()[verdict - 1u];
    if (nominated.empty()) {
      Drop(row);
    } else {
      Verdict& known = verdicts_[row];
      if (known.nominated != nominated) {
        num_nominated_ += nominated.size() - known.nominated.size();
        known = {nominated, framework.RunFilterPluginsWithNominatedPods(entry.state(), pod, node)};
      }
      status = known.status;
      bool is_fault = !status.IsSuccess() && !status.IsRejected();
      // If the pod itself is nominated, the verdict leaves it out and is not valid for other pods.
      bool is_among_them = std::ranges::any_of(
          nominated, [&pod](const PodInfoRef& other) { return other->uid() == pod.metadata.uid; });
      has_fault = has_fault || is_fault;
      if (is_fault || is_among_them) {
        Drop(row);
        still_stale.push_back(row);
      }
    }
    statuses_.Set(row, status);
    refused_.Set(row, verdict == 0 && !status.IsSuccess());
  }
  stale_ = std::move(still_stale);
  return !has_fault;
}

void NominatedVerdicts::ListStaleRows(const Framework& framework, int32_t priority) {
  const NominationLog& log = framework.nominator().changes();
  bool is_followed = is_filled_ && priority == priority_ && log.HoldsSince(cursor_);
  std::span<const Symbol> nodes;
  if (is_followed) {
    nodes = log.Since(cursor_);
  } else {
    nodes = framework.nominator().NominatedNodes();
    for (uint32_t row = 0; row < statuses_.rows(); ++row) {
      if (verdicts_.contains(row)) stale_.push_back(row);
    }
    if (priority != priority_) verdicts_.clear();
  }
  for (const Symbol& name : nodes) {
    const NodeInfo* node = framework.snapshot().Get(name);
    if (node != nullptr) stale_.push_back(node->row());
  }
  if (verdicts_.empty()) num_nominated_ = 0;
  is_filled_ = true;
  priority_ = priority;
  cursor_ = log.head();
}

size_t NominatedVerdicts::bytes() const {
  return verdicts_.size() * sizeof(Verdict) + num_nominated_ * sizeof(PodInfoRef) +
         statuses_.rows() * sizeof(NodeToStatus::Id) + stale_.capacity() * sizeof(uint32_t);
}

}  // namespace stowage
