#include "core/plugins/pod_group_pods_count.h"

#include <algorithm>

namespace stowage {

int64_t PodGroupPodsCount::ScorePlacement(const ObjectKey& group,
                                          const PodGroupAssignments& assignments) const {
  const PodGroupState* known = handle_.pod_groups().Get(group);
  size_t scheduled = known == nullptr ? 0 : known->num_scheduled;
  return static_cast<int64_t>(scheduled + assignments.pods.size());
}

Status PodGroupPodsCount::NormalizePlacementScores(std::span<int64_t> scores) const {
  int64_t most = 0;
  for (int64_t score : scores) most = std::max(most, score);
  if (most == 0) {
    return Status::Error("no pods from pod group are assigned to any of the candidate placements");
  }
  for (int64_t& score : scores) score = score * kMaxNodeScore / most;
  return Status::Success();
}

}  // namespace stowage
