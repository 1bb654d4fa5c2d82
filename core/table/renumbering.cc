#include "core/table/renumbering.h"

namespace stowage {

Renumbering::Renumbering(std::vector<Move> moves, size_t rows_before, size_t rows)
    : moves_(std::move(moves)), num_rows_before_(rows_before), num_rows_(rows) {
  for (uint32_t at = 0; at < moves_.size(); ++at) {
    if (moves_[at].IsNew()) added_.push_back(moves_[at].row);
    AddToRuns(at);
  }
  if (rows_before + added_.size() > rows) FindRemoved();
}

void Renumbering::AddToRuns(uint32_t at) {
  const Move& move = moves_[at];
  bool is_forward = !move.IsNew() && !move.IsBackward();
  if (!runs_.empty() && is_forward) {
    Run& run = runs_.back();
    const Move& last = moves_[at - 1];
    uint32_t stride = move.row - last.row;
    bool fits = !last.IsNew() && !last.IsBackward() && move.previous - last.previous == stride &&
                (run.count == 1 || run.stride == stride);
    if (fits) {
      run.stride = stride;
      ++run.count;
      return;
    }
  }
  runs_.push_back({at, 1, 0});
}

// Of the rows that another node has now, or none, those that no move comes from.
void Renumbering::FindRemoved() {
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
