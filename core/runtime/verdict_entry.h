// VerdictEntry is what the plugins of a profile said about every row for pods of one signature:
// refusals, and scores as far as they do not depend on the other nodes.
//
// It holds the plugins that vouch for their fragment; the others are open, and CachedDecision asks
// them for every pod.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/bitset.h"
#include "core/framework/pod_signature.h"
#include "core/framework/row_replay.h"
#include "core/runtime/framework.h"

namespace stowage {

class VerdictEntry {
 public:
  // Raw scores of a plugin that normalizes, with how often each value occurs among feasible rows: a
  // column of equal values cannot decide and is left out.
  struct Column {
    size_t score_plugin;  // index in Framework::score_plugins()
    std::vector<int64_t> raw;
    std::unordered_map<int64_t, size_t> population;
    bool has_been_negative;  // what its normalizer may refuse, however equal

    bool CanDecide() const { return population.size() > 1 || has_been_negative; }
  };

  // `open`: the plugins, by index, that are left out.
  VerdictEntry(const Framework& framework, PodSignature signature, PluginBits open)
      : framework_(framework), signature_(std::move(signature)), open_(open) {}

  // Brings all rows up to date with the snapshot. False: these pods cannot be remembered (PreFilter
  // narrows or refuses, a plugin fails, too many different verdicts).
  bool Refresh(const Pod& pod);

  PluginBits open() const { return open_; }
  const PodSignature& signature() const { return signature_; }
  // PreFilter and PreScore of the plugins that are not open.
  const CycleState& state() const { return state_; }
  const Bitset& feasible() const { return feasible_; }
  // By row: 0 where it passes, k where it is refused with statuses()[k - 1].
  std::span<const uint8_t> verdicts() const { return verdicts_; }
  const std::vector<Status>& statuses() const { return statuses_; }
  // Σ weight × score of the plugins that do not normalize.
  int64_t base(size_t row) const { return base_[row]; }
  std::span<const int64_t> base() const { return base_; }
  // The best base among the feasible rows of each 64.
  int64_t word_best(size_t word) const { return word_best_[word]; }
  const std::vector<Column>& columns() const { return columns_; }
  size_t bytes() const;

 private:
  bool Refill(const Pod& pod);
  bool RunPreFilter(const Pod& pod);
  bool RunPreScore(const Pod& pod);
  bool Patch(const Pod& pod, const Bitset& changed);
  bool FillChunk(const Pod& pod, const NodeChunk& chunk, uint64_t rows, ChunkStatuses* statuses);
  void ClearRow(size_t row);
  // 1 + the place of `status` in statuses_; 0 when it cannot be kept.
  uint8_t VerdictOf(const Status& status);
  bool SetScores(const Pod& pod, const NodeChunk& chunk, uint64_t passed);
  void RefreshWordBest(size_t word);

  const Framework& framework_;
  PodSignature signature_;
  PluginBits open_;
  CycleState state_;
  bool is_usable_ = true;
  RowReplay replay_;
  Bitset feasible_;
  std::vector<uint8_t> verdicts_;
  std::vector<Status> statuses_;
  std::vector<int64_t> base_;
  std::vector<int64_t> word_best_;
  std::vector<Column> columns_;
};

}  // namespace stowage
