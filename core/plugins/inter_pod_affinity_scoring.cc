// The scoring half of InterPodAffinity: preferred terms, and existing pods' required affinity.
#include <algorithm>
#include <bit>
#include <limits>

#include "core/plugins/helper_score_memo.h"
#include "core/plugins/inter_pod_affinity.h"
#include "core/plugins/topology_pair_sums.h"

namespace stowage {
namespace {

struct AffinityPreScoreState {
  TopologyPairSums scores;
};

// Adds terms; remembers whether any met a pod, be it with a sum of 0.
class ScoreSums {
 public:
  ScoreSums(TopologyIndex& index, size_t num_rows) : index_(index), num_rows_(num_rows) {}

  bool has_met() const { return has_met_; }
  TopologyPairSums Take() { return std::move(sums_); }

  // The pod's own term, against the existing pods that match it.
  void AddOwn(const AffinityTerm& term, int64_t weight) {
    std::shared_ptr<const PodCounts> counts = index_.Counts({MatcherOf(term)});
    has_met_ |= sums_.AddPods(*counts, index_.Column(term.topology_key), num_rows_, weight);
  }

  // An existing pods' term that matches the pod.
  void AddExisting(const ExistingTerms::Entry& entry, int64_t weight) {
    sums_.AddTerm(entry, weight);
    has_met_ = true;
  }

 private:
  TopologyIndex& index_;
  size_t num_rows_;
  TopologyPairSums sums_;
  bool has_met_ = false;
};

bool HasPreferredTerms(const Pod& pod) {
  auto has = [](const std::optional<PodAffinitySpec>& spec) {
    return spec && !spec->preferred.empty();
  };
  const std::optional<Affinity>& affinity = pod.spec.affinity;
  return affinity && (has(affinity->pod_affinity) || has(affinity->pod_anti_affinity));
}

Status MissingState() {
  return Status::Error("error reading \"PreScoreInterPodAffinity\" from cycleState: not found");
}

}  // namespace

Status InterPodAffinity::PreScore(CycleState& state, const Pod& pod, NodeList nodes) const {
  if (nodes.empty()) return Status::Skip();
  if (ignores_preferred_terms_of_existing_pods_ && !HasPreferredTerms(pod)) return Status::Skip();
  FieldErrors errors;
  AffinityTerms own = ParseAffinityTerms(pod, &errors);
  if (!errors.empty()) return Status::Error("failed to parse pod: " + errors.Text());
  MergeNamespaces(&own.preferred_affinity);
  MergeNamespaces(&own.preferred_anti_affinity);
  TopologyIndex& index = handle_.topology_index();
  ScoreSums sums(index, handle_.snapshot().NumNodes());
  for (const AffinityTerm& term : own.preferred_affinity) sums.AddOwn(term, term.weight);
  for (const AffinityTerm& term : own.preferred_anti_affinity) {
    sums.AddOwn(term, -int64_t{term.weight});
  }
  const LabelMap& namespace_labels = NamespaceLabels(pod);
  for (const ExistingTerms::Entry& entry : index.Terms().entries()) {
    if (entry.num_pods == 0) continue;
    int64_t weight = 0;
    switch (entry.kind) {
      case ExistingTerms::Kind::kRequiredAntiAffinity:
        continue;
      case ExistingTerms::Kind::kRequiredAffinity:
        if (hard_pod_affinity_weight_ <= 0) continue;
        weight = hard_pod_affinity_weight_;
        break;
      case ExistingTerms::Kind::kPreferredAffinity:
        weight = entry.term.weight;
        break;
      case ExistingTerms::Kind::kPreferredAntiAffinity:
        weight = -int64_t{entry.term.weight};
        break;
    }
    if (entry.term.Matches(pod, namespace_labels)) sums.AddExisting(entry, weight);
  }
  if (!sums.has_met()) return Status::Skip();
  state.Write(AffinityPreScoreState{sums.Take()});
  return Status::Success();
}

Result<int64_t, Status> InterPodAffinity::Score(const CycleState& state, const Pod&,
                                                const NodeInfo& node) const {
  const auto* stored = state.Read<AffinityPreScoreState>();
  if (stored == nullptr) return MissingState();
  int64_t sum = 0;
  for (const TopologyPairSums::Key& key : stored->scores.keys()) {
    sum += key.At(node.node()->metadata.labels);
  }
  return sum;
}

Status InterPodAffinity::ScoreChunk(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                    uint64_t candidates, ChunkScores* scores) const {
  const auto* stored = state.Read<AffinityPreScoreState>();
  if (stored == nullptr) return MissingState();
  scores->fill(0);
  for (const TopologyPairSums::Key& key : stored->scores.keys()) {
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      (*scores)[offset] += key.AtRow(chunk.first_row + offset);
    }
  }
  return Status::Success();
}

// Equal scores all become 0.
Status InterPodAffinity::NormalizeScore(const CycleState& state, const Pod&,
                                        std::span<NodeScore> scores) const {
  if (state.Read<AffinityPreScoreState>() == nullptr || scores.empty()) return Status::Success();
  auto [min, max] =
      std::minmax_element(scores.begin(), scores.end(),
                          [](const NodeScore& a, const NodeScore& b) { return a.score < b.score; });
  int64_t lowest = min->score;
  int64_t highest = max->score;
  auto range = static_cast<double>(highest - lowest);
  ScoreMemo normalized(lowest, highest, [lowest, range](int64_t score) {
    double share = range > 0 ? static_cast<double>(score - lowest) / range : 0;
    return static_cast<int64_t>(static_cast<double>(kMaxNodeScore) * share);
  });
  for (NodeScore& score : scores) score.score = normalized(score.score);
  return Status::Success();
}

}  // namespace stowage
