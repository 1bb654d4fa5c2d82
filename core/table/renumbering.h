// Renumbering says where the rows of a NodeTable go when its list of nodes changes. It names only
// the rows whose node is another one than before, so that values kept by row are changed in place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

// In place of a row number: there is no such row.
inline constexpr uint32_t kNoRow = 0xffffffff;

class Renumbering {
 public:
  // The row of a node, and its earlier row: kNoRow if the node is new.
  struct Move {
    uint32_t row;
    uint32_t previous;

    bool IsNew() const { return previous == kNoRow; }
    bool IsBackward() const { return previous < row; }
  };

  Renumbering() = default;
  // `moves`: all rows with another node than before, ascending.
  Renumbering(std::vector<Move> moves, size_t rows_before, size_t rows);
  // From the earlier row of each row.
  Renumbering(std::span<const uint32_t> previous, size_t rows_before)
      : Renumbering(MovesOf(previous), rows_before, previous.size()) {}

  bool empty() const { return moves_.empty() && removed_.empty(); }
  std::span<const Move> moves() const { return moves_; }
  // The rows of new nodes, ascending.
  std::span<const uint32_t> added() const { return added_; }
  // The earlier rows of nodes that are no longer listed, ascending.
  std::span<const uint32_t> removed() const { return removed_; }
  size_t num_rows_before() const { return num_rows_before_; }
  size_t num_rows() const { return num_rows_; }

  // Moves values to their new rows. New rows get `none`.
  template <typename T>
  void Apply(std::vector<T>* values, const T& none) const {
    // A value that moves backward would be overwritten before it is read.
    std::vector<T> backward;
    for (const Run& run : runs_) {
      const Move& first = moves_[run.first];
      if (first.IsBackward()) backward.push_back(std::move((*values)[first.previous]));
    }
    values->resize(std::max(num_rows_before_, num_rows_), none);
    T* all = values->data();
    auto next = backward.begin();
    for (const Run& run : runs_) {
      const Move& first = moves_[run.first];
      if (first.IsBackward()) all[first.row] = std::move(*next++);
      if (first.IsBackward() || first.IsNew()) continue;
      for (size_t at = 0; at < run.count; ++at) {
        all[first.row + at * run.stride] = std::move(all[first.previous + at * run.stride]);
      }
    }
    for (uint32_t row : added_) all[row] = none;
    values->resize(num_rows_, none);
  }

 private:
  // Successive moves forward whose rows and earlier rows are the same distance apart, as those of a
  // zone are; or one other move.
  struct Run {
    uint32_t first;  // index in moves_
    uint32_t count;
    uint32_t stride;
  };

  static std::vector<Move> MovesOf(std::span<const uint32_t> previous);
  void AddToRuns(uint32_t at);
  void FindRemoved();

  std::vector<Move> moves_;
  std::vector<Run> runs_;
  std::vector<uint32_t> added_;
  std::vector<uint32_t> removed_;
  size_t num_rows_before_ = 0;
  size_t num_rows_ = 0;
};

}  // namespace stowage
