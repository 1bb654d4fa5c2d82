// The scores of a VerdictEntry's rows.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/lanes.h"
#include "core/base/simd.h"
#include "core/runtime/verdicts/verdict_entry.h"

namespace stowage {
namespace {

// Bounds bases; bonuses have the same bound, so that their sum fits into 32 bits.
constexpr int64_t kMaxBase = std::numeric_limits<int32_t>::max() / 2;

// So many classes are looked for among the rows of a word, one after the other.
constexpr size_t kGroupsPerWord = 4;

}  // namespace

// The raw score of a row that passes, as it was last filled.
int64_t VerdictEntry::RawOf(size_t row, size_t column) const {
  if (has_classes_) return classes_.key(classes_.class_of(row))[column];
  return columns_[column].raw[row];
}

// Σ weight × score of the plugins that do not normalize.
bool VerdictEntry::ReadBases(const Pod& pod, const NodeChunk& chunk,
                             std::span<const uint64_t> passed) {
  if (std::ranges::count(passed, uint64_t{0}) == std::ssize(passed)) return true;
  const size_t size = passed.size() * Bitset::kWordBits;
  buffers_.bases.resize(std::max(buffers_.bases.size(), size));
  if (shared_bases_.use_count() > 1 && ReadSharedBases(pod, chunk)) return true;
  // For a few rows, a call takes longer than to clear them.
  if (chunk.rows.size() < Bitset::kWordBits) {
    std::fill_n(buffers_.bases.begin(), chunk.rows.size(), 0);
  } else {
    std::memset(buffers_.bases.data(), 0, size * sizeof(int32_t));
  }
  return AddBases(pod, chunk, passed, false, buffers_.bases.data());
}

// Reads the bases that other entries use as well.
bool VerdictEntry::ReadSharedBases(const Pod& pod, const NodeChunk& chunk) {
  auto add = [&](const NodeChunk& rows, std::span<const uint64_t> candidates, int32_t* totals) {
    return AddBases(pod, rows, candidates, true, totals);
  };
  if (!shared_bases_->Follow(chunk.table, add)) return false;
  const std::span<const int32_t> bases = shared_bases_->bases();
  if (chunk.is_consecutive && chunk.rows.size() == chunk.table.size()) {
    std::ranges::copy(bases, buffers_.bases.begin());
  } else {
    for (size_t offset = 0; offset < chunk.rows.size(); ++offset) {
      buffers_.bases[offset] = bases[chunk.row(offset)];
    }
  }
  return true;
}

// Adds to `bases`, by offset. False: a score is out of range, or there is no quick form.
bool VerdictEntry::AddBases(const Pod& pod, const NodeChunk& chunk,
                            std::span<const uint64_t> passed, bool must_be_quick, int32_t* bases) {
  int64_t max_base = 0;
  size_t column = 0;
  for (size_t index = 0; index < framework_.score_plugins().size(); ++index) {
    const auto& plugin = framework_.score_plugins()[index];
    if (SkipsScore(plugin.index)) continue;
    if (column < columns_.size() && columns_[column].score_plugin == index) {
      ++column;
      continue;
    }
    if (plugin.weight > kMaxBase / kMaxNodeScore) return false;
    max_base += plugin.weight * kMaxNodeScore;
    if (max_base > kMaxBase) return false;
    const auto weight = static_cast<int32_t>(plugin.weight);
    if (plugin.plugin->AddScores(state_, pod, chunk, passed, weight, bases)) continue;
    if (must_be_quick || !ScoreBase(pod, chunk, passed, plugin)) return false;
  }
  return true;
}

// Adds the plugin's scores word by word. Returns false if one is out of range.
STOWAGE_COLD bool VerdictEntry::ScoreBase(const Pod& pod, const NodeChunk& chunk,
                                          std::span<const uint64_t> passed,
                                          const PluginAt<ScorePlugin>& plugin) {
  const auto weight = static_cast<int32_t>(plugin.weight);
  ChunkScores& scores = buffers_.scores;
  int64_t outside = 0;
  for (size_t word = 0; word < passed.size(); ++word) {
    if (passed[word] == 0) continue;
    const NodeChunk part = chunk.Part(word);
    if (!plugin.plugin->ScoreChunk(state_, pod, part, passed[word], &scores).IsSuccess()) {
      return false;
    }
    int32_t* bases = &buffers_.bases[word * Bitset::kWordBits];
    ForEachBit(passed[word], [&](size_t offset) {
      bases[offset] += static_cast<int32_t>(scores[offset]) * weight;
      outside |= ScoreRangeSign(scores[offset]);
    });
  }
  return outside >= 0;
}

// Finds the columns that are 0 for all rows of the table, and fills their buffers.
void VerdictEntry::FindZeroColumns() {
  buffers_.zero_columns = 0;
  buffers_.raw.resize(std::max(buffers_.raw.size(), columns_.size()));
  for (size_t column = 0; column < columns_.size(); ++column) {
    const auto& plugin = framework_.score_plugins()[columns_[column].score_plugin];
    if (!plugin.plugin->ScoresNothingOn(state_, framework_.snapshot().table())) continue;
    buffers_.zero_columns |= uint64_t{1} << column;
    buffers_.raw[column].fill(0);
  }
}

// The raw scores of the plugins that normalize. `known`: those of `passed` whose scores of plugins
// that read the Node alone are those they had.
bool VerdictEntry::ReadColumns(const Pod& pod, const NodeChunk& chunk, uint64_t passed,
                               uint64_t known) {
  buffers_.raw.resize(std::max(buffers_.raw.size(), columns_.size()));
  for (size_t column = 0; column < columns_.size(); ++column) {
    if (IsZeroColumn(column)) continue;
    const auto& plugin = framework_.score_plugins()[columns_[column].score_plugin];
    ChunkScores& scores = buffers_.raw[column];
    const bool is_of_nodes = (framework_.plugins_of_nodes() >> plugin.index & 1) != 0;
    const uint64_t asked = is_of_nodes ? passed & ~known : passed;
    if (asked != 0 && !plugin.plugin->ScoreChunk(state_, pod, chunk, asked, &scores).IsSuccess()) {
      return false;
    }
    ForEachBit(passed & ~asked,
               [&](size_t offset) { scores[offset] = RawOf(chunk.row(offset), column); });
  }
  return true;
}

bool VerdictEntry::SetScores(const NodeChunk& chunk, uint64_t passed, const int32_t* bases) {
  for (uint64_t rest = passed; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    size_t row = chunk.row(offset);
    if (!has_classes_) {
      SetColumns(row, offset, bases[offset]);
    } else if (!SetClass(row, offset, bases[offset])) {
      has_too_many_classes_ = true;
      return false;
    }
  }
  return true;
}

// SetScores for rows of a word with classes: those of one class are added together.
bool VerdictEntry::PutClasses(const NodeChunk& chunk, size_t word, uint64_t passed) {
  const auto bases = std::span(buffers_.bases).subspan(word * Bitset::kWordBits);
  std::vector<int64_t>& key = buffers_.key;
  key.resize(columns_.size());
  uint64_t rest = passed;
  for (size_t group = 0; rest != 0 && row_key_.size() == 0 && group < kGroupsPerWord; ++group) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    for (size_t column = 0; column < key.size(); ++column) {
      key[column] = buffers_.raw[column][offset];
    }
    uint64_t rows = RowsLike(offset, rest);
    if (!classes_.PutWord(word, rows, key, bases)) {
      has_too_many_classes_ = true;
      return false;
    }
    rest &= ~rows;
  }
  return SetScores(chunk, rest, bases.data());
}

// Those of `rows` with the same raw scores as the row at `offset`.
STOWAGE_SIMD uint64_t VerdictEntry::RowsLike(size_t offset, uint64_t rows) const {
  for (size_t column = 0; column < columns_.size(); ++column) {
    if (IsZeroColumn(column)) continue;
    const ChunkScores& raw = buffers_.raw[column];
    TwoInts differing = {};
    for (size_t at = 0; at < raw.size(); at += 2) {
      differing |= LoadLanes<TwoInts>(&raw[at]) ^ Both(raw[offset]);
    }
    if ((differing[0] | differing[1]) == 0) continue;
    uint64_t same = 0;
    ForEachBit(rows, [&](size_t at) { same |= uint64_t{raw[at] == raw[offset]} << at; });
    rows = same;
  }
  return rows;
}

bool VerdictEntry::SetClass(size_t row, size_t offset, int32_t base) {
  std::vector<int64_t>& key = buffers_.key;
  key.resize(columns_.size() + row_key_.size());
  for (size_t column = 0; column < columns_.size(); ++column) {
    key[column] = buffers_.raw[column][offset];
  }
  row_key_.Read(row, key.data() + columns_.size());
  return classes_.Put(row, key, base);
}

STOWAGE_COLD void VerdictEntry::SetColumns(size_t row, size_t offset, int32_t base) {
  base_[row] = base;
  for (size_t index = 0; index < columns_.size(); ++index) {
    Column& column = columns_[index];
    int64_t raw = buffers_.raw[index][offset];
    column.raw[row] = raw;
    ++column.population[raw];
    if (raw < kMinNodeScore) column.has_been_negative = true;
  }
}

STOWAGE_COLD void VerdictEntry::ForgetScores(size_t row) {
  for (Column& column : columns_) {
    auto found = column.population.find(column.raw[row]);
    CHECK(found != column.population.end());
    if (--found->second == 0) column.population.erase(found);
  }
}

}  // namespace stowage
