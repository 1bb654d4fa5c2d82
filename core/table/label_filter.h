// LabelFilter tells of most rows of a NodeTable that no pod of theirs has certain labels. The first
// count of a selection then reads the pods of few rows, where it would read all of the cluster.
//
// It errs on one side only: a row that it lets through may have no such pod.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/api/meta.h"
#include "core/api/selector.h"
#include "core/table/row_replay.h"

namespace stowage {

struct PodSelection;

class LabelFilter {
 public:
  // If a selection counts a pod, the pod's row has all bits of one of these lists.
  using Alternatives = std::vector<std::vector<uint32_t>>;
  static Alternatives AlternativesOf(const PodSelection& selection);

  // Reads what changed since the last call.
  void Refresh(const NodeTable& table);
  // Whether the row may have such a pod, as of the last Refresh.
  bool MayHave(size_t row, const Alternatives& alternatives) const;

 private:
  static constexpr uint32_t kBits = 4096;
  static constexpr uint32_t kWordBits = 64;
  // Of a Bloom filter: 110 pods with four labels of their own set a fifth of the bits.
  static constexpr size_t kBitsOfLabel = 2;

  static std::array<uint32_t, kBitsOfLabel> BitsOf(const Symbol& key, const Symbol& value);
  static void AddBitsOf(const Selector& selector, std::vector<uint32_t>* bits);
  bool HasAll(size_t row, const std::vector<uint32_t>& bits) const;
  void Read(const NodeTable& table, uint32_t row);

  RowReplay replay_{RowReplay::Reader::kOfRows};
  std::vector<std::array<uint64_t, kBits / kWordBits>> rows_;
};

}  // namespace stowage
