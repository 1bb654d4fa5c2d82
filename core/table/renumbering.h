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

  // What undoes it: removed nodes are new again.
  Renumbering Inverse() const;

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
    // Values that move backward would be overwritten before they are read.
    size_t num_backward = 0;
    for (const Run& run : runs_) num_backward += run.first.IsBackward() ? run.count : 0;
    std::vector<T> backward(num_backward);
    T* kept = backward.data();
    for (const Run& run : runs_) {
      if (!run.first.IsBackward()) continue;
      MoveValues(run.count, values->data() + run.first.previous, run.stride, kept, 1);
      kept += run.count;
    }
    values->resize(std::max(num_rows_before_, num_rows_), none);
    T* all = values->data();
    kept = backward.data();
    for (const Run& run : runs_) {
      T* to = all + run.first.row;
      if (run.first.IsBackward()) {
        MoveValues(run.count, kept, 1, to, run.stride);
        kept += run.count;
      } else {
        MoveValues(run.count, all + run.first.previous, run.stride, to, run.stride);
      }
    }
    for (uint32_t row : added_) all[row] = none;
    values->resize(num_rows_, none);
  }

 private:
  // Successive moves by the same distance, of rows at equal distances: usually those of a zone.
  struct Run {
    Move first = {kNoRow, kNoRow};
    uint32_t count = 0;
    uint32_t stride = 0;
  };

  // Moves `count` values at equal distances, the first one first.
  template <typename T>
  [[gnu::noinline]] static void MoveValues(size_t count, T* from, size_t from_stride, T* to,
                                           size_t to_stride) {
    for (size_t at = 0; at < count; ++at) to[at * to_stride] = std::move(from[at * from_stride]);
  }

  static std::vector<Move> MovesOf(std::span<const uint32_t> previous);
  void FindRuns();
  void FindRemoved(size_t count);

  std::vector<Move> moves_;
  std::vector<Run> runs_;
  std::vector<uint32_t> added_;
  std::vector<uint32_t> removed_;
  size_t num_rows_before_ = 0;
  size_t num_rows_ = 0;
};

}  // namespace stowage
