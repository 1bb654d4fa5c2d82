// RowKey says what of a row the plugins look at that compare pods, for pods of one signature: rows
// that agree in all parts are alike to them, whatever is counted in a cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/framework/topology_index.h"

namespace stowage {

class RowKey {
 public:
  // The domain of a topology key that the row is in: its value, or, where values are names of
  // single rows, what is added up there.
  void AddDomain(std::shared_ptr<PodSums> sums);
  void AddDomain(TopologyIndex* index, uint32_t term);  // of an existing pods' term
  // The row's own pods that are not terminating.
  void AddLivePods(std::shared_ptr<PodCounts> counts);
  // Whether the row has the topology key.
  void AddHasKey(std::shared_ptr<TopologyColumn> column);

  size_t size() const { return parts_.size(); }
  // A pod that is compared with so much is one of its kind: it is decided plainly, since reading
  // the key of every row would take longer.
  bool IsTooLong() const { return parts_.size() > kMaxParts; }
  // Brings all that parts read up to date.
  void Refresh(const NodeTable& table) const;
  // Writes size() numbers.
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
