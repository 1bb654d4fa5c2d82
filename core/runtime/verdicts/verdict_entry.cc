#include "core/runtime/verdicts/verdict_entry.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

// If so many rows of a word are filled, reading the whole word is faster.
constexpr size_t kManyRows = 5;

}  // namespace

bool VerdictEntry::Refresh(const Pod& pod) {
  RowReplay::Step step = replay_.Advance(framework_.snapshot().table());
  bool is_moved = step == RowReplay::Step::kMoved;
  FollowNodes(is_moved);
  bool has_other_storage = !FollowStorage(pod);
  bool has_other_devices = uncached_.reads_devices && !devices_.Advance(framework_);
  if (has_other_storage || has_other_devices || MustRefill(step)) {
    is_usable_ = Refill(pod);
    return is_usable_;
  }
  if (!is_usable_) return false;
  if (is_moved) Move();
  CHECK(verdicts_.size() == framework_.snapshot().table().size());
  if (MustDeriveAgain()) {
    RowKey before = row_key_;
    is_usable_ = Derive(pod);
    if (is_usable_ && has_classes_ && row_key_ != before) {
      is_usable_ = Fill(pod);
      return is_usable_;
    }
  }
  if (is_usable_) is_usable_ = FillStaleRows(pod, step);
  if (is_usable_ && is_moved && HasOtherNodeCount()) is_usable_ = FillCountingRows(pod);
  return is_usable_;
}

// An evaluation that counts steps asks every plugin.
void VerdictEntry::FollowNodes(bool is_moved) {
  const uint64_t head = framework_.snapshot().table().node_changes().head();
  const bool has_changed = std::exchange(nodes_head_, head) != head;
  are_nodes_same_ = !has_changed && !is_moved && !framework_.steps().is_counting();
}

bool VerdictEntry::FollowStorage(const Pod& pod) {
  storage_rows_.clear();
  const StorageUse* use = framework_.FollowStorage(pod);
  if (use == nullptr) return true;
  const NodeTable& table = framework_.snapshot().table();
  uint64_t cursor = std::exchange(storage_cursor_, use->changes.head());
  return use->changes.ForEachSince(cursor, [&](const PodLog::Entry& entry) {
    uint32_t row = table.RowOfSlot(entry.slot);
    if (row != kNoRow) storage_rows_.push_back(row);
  });
}

bool VerdictEntry::FillStaleRows(const Pod& pod, RowReplay::Step step) {
  const NodeTable& table = framework_.snapshot().table();
  const bool is_of_log = step != RowReplay::Step::kNothing && storage_rows_.empty() &&
                         !uncached_.reads_devices && nominated_.IsForgotten();
  if (is_of_log && has_classes_ && TakeManyRows(replay_.marked_rows(table))) {
    row_key_.Refresh(table);
    return FillWords(pod) || (has_too_many_classes_ && Fill(pod));
  }
  std::span<const uint32_t> changed;
  if (step != RowReplay::Step::kNothing) changed = replay_.rows(table);
  if (!storage_rows_.empty()) {
    storage_rows_.insert(storage_rows_.end(), changed.begin(), changed.end());
    StableSort(&storage_rows_);
    storage_rows_.erase(std::unique(storage_rows_.begin(), storage_rows_.end()),
                        storage_rows_.end());
    changed = storage_rows_;
  }
  if (uncached_.reads_devices && !devices_.rows().empty()) {
    devices_.Add(changed);
    changed = devices_.rows();
  }
  return FillRows(pod, changed);
}

// Copies the bits of the rows to the buffer if they are many.
bool VerdictEntry::TakeManyRows(std::span<const uint64_t> marked) {
  size_t count = 0;
  for (uint64_t rows : marked) count += static_cast<size_t>(std::popcount(rows));
  if (count == 0 || count < kManyRows * marked.size()) return false;
  buffers_.passed.assign(marked.begin(), marked.end());
  return true;
}

bool VerdictEntry::MustRefill(RowReplay::Step step) const {
  bool is_worth_another_try = !is_usable_ && step == RowReplay::Step::kMoved;
  return step == RowReplay::Step::kAll || is_worth_another_try;
}

bool VerdictEntry::MustDeriveAgain() const {
  return uncached_.per_class != 0 && framework_.derivation() != derivation_;
}

// Verdicts and scores of a node move to its new row. Verdicts with nominated pods do not.
[[gnu::noinline]] void VerdictEntry::Move() {
  nominated_.Forget();
  const Renumbering& moves = replay_.moves();
  if (!has_classes_) {
    for (uint32_t row : moves.removed()) {
      if (feasible_.Test(row)) ForgetScores(row);
    }
  }
  auto forget = [](auto) {};
  replay_.Move(&verdicts_, {}, forget);
  feasible_.SetSize(std::max(moves.num_rows_before(), moves.num_rows()));
  for (const Renumbering::Move& move : moves.moves()) {
    bool has_passed = verdicts_[move.row] == 0;
    if (feasible_.Test(move.row) != has_passed) feasible_.Set(move.row, has_passed);
  }
  for (uint32_t row : moves.added()) feasible_.Set(row, false);
  feasible_.SetSize(moves.num_rows());
  if (has_classes_) return classes_.Move(moves);
  replay_.Move(&base_, 0, forget);
  for (Column& column : columns_) replay_.Move(&column.raw, int64_t{0}, forget);
}

STOWAGE_COLD bool VerdictEntry::FillCountingRows(const Pod& pod) {
  num_nodes_ = feasible_.size();
  return FillRows(pod, framework_.RowsCountingNodes(pod));
}

bool VerdictEntry::Refill(const Pod& pod) {
  state_ = CycleState(uncached_plugins());
  columns_.clear();
  has_too_many_classes_ = false;
  return RunPreFilter(pod) && RunPreScore(pod) && Derive(pod) && Fill(pod);
}

bool VerdictEntry::RunPreFilter(const Pod& pod) {
  PreFilterOutcome outcome = framework_.RunPreFilterPlugins(state_, pod);
  return outcome.status.IsSuccess() && !outcome.result.node_names;
}

// PreScore of plugins with a fragment does not read the nodes, so the full list serves every search
// window.
bool VerdictEntry::RunPreScore(const Pod& pod) {
  if (!framework_.RunPreScorePlugins(state_, pod, framework_.snapshot().nodes()).IsSuccess()) {
    return false;
  }
  const auto& plugins = framework_.score_plugins();
  silent_ = 0;
  for (size_t index = 0; index < plugins.size(); ++index) {
    const auto& entry = plugins[index];
    if (state_.SkipsScore(entry.index)) continue;
    if (entry.plugin->ScoresNothing(state_)) {
      silent_ |= PluginBits{1} << entry.index;
    } else if (entry.plugin->Normalizer() != nullptr) {
      columns_.push_back({index});
    }
  }
  return true;
}

bool VerdictEntry::Derive(const Pod& pod) {
  derived_ = CycleState();
  row_key_ = RowKey();
  derivation_ = framework_.derivation();
  return framework_.Derive(uncached_.per_class, pod, derived_, &row_key_);
}

// Fills all rows: with classes if possible, without them if there are too many.
bool VerdictEntry::Fill(const Pod& pod) {
  const NodeTable& table = framework_.snapshot().table();
  has_classes_ = uncached_.per_node == 0 && !has_too_many_classes_;
  statuses_.clear();
  of_nodes_.clear();
  nominated_.Forget();
  num_nodes_ = table.size();
  feasible_.Resize(table.size());
  verdicts_.assign(table.size(), 0);
  classes_.Reset(has_classes_ ? table.size() : 0, columns_.size() + row_key_.size());
  base_.assign(has_classes_ ? 0 : table.size(), 0);
  for (Column& column : columns_) {
    column.raw.assign(has_classes_ ? 0 : table.size(), 0);
    column.population.clear();
    column.has_been_negative = false;
  }
  row_key_.Refresh(table);
  are_classes_of_nodes_ = has_classes_ && AreClassesOfNodes();
  buffers_.passed.assign(feasible_.word_count(), ~uint64_t{0});
  const size_t past_words = table.size() % Bitset::kWordBits;
  if (past_words != 0) buffers_.passed.back() = (uint64_t{1} << past_words) - 1;
  if (FillWords(pod)) return true;
  return has_classes_ && has_too_many_classes_ && Fill(pod);
}

bool VerdictEntry::FillRows(const Pod& pod, std::span<const uint32_t> rows) {
  const NodeTable& table = framework_.snapshot().table();
  row_key_.Refresh(table);
  nominated_.Forget(rows);
  if (has_classes_ && rows.size() >= kManyRows * feasible_.word_count()) {
    buffers_.passed.assign(feasible_.word_count(), 0);
    for (uint32_t row : rows) {
      buffers_.passed[row / Bitset::kWordBits] |= uint64_t{1} << (row % Bitset::kWordBits);
    }
    return FillWords(pod) || (has_too_many_classes_ && Fill(pod));
  }
  while (!rows.empty()) {
    NodeChunk chunk = table.Chunk(rows.first(std::min(rows.size(), NodeTable::kChunkRows)));
    if (!FillChunk(pod, chunk)) return has_too_many_classes_ && Fill(pod);
    rows = rows.subspan(chunk.rows.size());
  }
  return true;
}

// Fills the rows in the buffer, by words: plugins without a normalizer score all of them at once.
// Without classes, nothing may be known of them yet.
bool VerdictEntry::FillWords(const Pod& pod) {
  std::span<const uint64_t> passed = buffers_.passed;
  if (passed.empty()) return true;
  const PluginBits asked = framework_.FiltersAsked(state_, pod);
  for (size_t word = 0; word < passed.size(); ++word) {
    if (passed[word] != 0 && !FilterWord(pod, word, asked)) return false;
  }
  const NodeChunk all = framework_.snapshot().table().All();
  if (!ReadBases(pod, all, passed)) return false;
  FindZeroColumns();
  for (size_t word = 0; word < passed.size(); ++word) {
    if (passed[word] == 0) continue;
    const NodeChunk chunk = all.Part(word);
    if (!ReadColumns(pod, chunk, passed[word])) return false;
    bool is_set = has_classes_
                      ? PutClasses(chunk, word, passed[word])
                      : SetScores(chunk, passed[word], &buffers_.bases[word * Bitset::kWordBits]);
    if (!is_set) return false;
  }
  return true;
}

// Filters the rows of the word in the buffer, and leaves those that pass.
bool VerdictEntry::FilterWord(const Pod& pod, size_t word, PluginBits asked) {
  NodeChunk chunk = framework_.snapshot().table().Chunk(word);
  const uint64_t rows = buffers_.passed[word];
  buffers_.refusals.Clear();
  std::optional<uint64_t> passed = RunFilters(pod, chunk, rows, asked);
  if (!passed) return false;
  buffers_.passed[word] = *passed;
  const uint64_t refused = rows & ~*passed;
  const uint64_t before = feasible_.word(word);
  if (has_classes_) {
    ForEachBit(before & refused, [&](size_t offset) { classes_.Remove(chunk.row(offset)); });
  }
  feasible_.SetWord(word, (before & ~rows) | *passed);
  // While there are no statuses, no row has one.
  if (!statuses_.empty()) {
    ForEachBit(rows, [&](size_t offset) { verdicts_[chunk.row(offset)] = 0; });
  }
  return SetRefused(chunk);
}

bool VerdictEntry::FillChunk(const Pod& pod, const NodeChunk& chunk) {
  const Known known = are_nodes_same_ ? KnownIn(chunk) : Known();
  buffers_.refusals.Clear();
  std::optional<uint64_t> passed = RunFilters(pod, chunk, known);
  if (!passed) return false;
  const uint64_t judged = chunk.all() & ~known.refused;
  for (uint64_t rest = judged; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    size_t row = chunk.row(offset);
    bool has_passed = (*passed >> offset & 1) != 0;
    if (!has_classes_ && feasible_.Test(row)) ForgetScores(row);
    if (has_classes_ && !has_passed) classes_.Remove(row);
    feasible_.Set(row, has_passed);
    verdicts_[row] = 0;
  }
  if (!SetRefused(chunk)) return false;
  if (*passed == 0) return true;
  buffers_.zero_columns = 0;
  if (!ReadBases(pod, chunk, std::span(&*passed, 1))) return false;
  const uint64_t known_passed = *passed & known.passed;
  const uint64_t kept = are_classes_of_nodes_ ? known_passed : 0;
  ForEachBit(kept, [&](size_t at) { classes_.SetBase(chunk.row(at), buffers_.bases[at]); });
  const uint64_t moved = *passed & ~kept;
  return moved == 0 || (ReadColumns(pod, chunk, moved, known_passed & moved) &&
                        SetScores(chunk, moved, buffers_.bases.data()));
}

VerdictEntry::Known VerdictEntry::KnownIn(const NodeChunk& chunk) const {
  Known known;
  for (size_t offset = 0; offset < chunk.rows.size(); ++offset) {
    const size_t row = chunk.row(offset);
    const uint8_t verdict = verdicts_[row];
    known.passed |= uint64_t{feasible_.Test(row)} << offset;
    known.refused |= uint64_t{verdict != 0 && of_nodes_[verdict - 1] != 0} << offset;
  }
  return known;
}

std::optional<uint64_t> VerdictEntry::RunFilters(const Pod& pod, const NodeChunk& chunk,
                                                 const Known& known) {
  uint64_t passed = 0;
  if (known.passed != 0) {
    passed = framework_.RunFilterPluginsOnChunk(state_, pod, chunk, known.passed,
                                                &buffers_.refusals, ~framework_.plugins_of_nodes());
  }
  const uint64_t others = chunk.all() & ~known.passed & ~known.refused;
  if (others == 0) return passed;
  std::optional<uint64_t> others_passed = RunFilters(pod, chunk, others, ~PluginBits{0});
  if (!others_passed) return std::nullopt;
  return passed | *others_passed;
}

std::optional<uint64_t> VerdictEntry::RunFilters(const Pod& pod, const NodeChunk& chunk,
                                                 uint64_t candidates, PluginBits asked) {
  if (asked == 0 && !framework_.steps().is_counting()) return candidates;
  uint64_t passed =
      framework_.RunFilterPluginsOnChunk(state_, pod, chunk, candidates, &buffers_.refusals, asked);
  auto count = static_cast<uint64_t>(std::popcount(candidates));
  if (!framework_.steps().Visit(count)) return std::nullopt;
  return passed;
}

// Sets the verdicts of the nodes whose refusals are in the buffer.
bool VerdictEntry::SetRefused(const NodeChunk& chunk) {
  for (const auto& [status, offsets] : buffers_.refusals.refusals()) {
    const uint8_t verdict = VerdictOf(status);
    if (verdict == 0) return false;
    ForEachBit(offsets, [&](size_t offset) { verdicts_[chunk.row(offset)] = verdict; });
  }
  return true;
}

uint8_t VerdictEntry::VerdictOf(const Status& status) {
  if (!status.IsRejected()) return 0;
  auto known = std::find(statuses_.begin(), statuses_.end(), status);
  if (known == statuses_.end()) {
    if (statuses_.size() == std::numeric_limits<uint8_t>::max()) return 0;
    known = statuses_.insert(known, status);
    of_nodes_.push_back(IsOfNodes(status) ? 1 : 0);
  }
  return static_cast<uint8_t>(known - statuses_.begin() + 1);
}

// Whether a plugin refuses that reads the Node alone, and so do all plugins that are asked before.
STOWAGE_COLD bool VerdictEntry::IsOfNodes(const Status& status) const {
  for (const auto& plugin : framework_.filter_plugins()) {
    if (state_.SkipsFilter(plugin.index)) continue;
    if ((framework_.plugins_of_nodes() >> plugin.index & 1) == 0) return false;
    if (plugin.name == status.plugin()) return true;
  }
  return false;
}

// Whether nothing in the classes' keys changes while a Node is the same.
STOWAGE_COLD bool VerdictEntry::AreClassesOfNodes() const {
  PluginBits scorers = 0;
  for (const Column& column : columns_) {
    scorers |= PluginBits{1} << framework_.score_plugins()[column.score_plugin].index;
  }
  return (scorers & ~framework_.plugins_of_nodes()) == 0 && !row_key_.ReadsPods();
}

size_t VerdictEntry::bytes() const {
  size_t per_row = columns_.size() * sizeof(int64_t) + sizeof(int32_t);
  return sizeof(VerdictEntry) + feasible_.word_count() * sizeof(uint64_t) + verdicts_.size() +
         (has_classes_ ? classes_.bytes() : per_row * verdicts_.size()) + nominated_.bytes() +
         remaining_.bytes() +
         (shared_bases_ == nullptr ? 0 : shared_bases_->bytes() / shared_bases_.use_count());
}

}  // namespace stowage
