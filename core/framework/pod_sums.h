// PodSums adds up, by the values of a topology key, the pods that some selectors match. It follows
// the rows that changed.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/framework/pod_counts.h"
#include "core/framework/topology_column.h"

namespace stowage {

class PodSums {
 public:
  PodSums(std::shared_ptr<const TopologyColumn> column, std::shared_ptr<const PodCounts> counts)
      : column_(std::move(column)), counts_(std::move(counts)) {}

  const std::shared_ptr<const TopologyColumn>& column() const { return column_; }
  // The summands.
  const std::shared_ptr<const PodCounts>& counts() const { return counts_; }
  // Those that are not terminating, over all rows with this value of the column; rows without the
  // label have the empty one.
  int64_t Live(uint32_t value) const { return live_[value]; }

  // Column and counts are up to date.
  void Refresh(const NodeTable& table);
  size_t bytes() const {
    return sizeof(PodSums) + shares_.capacity() * sizeof(Share) +
           live_.capacity() * sizeof(int64_t);
  }

 private:
  // What a row has added to which sum.
  struct Share {
    uint32_t value = TopologyColumn::kEmptyValue;
    int32_t live = 0;
  };

  void Read(size_t row);

  // Held, so that values keep their numbers.
  std::shared_ptr<const TopologyColumn> column_;
  std::shared_ptr<const PodCounts> counts_;
  RowReplay replay_;
  std::vector<Share> shares_;  // by row
  std::vector<int64_t> live_;  // by value
};

}  // namespace stowage
