// RowKey lists what the plugins that compare pods (ClassPlugin) read of a row, for pods of one
// signature. Rows with equal keys get equal verdicts and raw scores from them in a cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/table/topology_index.h"

namespace stowage {

class RowKey {
 public:
  // The row's domain of a topology key. The key's value identifies it; if each value has one row
  // only (as hostnames do), the sum over the domain stands in, so that rows can still be equal.
  void AddDomain(std::shared_ptr<PodSums> sums);
  // The same for the term `term` of TopologyIndex::Terms().entries().
  void AddDomain(TopologyIndex* index, uint32_t term);
  // The row's value of a label.
  void AddLabel(std::shared_ptr<TopologyColumn> column);
  // The number of the row's own pods that are not terminating.
  void AddLivePods(std::shared_ptr<PodCounts> counts);
  // Whether the row has the topology key.
  void AddHasKey(std::shared_ptr<TopologyColumn> column);

  size_t size() const { return parts_.size(); }
  // With so many parts, reading the key of every row takes longer than a plain decision, and few
  // other pods share the signature.
  bool IsTooLong() const { return parts_.size() > kMaxParts; }
  // Whether a row's key may change with its pods or those of other rows, not only with its Node.
  bool ReadsPods() const;
  // Refreshes the columns, sums and counts that the parts read.
  void Refresh(const NodeTable& table) const;
  // Writes size() numbers to `key`.
  void Read(size_t row, int64_t* key) const;

  friend bool operator==(const RowKey&, const RowKey&) = default;

 private:
  static constexpr size_t kMaxParts = 64;

  enum class Kind : uint8_t { kHasKey, kValue, kSum, kWeightedSum, kTermPods, kLivePods };

  struct Part {
    Kind kind;
    std::shared_ptr<TopologyColumn> column = nullptr;
    std::shared_ptr<PodSums> sums = nullptr;
    std::shared_ptr<PodCounts> counts = nullptr;
    TopologyIndex* index = nullptr;
    uint32_t term = 0;

    friend bool operator==(const Part&, const Part&) = default;
  };

  void Add(Part part);

  std::vector<Part> parts_;
};

}  // namespace stowage
