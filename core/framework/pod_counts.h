// PodCounts knows, for each row of a NodeTable, how many pods some selectors match.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/api/pod.h"
#include "core/api/selector.h"
#include "core/framework/row_replay.h"

namespace stowage {

class NodeInfo;

// Pods of these namespaces that the selector selects.
struct PodMatcher {
  std::vector<Symbol> namespaces;
  bool all_namespaces = false;
  Selector selector;

  bool Matches(const Pod& pod) const;
  std::string CanonicalKey() const;
};

// Which pods count, and how much. Pods may have any number of terms: those that are looked up
// together, such as all terms of one topology key, are one selection with one count.
struct PodSelection {
  enum class Rule : uint8_t {
    kAll,  // 1 for a pod that every matcher matches
    kAny,  // 1 for a pod that some matcher matches
    kSum,  // the weights of the matchers that match
  };

  // There is at least one matcher.
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

// What the selected pods amount to, by row.
class PodCounts {
 public:
  explicit PodCounts(PodSelection selection) : selection_(std::move(selection)) {}

  // All selected pods of the row.
  int64_t All(size_t row) const { return counts_[row].all; }
  // Those that are not terminating.
  int64_t Live(size_t row) const { return counts_[row].live; }
  // The same of a node that is on no row.
  int64_t LiveOn(const NodeInfo& node) const;
  // Over all rows.
  int64_t total() const { return total_; }

  const PodSelection& selection() const { return selection_; }
  void Refresh(const NodeTable& table);
  size_t bytes() const { return sizeof(PodCounts) + counts_.capacity() * sizeof(Count); }

 private:
  struct Count {
    int64_t all = 0;
    int64_t live = 0;
  };

  Count CountOf(const NodeInfo& node) const;
  void Read(const NodeInfo& node, Count* count);
  void Add(const Pod& pod, int change, Count* count);

  PodSelection selection_;
  RowReplay replay_;
  uint64_t log_head_ = 0;  // of the table's PodLog, when it was read last
  std::vector<Count> counts_;
  int64_t total_ = 0;
};

}  // namespace stowage
