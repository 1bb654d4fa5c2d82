// VerdictEntry caches the verdicts of a profile's plugins on every row for pods of one signature:
// refusals, and the scores that do not depend on other nodes.
//
// It covers the plugins that have a fragment for the pod. Of the others, class plugins are called
// for every pod, for one row of each class; if any plugin is neither, or there are too many
// classes, all of the others are called for every row.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/bitset.h"
#include "core/framework/pod_signature.h"
#include "core/runtime/framework.h"
#include "core/runtime/verdicts/base_scores.h"
#include "core/runtime/verdicts/device_replay.h"
#include "core/runtime/verdicts/nominated_verdicts.h"
#include "core/runtime/verdicts/remaining_rows.h"
#include "core/runtime/verdicts/score_classes.h"
#include "core/table/row_key.h"
#include "core/table/row_replay.h"

namespace stowage {

class VerdictEntry {
 public:
  // Raw scores of a plugin that normalizes, and the number of feasible rows for each value. A
  // column with one value cannot affect the choice and is left out.
  struct Column {
    size_t score_plugin;  // index in Framework::score_plugins()
    // Empty with classes, whose keys hold the raw scores.
    std::vector<int64_t> raw = {};
    std::unordered_map<int64_t, size_t> population = {};
    bool has_been_negative = false;  // the normalizer may fail, even with one value

    bool CanDecide() const { return population.size() > 1 || has_been_negative; }
  };

  // What one entry after another uses while it is filled, because allocating it takes long.
  struct Buffers {
    ChunkStatuses refusals;        // of one word or chunk
    std::vector<ChunkScores> raw;  // by column, of one word or chunk
    uint64_t zero_columns = 0;     // those that are 0 for all rows, as bits
    ChunkScores scores = {};       // of a plugin without a column
    std::vector<int32_t> bases;    // by offset, up to whole words
    std::vector<uint64_t> passed;  // rows by word
    std::vector<int64_t> key;
  };

  // No other entry may be in use while one is refreshed.
  VerdictEntry(const Framework& framework, PodSignature signature, UncachedPlugins uncached,
               Buffers* buffers)
      : framework_(framework),
        signature_(std::move(signature)),
        uncached_(uncached),
        buffers_(*buffers) {}

  // Takes over the memory of an entry that is about to be dropped. This one must be new.
  void TakeMemoryOf(VerdictEntry* other) {
    verdicts_ = std::move(other->verdicts_);
    feasible_ = std::move(other->feasible_);
    classes_ = std::move(other->classes_);
  }

  // Lets the entry use bases that other entries share. Their pods must agree in the fragments of
  // Framework::AppendBaseFragments.
  void ShareBases(std::shared_ptr<BaseScores> bases) { shared_bases_ = std::move(bases); }
  bool shares_bases() const { return shared_bases_ != nullptr; }

  // Updates all rows from the snapshot. False: verdicts for these pods cannot be cached (PreFilter
  // narrows or refuses, a plugin fails, too many different verdicts).
  bool Refresh(const Pod& pod);

  const PodSignature& signature() const { return signature_; }
  // The plugins, as index bits, whose verdicts and scores the entry does not hold.
  PluginBits uncached_plugins() const { return uncached_.per_class | uncached_.per_node; }
  // The plugins that need their own PreFilter state of a pod whose node is chosen.
  PluginBits allocating_plugins() const { return uncached_.allocating; }
  // The PreFilter and PreScore state of the other plugins.
  const CycleState& state() const { return state_; }
  // The state that class plugins derive from the pod.
  const CycleState& derived() const { return derived_; }
  const Bitset& feasible() const { return feasible_; }
  // By row: 0 if the node passes, k if it is refused with statuses()[k - 1].
  std::span<const uint8_t> verdicts() const { return verdicts_; }
  const std::vector<Status>& statuses() const { return statuses_; }
  const std::vector<Column>& columns() const { return columns_; }

  // Whether the feasible rows are in classes. A class's key is the raw scores of columns(), then
  // the numbers of the RowKey.
  bool has_classes() const { return has_classes_; }
  const ScoreClasses& classes() const { return classes_; }
  // Without classes: Σ weight × score of the plugins that do not normalize.
  std::span<const int32_t> base() const { return base_; }

  // The verdicts of the plugins that are not left out, with the pods that are nominated to the
  // nodes; null if one of them fails.
  const NominatedVerdicts* WithNominated(const Pod& pod) const {
    return nominated_.Refresh(framework_, *this, pod) ? &nominated_ : nullptr;
  }

  // The feasible rows that are in none of these classes, of which there is at least one.
  const Bitset& FeasibleWithout(std::span<const ScoreClasses::Class> refused) const {
    return remaining_.Without(refused, feasible_, classes_);
  }

  // A buffer for the statuses of a chunk, valid until the next Refresh of any entry. It is kept
  // because allocating one takes longer than filtering a chunk.
  ChunkStatuses& scratch_statuses() const { return buffers_.refusals; }

  size_t bytes() const;

 private:
  // Whether everything in the entry is invalid: the table cannot be replayed. An unusable entry is
  // refilled when nodes have come or gone.
  bool MustRefill(RowReplay::Step step) const;
  // Notes whether a Node has changed.
  void FollowNodes(bool is_moved);
  // Lists the rows whose storage has changed. False: every row must be read again.
  bool FollowStorage(const Pod& pod);
  // Whether what plugins derived from the pod is stale: a Node, Namespace, Service, workload or
  // placed pod's term has changed.
  bool MustDeriveAgain() const;
  // Whether the rows of FragmentPlugin::AppendRowsCountingNodes must be filled again.
  bool HasOtherNodeCount() const { return num_nodes_ != feasible_.size(); }

  bool Refill(const Pod& pod);
  bool RunPreFilter(const Pod& pod);
  bool RunPreScore(const Pod& pod);
  bool Derive(const Pod& pod);
  void Move();
  bool Fill(const Pod& pod);
  bool FillCountingRows(const Pod& pod);
  bool FillStaleRows(const Pod& pod, RowReplay::Step step);
  bool TakeManyRows(std::span<const uint64_t> marked);
  bool FillRows(const Pod& pod, std::span<const uint32_t> rows);
  bool FillWords(const Pod& pod);
  bool FilterWord(const Pod& pod, size_t word, PluginBits asked);
  bool FillChunk(const Pod& pod, const NodeChunk& chunk);
  std::optional<uint64_t> RunFilters(const Pod& pod, const NodeChunk& chunk, uint64_t candidates,
                                     PluginBits asked);
  // What is known of rows, because plugins that read the Node alone have judged them already.
  struct Known {
    uint64_t passed = 0;   // pass these plugins
    uint64_t refused = 0;  // are refused by one of them, and no other plugin refuses them first
  };
  Known KnownIn(const NodeChunk& chunk) const;
  std::optional<uint64_t> RunFilters(const Pod& pod, const NodeChunk& chunk, const Known& known);
  bool IsOfNodes(const Status& status) const;
  bool AreClassesOfNodes() const;
  int64_t RawOf(size_t row, size_t column) const;
  void ForgetScores(size_t row);
  // 1 + the index of `status` in statuses_; 0 if there is no room for it.
  uint8_t VerdictOf(const Status& status);
  bool SetRefused(const NodeChunk& chunk);
  bool ReadBases(const Pod& pod, const NodeChunk& chunk, std::span<const uint64_t> passed);
  bool ReadSharedBases(const Pod& pod, const NodeChunk& chunk);
  bool AddBases(const Pod& pod, const NodeChunk& chunk, std::span<const uint64_t> passed,
                bool must_be_quick, int32_t* bases);
  bool ScoreBase(const Pod& pod, const NodeChunk& chunk, std::span<const uint64_t> passed,
                 const PluginAt<ScorePlugin>& plugin);
  void FindZeroColumns();
  bool IsZeroColumn(size_t column) const { return (buffers_.zero_columns >> column & 1) != 0; }
  bool ReadColumns(const Pod& pod, const NodeChunk& chunk, uint64_t passed, uint64_t known = 0);
  bool SkipsScore(size_t plugin) const {
    return state_.SkipsScore(plugin) || (silent_ >> plugin & 1) != 0;
  }
  bool SetScores(const NodeChunk& chunk, uint64_t passed, const int32_t* bases);
  bool PutClasses(const NodeChunk& chunk, size_t word, uint64_t passed);
  uint64_t RowsLike(size_t offset, uint64_t rows) const;
  bool SetClass(size_t row, size_t offset, int32_t base);
  void SetColumns(size_t row, size_t offset, int32_t base);

  const Framework& framework_;
  PodSignature signature_;
  UncachedPlugins uncached_;
  CycleState state_;
  PluginBits silent_ = 0;  // plugins that score nothing (ScorePlugin::ScoresNothing)
  CycleState derived_;
  RowKey row_key_;
  Framework::Derivation derivation_;
  bool is_usable_ = true;
  RowReplay replay_{RowReplay::Reader::kOfContents};
  uint64_t nodes_head_ = 0;      // the head of the table's node changes at the last Refresh
  bool are_nodes_same_ = false;  // no Node has changed since the Refresh before this one
  DeviceReplay devices_;         // unused if no plugin reads devices
  uint64_t storage_cursor_ = 0;
  std::vector<uint32_t> storage_rows_;
  size_t num_nodes_ = 0;  // number of nodes that the scores depending on it were computed with
  Bitset feasible_;
  std::vector<uint8_t> verdicts_;
  std::vector<Status> statuses_;
  std::vector<uint8_t> of_nodes_;  // for each status, whether rows keep it until their Node changes
  std::vector<Column> columns_;
  bool has_classes_ = false;
  bool has_too_many_classes_ = false;
  bool are_classes_of_nodes_ = false;  // a row stays in its class until its Node changes
  ScoreClasses classes_;
  std::vector<int32_t> base_;
  std::shared_ptr<BaseScores> shared_bases_;  // null: bases are not shared
  mutable NominatedVerdicts nominated_;
  mutable RemainingRows remaining_;
  Buffers& buffers_;
};

}  // namespace stowage
