#include "core/runtime/verdict_entry.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace stowage {
namespace {

constexpr int64_t kNoScore = std::numeric_limits<int64_t>::min();

}  // namespace

bool VerdictEntry::Refresh(const Pod& pod) {
  Bitset changed;
  RowReplay::Step step = replay_.Advance(framework_.snapshot().table(), &changed);
  if (step == RowReplay::Step::kAll) {
    is_usable_ = Refill(pod);
  } else if (step == RowReplay::Step::kRows && is_usable_) {
    is_usable_ = Patch(pod, changed);
  }
  return is_usable_;
}

// Neighbours are looked at together.
bool VerdictEntry::Patch(const Pod& pod, const Bitset& changed) {
  const NodeTable& table = framework_.snapshot().table();
  ChunkStatuses statuses;
  for (size_t word = 0; word < changed.word_count(); ++word) {
    uint64_t rows = changed.word(word);
    if (rows == 0) continue;
    for (uint64_t rest = rows; rest != 0; rest &= rest - 1) {
      ClearRow(word * Bitset::kWordBits + static_cast<size_t>(std::countr_zero(rest)));
    }
    if (!FillChunk(pod, table.Chunk(word), rows, &statuses)) return false;
  }
  return true;
}

bool VerdictEntry::Refill(const Pod& pod) {
  const NodeTable& table = framework_.snapshot().table();
  state_ = CycleState(open_);
  statuses_.clear();
  columns_.clear();
  feasible_.Resize(table.size());
  verdicts_.assign(table.size(), 0);
  base_.assign(table.size(), 0);
  word_best_.assign(feasible_.word_count(), kNoScore);
  if (!RunPreFilter(pod) || !RunPreScore(pod)) return false;
  ChunkStatuses statuses;
  for (size_t word = 0; word < feasible_.word_count(); ++word) {
    NodeChunk chunk = table.Chunk(word);
    if (!FillChunk(pod, chunk, chunk.all(), &statuses)) return false;
  }
  return true;
}

bool VerdictEntry::RunPreFilter(const Pod& pod) {
  PreFilterOutcome outcome = framework_.RunPreFilterPlugins(state_, pod);
  return outcome.status.IsSuccess() && !outcome.result.node_names;
}

// Plugins that vouch for their fragment do not look at the nodes here, so the full list serves
// every window.
bool VerdictEntry::RunPreScore(const Pod& pod) {
  if (!framework_.RunPreScorePlugins(state_, pod, framework_.snapshot().nodes()).IsSuccess()) {
    return false;
  }
  const auto& plugins = framework_.score_plugins();
  for (size_t index = 0; index < plugins.size(); ++index) {
    if (state_.SkipsScore(plugins[index].index)) continue;
    if (plugins[index].plugin->Normalizer() == nullptr) continue;
    columns_.push_back({index, std::vector<int64_t>(verdicts_.size(), 0), {}, false});
  }
  return true;
}

bool VerdictEntry::FillChunk(const Pod& pod, const NodeChunk& chunk, uint64_t rows,
                             ChunkStatuses* statuses) {
  uint64_t passed = framework_.RunFilterPluginsOnChunk(state_, pod, chunk, rows, statuses);
  const Status* last = nullptr;  // neighbours share statuses
  uint8_t verdict = 0;
  for (uint64_t rest = rows & ~passed; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    const Status& status = (*statuses)[offset];
    if (last == nullptr || !(*last == status)) {
      last = &status;
      verdict = VerdictOf(status);
      if (verdict == 0) return false;
    }
    verdicts_[chunk.first_row + offset] = verdict;
  }
  if (!SetScores(pod, chunk, passed)) return false;
  RefreshWordBest(chunk.first_row / NodeTable::kChunkRows);
  return true;
}

void VerdictEntry::ClearRow(size_t row) {
  if (feasible_.Test(row)) {
    for (Column& column : columns_) {
      auto found = column.population.find(column.raw[row]);
      if (--found->second == 0) column.population.erase(found);
    }
  }
  feasible_.Set(row, false);
  verdicts_[row] = 0;
  base_[row] = 0;
}

uint8_t VerdictEntry::VerdictOf(const Status& status) {
  if (!status.IsRejected()) return 0;
  auto known = std::find(statuses_.begin(), statuses_.end(), status);
  if (known == statuses_.end()) {
    if (statuses_.size() == std::numeric_limits<uint8_t>::max()) return 0;
    known = statuses_.insert(known, status);
  }
  return static_cast<uint8_t>(known - statuses_.begin() + 1);
}

bool VerdictEntry::SetScores(const Pod& pod, const NodeChunk& chunk, uint64_t passed) {
  const auto& plugins = framework_.score_plugins();
  auto column = columns_.begin();
  for (size_t index = 0; index < plugins.size(); ++index) {
    const auto& entry = plugins[index];
    if (state_.SkipsScore(entry.index)) continue;
    ChunkScores scores;
    if (!entry.plugin->ScoreChunk(state_, pod, chunk, passed, &scores).IsSuccess()) return false;
    bool is_normalized = column != columns_.end() && column->score_plugin == index;
    size_t* population = nullptr;  // of the score before
    int64_t last_score = 0;
    for (uint64_t rest = passed; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      int64_t score = scores[offset];
      size_t row = chunk.first_row + offset;
      if (is_normalized) {
        column->raw[row] = score;
        if (population == nullptr || score != last_score) population = &column->population[score];
        last_score = score;
        if (score < kMinNodeScore) column->has_been_negative = true;
        ++*population;
      } else if (score < kMinNodeScore || score > kMaxNodeScore) {
        return false;
      } else {
        base_[row] += score * entry.weight;
      }
    }
    if (is_normalized) ++column;
  }
  for (uint64_t rest = passed; rest != 0; rest &= rest - 1) {
    feasible_.Set(chunk.first_row + static_cast<size_t>(std::countr_zero(rest)), true);
  }
  return true;
}

void VerdictEntry::RefreshWordBest(size_t word) {
  int64_t best = kNoScore;
  for (uint64_t bits = feasible_.word(word); bits != 0; bits &= bits - 1) {
    best = std::max(best, base_[word * 64 + static_cast<size_t>(std::countr_zero(bits))]);
  }
  word_best_[word] = best;
}

size_t VerdictEntry::bytes() const {
  size_t per_row = sizeof(int64_t) * (1 + columns_.size()) + 2;
  return sizeof(VerdictEntry) + per_row * verdicts_.size();
}

}  // namespace stowage
