// VerdictCache remembers what a profile's plugins said about every node for pods of one signature,
// and looks again only at nodes that changed.
//
// It may change speed, never a decision: the plain form in core/scheduler/scheduling_cycle.cc is
// the reference, and tests/core/runtime/verdict_cache_test.cc proves both equal. An entry is used
// only for pods whose plugins all vouch for their fragment (FragmentPlugin), without PreFilter
// narrowing and while nobody is nominated.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/base/bitset.h"
#include "core/framework/pod_signature.h"
#include "core/framework/row_replay.h"
#include "core/runtime/framework.h"
#include "core/runtime/tie_breaker.h"

namespace stowage {

// When a signature gets an entry. Tests run every mode; the results must not differ.
enum class VerdictCacheMode : uint8_t { kOff, kFirstUse, kSecondUse };

struct VerdictCacheOptions {
  VerdictCacheMode mode = VerdictCacheMode::kFirstUse;
  size_t max_bytes = size_t{64} << 20;
};

// The rows that a search visits, in visit order from `start`.
struct SearchWindow {
  size_t start = 0;
  size_t evaluated = 0;  // rows visited
  size_t feasible = 0;   // of these, rows that pass
};

class VerdictEntry {
 public:
  VerdictEntry(const Framework& framework, PodSignature signature)
      : framework_(framework), signature_(std::move(signature)) {}

  // Brings all rows up to date with the snapshot. False: these pods cannot be remembered (PreFilter
  // narrows or refuses, a plugin fails, too many different verdicts).
  bool Refresh(const Pod& pod);

  // The window that ends before the first surplus feasible row (spec 05 §5.2).
  SearchWindow Window(size_t start, size_t want) const;
  // The refusals inside the window.
  NodeToStatus Statuses(const SearchWindow& window) const;
  // The node with the best total in the window, which holds at least two feasible rows. The fault
  // is a plugin's.
  Result<const NodeInfo*, Status> SelectHost(const Pod& pod, const SearchWindow& window,
                                             TieBreaker tie_breaker) const;
  // The only feasible row of the window.
  const NodeInfo& OnlyFeasible(const SearchWindow& window) const;

  const PodSignature& signature() const { return signature_; }
  size_t bytes() const;

 private:
  // Raw scores of a plugin that normalizes, with how often each value occurs among feasible rows: a
  // column of equal values cannot decide and is left out.
  struct Column {
    size_t score_plugin;  // index in Framework::score_plugins()
    std::vector<int64_t> raw;
    std::unordered_map<int64_t, size_t> population;
    bool has_been_negative;  // what its normalizer may refuse, however equal
  };

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
  const NodeInfo* SelectByBase(const SearchWindow& window, TieBreaker tie_breaker) const;
  template <typename Visit>
  void ForEachWord(const SearchWindow& window, Visit visit) const;
  template <typename Visit>
  void ForEachFeasible(const SearchWindow& window, Visit visit) const;
  Status AddNormalized(const Pod& pod, const SearchWindow& window, const Column& column,
                       std::vector<int64_t>* totals) const;

  const Framework& framework_;
  PodSignature signature_;
  CycleState state_;
  bool is_usable_ = true;
  RowReplay replay_;
  Bitset feasible_;
  std::vector<uint8_t> verdicts_;  // 0 passes, k: statuses_[k - 1]
  std::vector<Status> statuses_;
  std::vector<int64_t> base_;       // Σ weight × score of plugins that don't normalize
  std::vector<int64_t> word_best_;  // the best base among the feasible rows of each 64
  std::vector<Column> columns_;
};

class VerdictCache {
 public:
  VerdictCache(const Framework& framework, VerdictCacheOptions options)
      : framework_(framework), options_(options) {}

  // The refreshed entry for this pod, or null when it has to be decided plainly.
  const VerdictEntry* Find(const Pod& pod);

  size_t size() const { return entries_.size(); }

 private:
  // Most recently used first.
  using Entries = std::list<VerdictEntry>;

  VerdictEntry* Lookup(PodSignature signature);
  void Evict();

  const Framework& framework_;
  VerdictCacheOptions options_;
  Entries entries_;
  std::unordered_map<PodSignature, Entries::iterator, PodSignatureHash> by_signature_;
  std::unordered_map<PodSignature, bool, PodSignatureHash> seen_once_;
};

}  // namespace stowage
