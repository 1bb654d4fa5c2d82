// ChunkStatuses holds the refusals of one chunk's nodes. Usually many nodes are refused with one
// status, so it is kept once, with its nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/framework/status.h"

namespace stowage {

class ChunkStatuses {
 public:
  struct Refusal {
    Status status;
    uint64_t offsets;  // of the nodes in the chunk, as bits; no node has two refusals
  };

  // Refuses nodes that are not refused yet; `offsets` is not empty.
  void Set(uint64_t offsets, const Status& status);
  void SetOne(size_t offset, const Status& status) { Set(uint64_t{1} << offset, status); }

  // Replaces each status since the last call by what `name` makes of it.
  template <typename Name>
  void NameNew(const Name& name) {
    for (; num_named_ < refusals_.size(); ++num_named_) {
      Status& status = refusals_[num_named_].status;
      status = name(std::move(status));
    }
  }

  // In the order in which they were set. Two of them may have equal statuses.
  std::span<const Refusal> refusals() const { return refusals_; }
  // The status of a refused node.
  const Status& operator[](size_t offset) const {
    for (const Refusal& refusal : refusals_) {
      if ((refusal.offsets >> offset & 1) != 0) return refusal.status;
    }
    CHECK(false);
  }

  void Clear() {
    refusals_.clear();
    num_named_ = 0;
  }

 private:
  std::vector<Refusal> refusals_;
  size_t num_named_ = 0;  // the first ones have their plugins' names
};

}  // namespace stowage
