// PodCounts knows how many pods on each row of a NodeTable some selectors match.
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

// How many pods match all of some matchers, by row.
class PodCounts {
 public:
  explicit PodCounts(std::vector<PodMatcher> matchers) : matchers_(std::move(matchers)) {}

  // All matching pods of the row.
  int64_t All(size_t row) const { return counts_[row].all; }
  // Those that are not terminating.
  int64_t Live(size_t row) const { return counts_[row].live; }
  // The same of a node that is on no row.
  int64_t LiveOn(const NodeInfo& node) const;
  // Over all rows.
  int64_t total() const { return total_; }

  bool Matches(const Pod& pod) const;
  void Refresh(const NodeTable& table);
  size_t bytes() const { return sizeof(PodCounts) + counts_.capacity() * sizeof(Count); }

 private:
  struct Count {
    int32_t all = 0;
    int32_t live = 0;
  };

  Count CountOf(const NodeInfo& node) const;
  void Read(const NodeInfo& node, Count* count);
  void Add(const Pod& pod, int change, Count* count);

  std::vector<PodMatcher> matchers_;
  RowReplay replay_;
  uint64_t log_head_ = 0;  // of the table's PodLog, when it was read last
  std::vector<Count> counts_;
  int64_t total_ = 0;
};

}  // namespace stowage
