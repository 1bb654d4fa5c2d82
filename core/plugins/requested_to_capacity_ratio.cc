#include "core/plugins/requested_to_capacity_ratio.h"

#include "core/base/format.h"
#include "core/base/go_math.h"
#include "core/plugins/resource_notes.h"

namespace stowage {
namespace {

constexpr int64_t kMaxUtilization = 100;

int64_t UtilizationOf(const ResourceUse& use) {
  if (use.requested > use.allocatable) return kMaxUtilization;
  return use.requested * kMaxUtilization / use.allocatable;
}

// The weighted mean, rounded, of the scores above 0.
template <typename ScoreOf>
int64_t MeanAboveZero(std::span<const ResourceUse> uses, ScoreOf score_of) {
  int64_t sum = 0;
  int64_t weights = 0;
  for (const ResourceUse& use : uses) {
    int64_t score = score_of(use);
    if (score <= 0) continue;
    sum += score * use.weight;
    weights += use.weight;
  }
  if (weights == 0) return 0;
  return GoRoundToInt64(static_cast<double>(sum) / static_cast<double>(weights));
}

}  // namespace

int64_t RequestedToCapacityRatio::Score(std::span<const ResourceUse> uses) const {
  return MeanAboveZero(uses, [this](const ResourceUse& use) { return shape_(UtilizationOf(use)); });
}

int64_t RequestedToCapacityRatio::NoteScore(std::span<const ResourceUse> uses,
                                            std::span<const Symbol> names,
                                            ScoreNotes* notes) const {
  ResourceNotes noted("RequestedToCapacityRatio", names, notes);
  return noted.Mean(MeanAboveZero(uses, [&](const ResourceUse& use) {
    int64_t utilization = UtilizationOf(use);
    int64_t score = shape_(utilization);
    std::string formula = use.requested > use.allocatable
                              ? Format("more than {}, shape({})", use.allocatable, utilization)
                              : Format("shape({} × {} / {} = {})", use.requested, kMaxUtilization,
                                       use.allocatable, utilization);
    score > 0 ? noted.Add(use, formula, score) : noted.AddUncounted(use, formula, score);
    return score;
  }));
}

}  // namespace stowage
