// PodLog says which pods came to and left the rows of a NodeTable, for readers that count pods:
// they read what changed on a row instead of all of its pods. PodJournal collects it node by node.
//
// Either may have to pass; a reader then goes by the rows of the ChangeLog, which is the plain
// form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/framework/pod_info.h"

namespace stowage {

struct PodChange {
  PodInfoRef pod;
  bool is_added = false;  // else removed
};

// The changes of one node's pods since they had a certain generation.
class PodJournal {
 public:
  // More are not collected: reading a node's pods again is cheaper then.
  static constexpr size_t kMax = 64;

  void Append(PodInfoRef pod, bool is_added) {
    if (since_ == kUnknown) return;
    if (changes_.size() < kMax) {
      changes_.push_back({std::move(pod), is_added});
    } else {
      changes_.clear();
      since_ = kUnknown;
    }
  }
  // Starts anew with pods of that generation.
  void Restart(uint64_t generation) {
    changes_.clear();
    since_ = generation;
  }

  // Whether the changes are all that happened to pods of that generation.
  bool IsSince(uint64_t generation) const { return since_ == generation; }
  std::span<const PodChange> changes() const { return changes_; }

 private:
  static constexpr uint64_t kUnknown = std::numeric_limits<uint64_t>::max();

  std::vector<PodChange> changes_;
  uint64_t since_ = 0;
};

// A ring of changes with an absolute head; a reader keeps a cursor.
class PodLog {
 public:
  // Pods that are gone stay in memory while they are in the ring.
  static constexpr size_t kCapacity = 1024;

  struct Entry {
    uint32_t row = 0;
    PodChange change;
  };

  void Append(uint32_t row, const PodChange& change) {
    if (ring_.empty()) ring_.resize(kCapacity);
    ring_[head_++ % kCapacity] = {row, change};
  }
  // Something happened that is not in the log: no reader gets past it.
  void Break() { unbroken_since_ = ++head_; }

  uint64_t head() const { return head_; }
  // Visits what happened since the head was `cursor`, in order. False: the log does not know all of
  // it, and nothing was visited.
  template <typename Visit>
  bool ForEachSince(uint64_t cursor, Visit visit) const {
    if (cursor < unbroken_since_ || head_ - cursor > kCapacity) return false;
    for (; cursor < head_; ++cursor) visit(ring_[cursor % kCapacity]);
    return true;
  }

 private:
  std::vector<Entry> ring_;
  uint64_t head_ = 0;
  uint64_t unbroken_since_ = 0;
};

}  // namespace stowage
