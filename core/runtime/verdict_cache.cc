#include "core/runtime/verdict_cache.h"

#include <algorithm>
#include <limits>

namespace stowage {
namespace {

constexpr size_t kMaxSeenOnce = 100'000;
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
  state_ = CycleState();
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

SearchWindow VerdictEntry::Window(size_t start, size_t want) const {
  size_t rows = feasible_.size();
  CHECK(start < rows);
  size_t total = feasible_.Count();
  if (total <= want) return {start, rows, total};
  // The first surplus feasible row, counted from `start` and wrapping around.
  size_t rank = feasible_.Rank(start) + want;
  bool is_wrapped = rank >= total;
  size_t surplus = feasible_.Select(is_wrapped ? rank - total : rank);
  return {start, (is_wrapped ? surplus + rows : surplus) - start, want};
}

NodeToStatus VerdictEntry::Statuses(const SearchWindow& window) const {
  size_t rows = feasible_.size();
  NodeToStatus statuses(rows);
  for (size_t visit = 0; visit < window.evaluated; ++visit) {
    size_t row = window.start + visit < rows ? window.start + visit : window.start + visit - rows;
    if (verdicts_[row] != 0) statuses.Set(row, statuses_[verdicts_[row] - 1]);
  }
  return statuses;
}

// Visits the words of the feasible set in visit order, cut to the window: (word, its bits, number
// of feasible rows before it).
template <typename Visit>
void VerdictEntry::ForEachWord(const SearchWindow& window, Visit visit) const {
  size_t rows = feasible_.size();
  size_t end = window.start + window.evaluated;
  uint32_t position = 0;
  auto segment = [&](size_t first, size_t last) {
    for (size_t word = first / 64; word * 64 < last; ++word) {
      uint64_t bits = feasible_.word(word);
      if (word * 64 < first) bits &= ~uint64_t{0} << (first % 64);
      if (last - word * 64 < 64) bits &= (uint64_t{1} << (last - word * 64)) - 1;
      if (bits != 0) visit(word, bits, position);
      position += static_cast<uint32_t>(std::popcount(bits));
    }
  };
  segment(window.start, std::min(end, rows));
  if (end > rows) segment(0, end - rows);
}

// Visits the window's feasible rows in visit order, with their position in the feasible list.
template <typename Visit>
void VerdictEntry::ForEachFeasible(const SearchWindow& window, Visit visit) const {
  ForEachWord(window, [&visit](size_t word, uint64_t bits, uint32_t position) {
    for (; bits != 0; bits &= bits - 1) {
      visit(position++, word * 64 + static_cast<size_t>(std::countr_zero(bits)));
    }
  });
}

Status VerdictEntry::AddNormalized(const Pod& pod, const SearchWindow& window, const Column& column,
                                   std::vector<int64_t>* totals) const {
  const auto& entry = framework_.score_plugins()[column.score_plugin];
  const NodeTable& table = framework_.snapshot().table();
  std::vector<NodeScore> scores;
  scores.reserve(window.feasible);
  ForEachFeasible(window, [&](uint32_t, size_t row) {
    scores.push_back({&table.info(row), column.raw[row]});
  });
  Status status = framework_.NormalizeScores(entry, state_, pod, scores);
  if (!status.IsSuccess()) return status;
  for (size_t position = 0; position < scores.size(); ++position) {
    (*totals)[position] += scores[position].score * entry.weight;
  }
  return Status::Success();
}

Result<const NodeInfo*, Status> VerdictEntry::SelectHost(const Pod& pod, const SearchWindow& window,
                                                         TieBreaker tie_breaker) const {
  std::vector<int64_t> totals;  // by position; empty while no column decides
  for (const Column& column : columns_) {
    if (column.population.size() <= 1 && !column.has_been_negative) continue;
    if (totals.empty()) totals.assign(window.feasible, 0);
    Status status = AddNormalized(pod, window, column, &totals);
    if (!status.IsSuccess()) return status;
  }
  if (totals.empty()) return SelectByBase(window, tie_breaker);
  int64_t best = kNoScore;
  ForEachFeasible(window, [&](uint32_t position, size_t row) {
    totals[position] += base_[row];
    best = std::max(best, totals[position]);
  });
  const NodeTable& table = framework_.snapshot().table();
  ForEachFeasible(window, [&](uint32_t position, size_t row) {
    if (totals[position] == best) tie_breaker.Offer(position, table.info(row));
  });
  return tie_breaker.winner();
}

// Where no column decides, whole words are skipped: by their best row, and by what can still win.
const NodeInfo* VerdictEntry::SelectByBase(const SearchWindow& window,
                                           TieBreaker tie_breaker) const {
  auto best_in = [this](size_t word, uint64_t bits) {
    if (bits == feasible_.word(word)) return word_best_[word];
    int64_t best = kNoScore;
    for (; bits != 0; bits &= bits - 1) {
      best = std::max(best, base_[word * 64 + static_cast<size_t>(std::countr_zero(bits))]);
    }
    return best;
  };
  int64_t best = kNoScore;
  ForEachWord(window, [&](size_t word, uint64_t bits, uint32_t) {
    best = std::max(best, best_in(word, bits));
  });
  const NodeTable& table = framework_.snapshot().table();
  ForEachWord(window, [&](size_t word, uint64_t bits, uint32_t position) {
    uint32_t end = position + static_cast<uint32_t>(std::popcount(bits));
    if (end <= tie_breaker.next_candidate() || best_in(word, bits) < best) return;
    for (; bits != 0; bits &= bits - 1, ++position) {
      size_t row = word * 64 + static_cast<size_t>(std::countr_zero(bits));
      if (base_[row] == best) tie_breaker.Offer(position, table.info(row));
    }
  });
  return tie_breaker.winner();
}

void VerdictEntry::RefreshWordBest(size_t word) {
  int64_t best = kNoScore;
  for (uint64_t bits = feasible_.word(word); bits != 0; bits &= bits - 1) {
    best = std::max(best, base_[word * 64 + static_cast<size_t>(std::countr_zero(bits))]);
  }
  word_best_[word] = best;
}

const NodeInfo& VerdictEntry::OnlyFeasible(const SearchWindow& window) const {
  CHECK(window.feasible == 1);
  const NodeInfo* only = nullptr;
  const NodeTable& table = framework_.snapshot().table();
  ForEachFeasible(window, [&](uint32_t, size_t row) { only = &table.info(row); });
  return *only;
}

size_t VerdictEntry::bytes() const {
  size_t per_row = sizeof(int64_t) * (1 + columns_.size()) + 2;
  return sizeof(VerdictEntry) + per_row * verdicts_.size();
}

const VerdictEntry* VerdictCache::Find(const Pod& pod) {
  if (options_.mode == VerdictCacheMode::kOff) return nullptr;
  PodSignature signature;
  if (!framework_.Sign(pod, &signature)) return nullptr;
  VerdictEntry* entry = Lookup(std::move(signature));
  if (entry == nullptr) return nullptr;
  bool is_usable = entry->Refresh(pod);
  Evict();
  return is_usable ? entry : nullptr;
}

VerdictEntry* VerdictCache::Lookup(PodSignature signature) {
  auto found = by_signature_.find(signature);
  if (found != by_signature_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    return &*found->second;
  }
  if (options_.mode == VerdictCacheMode::kSecondUse) {
    if (seen_once_.size() >= kMaxSeenOnce) seen_once_.clear();
    if (seen_once_.try_emplace(signature).second) return nullptr;
    seen_once_.erase(signature);
  }
  entries_.emplace_front(framework_, signature);
  by_signature_.emplace(std::move(signature), entries_.begin());
  return &entries_.front();
}

// Entries are of one size while the number of nodes stays; the newest always stays.
void VerdictCache::Evict() {
  size_t capacity = std::max<size_t>(1, options_.max_bytes / entries_.front().bytes());
  while (entries_.size() > capacity) {
    by_signature_.erase(entries_.back().signature());
    entries_.pop_back();
  }
}

}  // namespace stowage
