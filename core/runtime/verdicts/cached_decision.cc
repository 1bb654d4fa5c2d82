#include "core/runtime/verdicts/cached_decision.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace stowage {
namespace {

constexpr int64_t kNoScore = std::numeric_limits<int64_t>::min();

bool HasFault(const ChunkStatuses& statuses) {
  return std::ranges::any_of(statuses.refusals(), [](const ChunkStatuses::Refusal& refusal) {
    return !refusal.status.IsRejected();
  });
}

}  // namespace

bool CachedDecision::Filter() {
  if (!cycle_.has_uncached_plugins()) return true;
  PreFilterOutcome outcome = framework_.RunPreFilterPlugins(cycle_.state, pod_);
  if (!outcome.status.IsSuccess() || outcome.result.node_names) return false;
  if (cycle_.are_filters_closed()) {
    feasible_ = entry_.feasible();
    return true;
  }
  const NodeTable& table = framework_.snapshot().table();
  feasible_.Resize(table.size());
  ChunkStatuses statuses;
  bool has_any = false;
  for (size_t word = 0; word < feasible_.word_count(); ++word) {
    uint64_t passed = entry_.feasible().word(word);
    // Like Framework's filter, but does not record which plugin refused.
    for (const auto& entry : framework_.filter_plugins()) {
      if (passed == 0) break;
      if (cycle_.state.SkipsFilter(entry.index)) continue;
      statuses.Clear();
      passed = entry.plugin->FilterChunk(cycle_.state, pod_, table.Chunk(word), passed, &statuses);
      if (HasFault(statuses)) return false;
    }
    feasible_.SetWord(word, passed);
    has_any = has_any || passed != 0;
  }
  return has_any;
}

NodeToStatus CachedDecision::Statuses(const SearchWindow& window) const {
  CHECK(cycle_.are_filters_closed());
  CHECK(window.feasible == 0 && window.evaluated == entry_.feasible().size());
  return NodeToStatus(entry_.verdicts(), entry_.statuses());
}

const NodeInfo& CachedDecision::OnlyFeasible(const SearchWindow& window) const {
  CHECK(window.feasible == 1);
  const NodeInfo* only = nullptr;
  const NodeTable& table = framework_.snapshot().table();
  ForEachFeasible(feasible(), window, [&](uint32_t, size_t row) { only = &table.info(row); });
  return *only;
}

Result<const NodeInfo*, Status> CachedDecision::SelectHost(const SearchWindow& window,
                                                           TieBreaker tie_breaker,
                                                           std::vector<ScoredNode>* ranking) {
  for (const VerdictEntry::Column& column : entry_.columns()) {
    if (!column.CanDecide()) continue;
    Status status = AddColumn(column, window);
    if (!status.IsSuccess()) return status;
  }
  if (cycle_.has_uncached_plugins()) {
    Status status = AddUncachedPlugins(window);
    if (!status.IsSuccess()) return status;
  }
  ListNodes(window);
  if (totals_.empty()) AddWeighted({}, 0, window);
  std::span<const int64_t> totals = totals_;
  int64_t best = kNoScore;
  for (int64_t total : totals) best = std::max(best, total);
  for (uint32_t position = 0; position < totals.size(); ++position) {
    if (totals[position] == best) tie_breaker.Offer(position, *nodes_[position]);
  }
  if (ranking != nullptr) {
    for (size_t position = 0; position < totals.size(); ++position) {
      ranking->push_back({totals[position], nodes_[position]->row()});
    }
  }
  return tie_breaker.winner();
}

void CachedDecision::ListNodes(const SearchWindow& window) {
  if (!nodes_.empty()) return;
  nodes_.resize(window.feasible);
  std::span<const NodeInfo*> nodes = nodes_;
  NodeList all = framework_.snapshot().nodes();
  ForEachFeasible(feasible(), window,
                  [=](uint32_t position, size_t row) { nodes[position] = all[row]; });
}

// Adds to the totals, which start with the base.
void CachedDecision::AddWeighted(std::span<const NodeScore> scores, int64_t weight,
                                 const SearchWindow& window) {
  bool is_first = totals_.empty();
  totals_.resize(window.feasible);
  std::span<int64_t> totals = totals_;
  if (is_first) {
    std::span<const int32_t> base = entry_.base();
    ForEachFeasible(feasible(), window,
                    [=](uint32_t position, size_t row) { totals[position] = base[row]; });
  }
  for (size_t position = 0; position < scores.size(); ++position) {
    totals[position] += scores[position].score * weight;
  }
}

Status CachedDecision::AddColumn(const VerdictEntry::Column& column, const SearchWindow& window) {
  const auto& entry = framework_.score_plugins()[column.score_plugin];
  ListNodes(window);
  std::vector<NodeScore> scores(window.feasible);
  ForEachFeasible(feasible(), window, [&](uint32_t position, size_t row) {
    scores[position] = {nodes_[position], column.raw[row]};
  });
  Status status = framework_.NormalizeScores(entry, entry_.state(), pod_, scores);
  if (status.IsSuccess()) AddWeighted(scores, entry.weight, window);
  return status;
}

Status CachedDecision::AddUncachedPlugins(const SearchWindow& window) {
  ListNodes(window);
  Status status = framework_.RunPreScorePlugins(cycle_.state, pod_, nodes_);
  for (const auto& entry : framework_.score_plugins()) {
    if (!status.IsSuccess()) break;
    if (!cycle_.state.SkipsScore(entry.index)) status = AddUncachedPlugin(entry, window);
  }
  return status;
}

Status CachedDecision::AddUncachedPlugin(const PluginAt<ScorePlugin>& entry,
                                         const SearchWindow& window) {
  const NodeTable& table = framework_.snapshot().table();
  std::vector<NodeScore> scores(window.feasible);
  Status fault;
  ForEachWord(feasible(), window, [&](size_t word, uint64_t bits, uint32_t position) {
    if (!fault.IsSuccess()) return;
    if (!framework_.steps().Visit(static_cast<uint64_t>(std::popcount(bits)))) {
      fault = Status::Error(StepBudget::kExhausted);
      return;
    }
    ChunkScores chunk_scores;
    fault = entry.plugin->ScoreChunk(cycle_.state, pod_, table.Chunk(word), bits, &chunk_scores);
    NodeScore* score = &scores[position];
    const NodeInfo* const* node = &nodes_[position];
    for (; bits != 0; bits &= bits - 1) {
      *score++ = {*node++, chunk_scores[static_cast<size_t>(std::countr_zero(bits))]};
    }
  });
  if (fault.IsSuccess()) fault = framework_.NormalizeScores(entry, cycle_.state, pod_, scores);
  if (fault.IsSuccess()) AddWeighted(scores, entry.weight, window);
  return fault;
}

}  // namespace stowage
