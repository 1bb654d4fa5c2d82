// PodCounts counts, for each row of a NodeTable, the pods that a PodSelection matches.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/api/pod.h"
#include "core/api/selector.h"
#include "core/table/label_filter.h"
#include "core/table/pod_log.h"
#include "core/table/row_replay.h"

namespace stowage {

class NodeInfo;

// Matches the pods in these namespaces that the selector selects.
struct PodMatcher {
  std::vector<Symbol> namespaces;
  bool all_namespaces = false;
  Selector selector;

  bool Matches(const Pod& pod) const;
  std::string CanonicalKey() const;
};

// Which pods count, and how much each counts. A pod may have any number of terms: terms that are
// looked up together, such as all terms of one topology key, share one selection and one count.
struct PodSelection {
  enum class Rule : uint8_t {
    kAll,  // 1 for a pod that every matcher matches
    kAny,  // 1 for a pod that some matcher matches
    kSum,  // the weights of the matchers that match
  };

  // At least one matcher.
  PodSelection(std::vector<PodMatcher> all) : matchers(std::move(all)) {}  // NOLINT: implicit
  PodSelection(std::vector<PodMatcher> any_or_sum, Rule rule, std::vector<int64_t> weights = {})
      : matchers(std::move(any_or_sum)), rule(rule), weights(std::move(weights)) {}

  int64_t AmountOf(const Pod& pod) const;
  bool Matches(const Pod& pod) const { return AmountOf(pod) != 0; }
  std::string CanonicalKey() const;

  std::vector<PodMatcher> matchers;
  Rule rule = Rule::kAll;
  std::vector<int64_t> weights;  // of kSum, one for each matcher
};

// The amounts of the selected pods (PodSelection::AmountOf), summed by row.
class PodCounts {
 public:
  explicit PodCounts(PodSelection selection) : selection_(std::move(selection)) {}

  // All selected pods of the row.
  int64_t All(size_t row) const { return counts_[row].all; }
  // The selected pods of the row that are not terminating.
  int64_t Live(size_t row) const { return counts_[row].live; }
  // Live for a node without a row, such as a clone. Counts the node's pods.
  int64_t LiveOn(const NodeInfo& node) const;
  // All, summed over the rows.
  int64_t total() const { return total_; }

  const PodSelection& selection() const { return selection_; }
  // Whether the next Refresh may have to read all rows.
  bool MayReadAll(const NodeTable& table) const { return replay_.IsFarBehind(table); }
  // Reads what changed since the last call. `filter` is refreshed, or null; it spares reading rows.
  void Refresh(const NodeTable& table, const LabelFilter* filter = nullptr);

  // Rises with every change of a row's amounts.
  uint64_t head() const { return head_; }
  // Visits, at least once, each row whose amounts have changed since the head was `cursor`. Returns
  // false, and visits nothing, if they are not known.
  template <typename Visit>
  bool ForEachChangeSince(uint64_t cursor, const Visit& visit) const {
    if (cursor < known_since_ || head_ - cursor > changed_.size()) return false;
    for (; cursor < head_; ++cursor) visit(changed_[cursor % changed_.size()]);
    return true;
  }
  size_t bytes() const {
    return sizeof(PodCounts) + counts_.capacity() * sizeof(Count) +
           known_.capacity() * sizeof(Known);
  }

 private:
  struct Count {
    int64_t all = 0;
    int64_t live = 0;
  };
  // What the selection makes of pods of a kind; its number is 0 if it was not asked for.
  struct Known {
    uint64_t kind = 0;
    int64_t amount = 0;
  };

  Count CountOf(const NodeInfo& node) const;
  void ReadAll(const NodeTable& table, const LabelFilter* filter);
  void Read(const NodeInfo& node, uint32_t row);
  void Add(const PodLog::Entry& entry, uint32_t row);
  // Forgets what is known of kinds if another log numbers them.
  void FollowKinds(const PodLog& log);
  // What the selection makes of the entry's pod.
  int64_t AmountOf(const PodLog::Entry& entry);
  void NoteChange(uint32_t row) { changed_[head_++ % changed_.size()] = row; }
  // Marks changes that changed_ does not hold.
  void ForgetChanges() { known_since_ = ++head_; }

  PodSelection selection_;
  RowReplay replay_;
  uint64_t log_head_ = 0;  // the head of the table's PodLog at the last Refresh
  std::vector<Count> counts_;
  int64_t total_ = 0;
  // A ring of the rows that have changed last: few of the pods that come and go are selected.
  std::array<uint32_t, 32> changed_ = {};
  uint64_t head_ = 0;
  uint64_t known_since_ = 0;
  // The amounts of pods by the place of their kind in kinds_.
  std::shared_ptr<const PodKinds> kinds_;
  std::vector<Known> known_;
};

}  // namespace stowage
