// PodSums sums PodCounts by the values of a topology key. Refresh reads only the rows that changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/api/node.h"
#include "core/table/pod_counts.h"
#include "core/table/topology_column.h"

namespace stowage {

class PodSums {
 public:
  // Returns whether a node counts. Must depend on nothing but the Node. Empty: all nodes count.
  using NodeFilter = std::function<bool(const Node&)>;

  PodSums(std::shared_ptr<TopologyColumn> column, std::shared_ptr<PodCounts> counts,
          NodeFilter filter = nullptr)
      : column_(std::move(column)), counts_(std::move(counts)), filter_(std::move(filter)) {}

  const std::shared_ptr<TopologyColumn>& column() const { return column_; }
  // The counts by row that are summed.
  const std::shared_ptr<PodCounts>& counts() const { return counts_; }

  // Values have the numbers of the column.
  size_t num_values() const { return domains_.size(); }
  // Counted rows with this value. Rows without the label have the empty value.
  size_t NumRows(uint32_t value) const {
    return value < domains_.size() ? static_cast<size_t>(domains_[value].rows) : 0;
  }
  // Pods that are not terminating on the rows with this value.
  int64_t Live(uint32_t value) const { return value < domains_.size() ? domains_[value].live : 0; }
  // All pods on the rows that have the label, with this value.
  int64_t All(uint32_t value) const { return value < domains_.size() ? domains_[value].all : 0; }
  // All, summed over the values.
  int64_t total() const { return total_; }
  // The number of values with counted rows.
  size_t size() const { return num_domains_; }
  // The least Live of the values with counted rows; the largest int32 if there is none.
  int64_t MinLive() const;

  // Refreshes the column and the counts as well.
  void Refresh(const NodeTable& table);
  size_t bytes() const {
    return sizeof(PodSums) + shares_.capacity() * sizeof(Share) +
           domains_.capacity() * sizeof(Domain);
  }

 private:
  // Up to this many values, MinLive scans; with more, domains_by_live_ keeps them ordered.
  static constexpr size_t kUnorderedMax = 32;

  struct Domain {
    int64_t live = 0;
    int64_t all = 0;
    int64_t rows = 0;
  };
  // The amounts that a row has added to the domain `value`.
  struct Share {
    int64_t live = 0;
    int64_t all = 0;
    uint32_t value = TopologyColumn::kEmptyValue;
    bool is_counted = false;

    friend bool operator==(const Share&, const Share&) = default;
  };

  void ReadAll(const NodeTable& table);
  void Read(const NodeTable& table, size_t row);
  // Reads a row whose Node is the same.
  void ReadCounts(size_t row);
  void SetShare(size_t row, const Share& share);
  void Add(const Share& share, int sign);
  void CountLive(int64_t live, int change);

  // Shared ownership keeps the column alive, and with it the numbers of its values.
  std::shared_ptr<TopologyColumn> column_;
  std::shared_ptr<PodCounts> counts_;
  NodeFilter filter_;
  RowReplay replay_;
  uint64_t counts_head_ = 0;   // the heads of the counts' changes and of the table's node changes,
  uint64_t nodes_head_ = 0;    // at the last Refresh
  std::vector<Share> shares_;  // by row
  std::vector<Domain> domains_;  // by value
  size_t num_domains_ = 0;
  int64_t total_ = 0;
  bool is_ordered_ = false;
  std::map<int64_t, size_t> domains_by_live_;  // number of domains; only if is_ordered_
};

}  // namespace stowage
