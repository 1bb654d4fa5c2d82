#include "core/table/renumbering.h"

#include <numeric>

namespace stowage {

Renumbering::Renumbering(std::vector<Move> moves, size_t rows_before, size_t rows)
    : moves_(std::move(moves)), num_rows_before_(rows_before), num_rows_(rows) {
  FindRuns();
  if (rows_before + added_.size() > rows) FindRemoved(rows_before + added_.size() - rows);
}

void Renumbering::FindRuns() {
  Run run = {};
  Move last{kNoRow, kNoRow};
  for (uint32_t at = 0; at < moves_.size(); ++at) {
    const Move& move = moves_[at];
    if (move.IsNew()) {
      added_.push_back(move.row);
      continue;
    }
    uint32_t stride = move.row - last.row;
    bool continues = run.count > 0 && move.previous - last.previous == stride &&
                     (run.count == 1 || run.stride == stride);
    if (!continues) {
      if (run.count > 0) runs_.push_back(run);
      run = {move, 0, 0};
    }
    if (run.count == 1) run.stride = stride;
    ++run.count;
    last = move;
  }
  if (run.count > 0) runs_.push_back(run);
}

// Of the rows that another node has now, or none, those that no move comes from.
void Renumbering::FindRemoved(size_t count) {
  if (count == 1) {
    // The only one is the difference of the sums.
    size_t sum = 0;
    for (const Move& move : moves_) {
      if (move.row < num_rows_before_) sum += move.row;
      if (!move.IsNew()) sum -= move.previous;
    }
    for (size_t row = num_rows_; row < num_rows_before_; ++row) sum += row;
    removed_.push_back(static_cast<uint32_t>(sum));
    return;
  }
  std::vector<uint8_t> left(num_rows_before_);
  for (const Move& move : moves_) {
    if (move.row < num_rows_before_) left[move.row] = 1;
  }
  if (num_rows_ < num_rows_before_) {
    std::fill(left.begin() + static_cast<ptrdiff_t>(num_rows_), left.end(), uint8_t{1});
  }
  for (const Move& move : moves_) {
    if (!move.IsNew()) left[move.previous] = 0;
  }
  for (auto place = std::ranges::find(left, 1); place != left.end();
       place = std::find(place + 1, left.end(), 1)) {
    removed_.push_back(static_cast<uint32_t>(place - left.begin()));
  }
}

Renumbering Renumbering::Inverse() const {
  std::vector<uint32_t> rows(num_rows_before_);
  std::iota(rows.begin(), rows.end(), uint32_t{0});
  for (const Move& move : moves_) {
    if (!move.IsNew()) rows[move.previous] = move.row;
  }
  for (uint32_t row : removed_) rows[row] = kNoRow;
  return Renumbering(rows, num_rows_);
}

std::vector<Renumbering::Move> Renumbering::MovesOf(std::span<const uint32_t> previous) {
  size_t count = 0;
  for (uint32_t row = 0; row < previous.size(); ++row) count += previous[row] != row ? 1 : 0;
  std::vector<Move> moves;
  moves.reserve(count);
  for (uint32_t row = 0; row < previous.size(); ++row) {
    if (previous[row] != row) moves.push_back({row, previous[row]});
  }
  return moves;
}

}  // namespace stowage
