// NominationLog lists the nodes whose nominated pods have changed, for readers that keep what they
// read of each node. It is bounded: a reader that is far behind must read all nodes again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/symbol.h"

namespace stowage {

class NominationLog {
 public:
  void Append(const Symbol& node) {
    if (nodes_.size() == kMax) {
      nodes_.erase(nodes_.begin(), nodes_.begin() + kMax / 2);
      first_ += kMax / 2;
    }
    nodes_.push_back(node);
  }
  // All nominations may have changed.
  void Break() {
    first_ = head() + 1;
    nodes_.clear();
  }

  uint64_t head() const { return first_ + nodes_.size(); }
  // Whether the log has all changes since its head was `cursor`; 0 stands for a reader that has
  // read nothing yet.
  bool HoldsSince(uint64_t cursor) const { return cursor >= first_; }
  // The nodes of these changes, some of them repeatedly.
  std::span<const Symbol> Since(uint64_t cursor) const {
    return std::span(nodes_).subspan(static_cast<size_t>(cursor - first_));
  }

 private:
  static constexpr size_t kMax = 1024;

  std::vector<Symbol> nodes_;
  uint64_t first_ = 1;  // the head before the first of them
};

}  // namespace stowage
