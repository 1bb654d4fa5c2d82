#include "core/runtime/verdicts/class_decision.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/base/cold.h"

namespace stowage {
namespace {

constexpr int64_t kNoTotal = std::numeric_limits<int64_t>::min();

}  // namespace

bool ClassDecision::Filter() {
  if (cycle_.has_uncached_plugins()) {
    PreFilterOutcome outcome = framework_.RunPreFilterPlugins(cycle_.state, pod_);
    if (!outcome.status.IsSuccess() || outcome.result.node_names) return false;
  }
  groups_.clear();
  refusals_.clear();
  for (size_t at = 0; at < classes_.end(); ++at) {
    auto one = static_cast<Class>(at);
    if (classes_.population(one) == 0) continue;
    groups_.push_back({one, classes_.Representative(one), classes_.population(one)});
  }
  if (!cycle_.are_filters_closed() && !RunFilters()) return false;
  for (const Group& group : groups_) num_feasible_ += group.population;
  if (framework_.nominator().size() > 0) {
    if (!RemoveRefusedNominated()) return false;
    return num_feasible_ > 0 || cycle_.are_filters_closed();
  }
  return num_feasible_ > 0 || cycle_.are_filters_closed() || DoClassPluginsFilterLast();
}

// Filters one row of each class.
bool ClassDecision::RunFilters() {
  ChunkStatuses& statuses = entry_.scratch_statuses();
  size_t num_passed = 0;
  for (size_t first = 0; first < groups_.size(); first += NodeTable::kChunkRows) {
    size_t count = std::min(groups_.size() - first, NodeTable::kChunkRows);
    std::array<uint32_t, NodeTable::kChunkRows> rows;
    for (size_t at = 0; at < count; ++at) rows[at] = groups_[first + at].representative;
    NodeChunk chunk = framework_.snapshot().table().Chunk({rows.data(), count});
    statuses.Clear();
    uint64_t passed =
        framework_.RunFilterPluginsOnChunk(cycle_.state, pod_, chunk, chunk.all(), &statuses);
    for (const auto& [status, offsets] : statuses.refusals()) {
      if (!status.IsRejected()) return false;
      ForEachBit(offsets, [&, &status = status](size_t at) {
        refusals_.push_back({groups_[first + at].at, status});
      });
    }
    ForEachBit(passed, [&](size_t at) { groups_[num_passed++] = groups_[first + at]; });
  }
  groups_.resize(num_passed);
  if (!refusals_.empty()) RemoveRefused();
  return true;
}

void ClassDecision::RemoveRefused() {
  buffers_.refused.clear();
  for (const Refusal& refusal : refusals_) buffers_.refused.push_back(refusal.at);
  feasible_ = &entry_.FeasibleWithout(buffers_.refused);
}

// Nominated pods count as if they were running. Plugins that vouch for classes run again on nodes
// with nominated pods.
STOWAGE_COLD bool ClassDecision::RemoveRefusedNominated() {
  nominated_ = entry_.WithNominated(pod_);
  if (nominated_ == nullptr) return false;
  size_t before = num_feasible_;
  Bitset& feasible = buffers_.feasible;
  feasible.AssignWithout(*feasible_, nominated_->refused().words());
  feasible_ = &feasible;
  if (!cycle_.are_filters_closed() && !FilterNominated(&feasible)) return false;
  num_feasible_ = feasible.Count();
  has_nominated_row_ = num_feasible_ < before;
  return true;
}

bool ClassDecision::FilterNominated(Bitset* feasible) {
  for (const Symbol& name : framework_.nominator().NominatedNodes()) {
    const NodeInfo* node = framework_.snapshot().Get(name);
    if (node == nullptr || !feasible->Test(node->row())) continue;
    Status status = framework_.RunFilterPluginsWithNominatedPods(cycle_.state, pod_, *node);
    if (!status.IsSuccess() && !status.IsRejected()) return false;
    feasible->Set(node->row(), status.IsSuccess());
  }
  return true;
}

// True if every class plugin filters after all cached plugins: only then does a cached refusal name
// the plugin that a plain cycle would name first.
STOWAGE_COLD bool ClassDecision::DoClassPluginsFilterLast() const {
  bool has_class_plugin = false;
  for (const auto& plugin : framework_.filter_plugins()) {
    if (!cycle_.state.SkipsFilter(plugin.index)) {
      has_class_plugin = true;
    } else if (has_class_plugin && !entry_.state().SkipsFilter(plugin.index)) {
      return false;
    }
  }
  return true;
}

CycleState ClassDecision::TakeState() {
  cycle_.state.ClearDerived();
  return std::move(cycle_.state);
}

STOWAGE_COLD NodeToStatus ClassDecision::Statuses(const SearchWindow& window) const {
  CHECK(window.feasible == 0 && window.evaluated == entry_.feasible().size());
  if (nominated_ != nullptr) return nominated_->statuses();
  NodeToStatus statuses(entry_.verdicts(), entry_.statuses());
  for (const Refusal& refusal : refusals_) {
    for (size_t word = 0; word < entry_.feasible().word_count(); ++word) {
      for (uint64_t rows = classes_.rows(refusal.at, word); rows != 0; rows &= rows - 1) {
        auto offset = static_cast<size_t>(std::countr_zero(rows));
        statuses.Set(word * Bitset::kWordBits + offset, refusal.status);
      }
    }
  }
  return statuses;
}

const NodeInfo& ClassDecision::OnlyFeasible(const SearchWindow& window) const {
  CHECK(window.feasible == 1);
  const NodeInfo* only = nullptr;
  const NodeTable& table = framework_.snapshot().table();
  ForEachFeasible(feasible(), window, [&](uint32_t, size_t row) { only = &table.info(row); });
  return *only;
}

// A class without rows in the window counts for nothing.
void ClassDecision::CountPopulations(const SearchWindow& window) {
  if (ContainsPassingClasses(window)) return;
  for (Group& group : groups_) group.population = 0;
  ForEachWord(feasible(), window, [this](size_t word, uint64_t bits, uint32_t) {
    for (Group& group : groups_) {
      group.population += static_cast<size_t>(std::popcount(classes_.rows(group.at, word) & bits));
    }
  });
  std::erase_if(groups_, [](const Group& group) { return group.population == 0; });
}

Status ClassDecision::AddBonuses() {
  const NodeTable& table = framework_.snapshot().table();
  scores_.resize(groups_.size());
  for (size_t at = 0; at < groups_.size(); ++at) {
    scores_[at] = {&table.info(groups_[at].representative), 0};
  }
  for (size_t column = 0; column < entry_.columns().size(); ++column) {
    Status status = AddColumn(column);
    if (!status.IsSuccess()) return status;
  }
  return cycle_.has_uncached_plugins() ? AddUncachedPlugins() : Status::Success();
}

// A column of equal scores cannot decide, unless its normalizer refuses them.
Status ClassDecision::AddColumn(size_t column) {
  const auto& plugin = framework_.score_plugins()[entry_.columns()[column].score_plugin];
  bool can_decide = false;
  for (size_t at = 0; at < groups_.size(); ++at) {
    scores_[at].score = classes_.key(groups_[at].at)[column];
    can_decide =
        can_decide || scores_[at].score != scores_[0].score || scores_[at].score < kMinNodeScore;
  }
  return can_decide ? AddScores(plugin, entry_.state()) : Status::Success();
}

Status ClassDecision::AddUncachedPlugins() {
  std::vector<NodeGroup>& nodes = buffers_.nodes;
  std::vector<uint32_t>& rows = buffers_.rows;
  nodes.clear();
  rows.clear();
  const NodeTable& table = framework_.snapshot().table();
  for (const Group& group : groups_) {
    nodes.push_back({&table.info(group.representative), group.population});
    rows.push_back(group.representative);
  }
  Status status = framework_.RunPreScoreOnGroups(cycle_.state, pod_, nodes);
  ChunkScores scores;
  for (const auto& plugin : framework_.score_plugins()) {
    if (!status.IsSuccess()) return status;
    if (cycle_.state.SkipsScore(plugin.index)) continue;
    for (size_t first = 0; first < rows.size(); first += NodeTable::kChunkRows) {
      size_t count = std::min(rows.size() - first, NodeTable::kChunkRows);
      NodeChunk chunk = table.Chunk(std::span(rows).subspan(first, count));
      status = plugin.plugin->ScoreChunk(cycle_.state, pod_, chunk, chunk.all(), &scores);
      if (!status.IsSuccess()) return status;
      for (size_t at = 0; at < count; ++at) scores_[first + at].score = scores[at];
    }
    status = AddScores(plugin, cycle_.state);
  }
  return status;
}

// Normalizes what is in scores_.
Status ClassDecision::AddScores(const PluginAt<ScorePlugin>& plugin, const CycleState& state) {
  Status status = framework_.NormalizeScores(plugin, state, pod_, scores_);
  if (!status.IsSuccess()) return status;
  for (size_t at = 0; at < groups_.size(); ++at) {
    groups_[at].bonus += scores_[at].score * plugin.weight;
  }
  return status;
}

Result<const NodeInfo*, Status> ClassDecision::SelectHost(const SearchWindow& window,
                                                          TieBreaker tie_breaker,
                                                          std::vector<ScoredNode>* ranking) {
  CountPopulations(window);
  Status status = AddBonuses();
  if (!status.IsSuccess()) return status;
  FindWinners(BestOf(window));
  BeginTies(window);
  auto size = static_cast<uint32_t>(window.feasible);
  Tie tie = NextTie(0);
  for (uint32_t position = tie_breaker.AdvanceTo(0); position < size;) {
    if (tie.position < position) tie = NextTie(position);
    if (tie.position == size) break;
    uint32_t next = std::min(tie_breaker.candidates_end(), size);
    if (tie.position < next) {
      tie_breaker.Offer(tie.position, framework_.snapshot().table().info(tie.row));
      next = tie.position + 1;
    }
    position = std::max(tie_breaker.AdvanceTo(next), next);
  }
  if (ranking != nullptr) Rank(window, ranking);
  return tie_breaker.winner();
}

// The feasible rows of the window form a list that starts at the window's start and wraps around.
void ClassDecision::BeginTies(const SearchWindow& window) {
  size_t size = window.feasible;
  rank_of_start_ = feasible().Rank(window.start);
  size_t num_behind_start = num_feasible_ - rank_of_start_;
  wrap_ = static_cast<uint32_t>(std::min(size, num_behind_start));
  end_ = {static_cast<uint32_t>(size), feasible().size()};
  if (size < num_behind_start) end_.row = feasible().Select(rank_of_start_ + size);
  wrapped_end_ = feasible().Select(size - wrap_);
  known_word_ = feasible().word_count();
}

// The first tie in the list from `position` on; the list's end if there is none.
ClassDecision::Tie ClassDecision::NextTie(uint32_t position) {
  if (position < wrap_) {
    size_t row = FirstTieRow(feasible().Select(rank_of_start_ + position), end_.row);
    if (row < end_.row) return {static_cast<uint32_t>(feasible().Rank(row) - rank_of_start_), row};
    position = wrap_;
  }
  if (position == end_.position) return end_;
  size_t row = FirstTieRow(feasible().Select(position - wrap_), wrapped_end_);
  if (row == wrapped_end_) return end_;
  return {static_cast<uint32_t>(feasible().Rank(row)) + wrap_, row};
}

// The first tie among the rows from `row` to `end`; `end` if there is none.
size_t ClassDecision::FirstTieRow(size_t row, size_t end) {
  size_t word = row / Bitset::kWordBits;
  uint64_t ties = TiesIn(word) & ~uint64_t{0} << (row % Bitset::kWordBits);
  while (ties == 0) {
    word = NextTieWord(word + 1);
    if (word * Bitset::kWordBits >= end) return end;
    ties = TiesIn(word);
  }
  return std::min(word * Bitset::kWordBits + static_cast<size_t>(std::countr_zero(ties)), end);
}

// The best base among the rows of one word that are in `bits` and in the group.
int32_t ClassDecision::BestIn(const Group& group, size_t word, uint64_t bits) const {
  uint64_t rows = classes_.rows(group.at, word);
  if ((rows & ~bits) == 0) return classes_.best(group.at, word);
  int32_t best = ScoreClasses::kNoBase;
  for (rows &= bits; rows != 0; rows &= rows - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rows));
    best = std::max(best, classes_.base(word * Bitset::kWordBits + offset));
  }
  return best;
}

int64_t ClassDecision::BestOf(const SearchWindow& window) const {
  int64_t best = kNoTotal;
  if (ContainsPassingClasses(window)) {
    for (const Group& group : groups_) {
      best = std::max(best, group.bonus + classes_.best(group.at));
    }
    return best;
  }
  ForEachWord(feasible(), window, [&](size_t word, uint64_t bits, uint32_t) {
    for (const Group& group : groups_) {
      int32_t base = BestIn(group, word, bits);
      if (base != ScoreClasses::kNoBase) best = std::max(best, group.bonus + base);
    }
  });
  return best;
}

// Puts the groups that may reach `best` first.
void ClassDecision::FindWinners(int64_t best) {
  auto can_win = [this, best](const Group& group) {
    return best - group.bonus <= classes_.best(group.at);
  };
  auto end = std::partition(groups_.begin(), groups_.end(), can_win);
  winners_ = std::span(groups_.begin(), end);
  for (Group& group : winners_) {
    group.winning_base = static_cast<int32_t>(best - group.bonus);
    group.best = classes_.best_by_word(group.at);
    bool is_best = group.winning_base == classes_.best(group.at);
    group.best_words = is_best ? &classes_.best_words(group.at) : nullptr;
  }
}

// The first word from `word` on that may have a tie; at least the number of words if none has.
size_t ClassDecision::NextTieWord(size_t word) const {
  size_t next = feasible().word_count();
  for (const Group& group : winners_) {
    // Ties may be in any word.
    if (group.best_words == nullptr) return word;
    next = std::min(next, group.best_words->NextSet(word));
  }
  return next;
}

// The rows of a word that have the best total. Keeps the last result, because the same word is
// usually requested several times in a row.
uint64_t ClassDecision::TiesIn(size_t word) {
  if (word == known_word_) return known_ties_;
  uint64_t ties = 0;
  for (const Group& group : winners_) {
    if (group.best[word] < group.winning_base) continue;
    if (group.best[word] == group.winning_base) {
      ties |= classes_.best_rows(group.at, word);
      continue;
    }
    for (uint64_t rows = classes_.rows(group.at, word); rows != 0; rows &= rows - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rows));
      bool is_tie = classes_.base(word * Bitset::kWordBits + offset) == group.winning_base;
      ties |= uint64_t{is_tie} << offset;
    }
  }
  known_word_ = word;
  known_ties_ = ties & feasible().word(word);
  return known_ties_;
}

void ClassDecision::Rank(const SearchWindow& window, std::vector<ScoredNode>* ranking) const {
  std::vector<int64_t> bonus(classes_.end(), 0);
  for (const Group& group : groups_) bonus[group.at] = group.bonus;
  ForEachFeasible(feasible(), window, [&](uint32_t, size_t row) {
    int64_t total = classes_.base(row) + bonus[classes_.class_of(row)];
    ranking->push_back({total, static_cast<uint32_t>(row)});
  });
}

}  // namespace stowage
