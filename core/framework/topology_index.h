// TopologyIndex knows, for topology keys and pod selectors that plugins ask about, each row's value
// and how many pods on it are selected, so that no decision walks the pods of the cluster.
//
// What is asked for is kept and brought up to date with the rows that changed since; it may change
// speed, never an answer. Values and counts are shared pointers: what a cycle holds stays as it is
// until the next snapshot is taken.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/api/pod.h"
#include "core/api/selector.h"
#include "core/framework/node_table.h"
#include "core/framework/row_replay.h"

namespace stowage {

// The values of one topology key: a small number for each, by row.
class TopologyColumn {
 public:
  static constexpr uint32_t kMissing = 0xffffffff;
  static constexpr uint32_t kEmptyValue =
      0;  // the number of the value "", whether or not it occurs

  explicit TopologyColumn(Symbol key) : key_(std::move(key)) { Clear(); }

  const Symbol& key() const { return key_; }
  // kMissing where the node has no such label.
  uint32_t At(size_t row) const { return values_[row]; }
  // The number of a value; kMissing when no row has ever had it.
  uint32_t Find(const Symbol& value) const;
  // One more than the largest number. A value may have lost its last row.
  size_t num_values() const { return num_values_; }

  void Refresh(const NodeTable& table);

 private:
  void Clear();
  uint32_t NumberOf(const Symbol& value);
  void Read(const NodeTable& table, size_t row);

  Symbol key_;
  RowReplay replay_;
  std::vector<uint32_t> values_;
  std::unordered_map<Symbol, uint32_t, SymbolHash> numbers_;
  size_t num_values_ = 0;
};

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

  void Read(const NodeInfo& node, Count* count);

  std::vector<PodMatcher> matchers_;
  RowReplay replay_;
  std::vector<Count> counts_;
  int64_t total_ = 0;
};

class TopologyIndex {
 public:
  // `max_bytes` bounds the counts that are kept; at least one always is.
  explicit TopologyIndex(const NodeTable& table, size_t max_bytes = size_t{64} << 20)
      : table_(table), max_bytes_(max_bytes) {}

  std::shared_ptr<const TopologyColumn> Column(const Symbol& key);
  // Pods that match every one of `matchers`, of which there is at least one.
  std::shared_ptr<const PodCounts> Counts(std::vector<PodMatcher> matchers);

 private:
  // Most recently used first.
  struct Entry {
    std::string key;
    std::shared_ptr<PodCounts> counts;
  };

  void EvictColumns();
  void EvictCounts();

  const NodeTable& table_;
  size_t max_bytes_;
  std::unordered_map<Symbol, std::shared_ptr<TopologyColumn>, SymbolHash> columns_;
  std::list<Entry> entries_;
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace stowage
