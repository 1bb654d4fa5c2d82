// PodSums adds up, by the values of a topology key, the pods that some selectors match. It follows
// the rows that changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/api/node.h"
#include "core/framework/pod_counts.h"
#include "core/framework/topology_column.h"

namespace stowage {

class PodSums {
 public:
  // Which nodes count; empty: all do. It depends on the Node alone.
  using NodeFilter = std::function<bool(const Node&)>;

  PodSums(std::shared_ptr<TopologyColumn> column, std::shared_ptr<PodCounts> counts,
          NodeFilter filter = nullptr)
      : column_(std::move(column)), counts_(std::move(counts)), filter_(std::move(filter)) {}

  const std::shared_ptr<TopologyColumn>& column() const { return column_; }
  // The summands.
  const std::shared_ptr<PodCounts>& counts() const { return counts_; }

  // Numbers of values are the column's, those that it made since the last refresh included.
  size_t num_values() const { return domains_.size(); }
  // Rows that count and have this value; rows without the label have the empty one.
  size_t NumRows(uint32_t value) const {
    return value < domains_.size() ? static_cast<size_t>(domains_[value].rows) : 0;
  }
  // Pods that are not terminating, over the rows with this value.
  int64_t Live(uint32_t value) const { return value < domains_.size() ? domains_[value].live : 0; }
  // All pods, over the rows that have the label with this value.
  int64_t All(uint32_t value) const { return value < domains_.size() ? domains_[value].all : 0; }
  // Of all values.
  int64_t total() const { return total_; }
  // Values with rows.
  size_t size() const { return num_domains_; }
  // The least Live of a value with rows; the largest int32 when there is none.
  int64_t MinLive() const;

  // Brings column and counts up to date as well.
  void Refresh(const NodeTable& table);
  size_t bytes() const {
    return sizeof(PodSums) + shares_.capacity() * sizeof(Share) +
           domains_.capacity() * sizeof(Domain);
  }

 private:
  // Going over so many values is quicker than keeping an order.
  static constexpr size_t kUnorderedMax = 32;

  struct Domain {
    int64_t live = 0;
    int64_t all = 0;
    int64_t rows = 0;
  };
  // What a row has added to which domain.
  struct Share {
    int64_t live = 0;
    int64_t all = 0;
    uint32_t value = TopologyColumn::kEmptyValue;
    bool is_counted = false;

    friend bool operator==(const Share&, const Share&) = default;
  };

  void ReadAll(const NodeTable& table);
  void Read(const NodeTable& table, size_t row);
  void Add(const Share& share, int sign);
  void CountLive(int64_t live, int change);

  // Held, so that values keep their numbers.
  std::shared_ptr<TopologyColumn> column_;
  std::shared_ptr<PodCounts> counts_;
  NodeFilter filter_;
  RowReplay replay_;
  std::vector<Share> shares_;    // by row
  std::vector<Domain> domains_;  // by value
  size_t num_domains_ = 0;
  int64_t total_ = 0;
  bool is_ordered_ = false;
  std::map<int64_t, size_t> domains_by_live_;  // how many; only while ordered
};

}  // namespace stowage
