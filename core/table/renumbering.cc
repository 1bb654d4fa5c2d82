#include "core/table/renumbering.h"

namespace stowage {

Renumbering::Renumbering(std::vector<Move> moves, size_t rows_before, size_t rows)
    : moves_(std::move(moves)), num_rows_before_(rows_before), num_rows_(rows) {
  // Of the rows that another node has now, or none, those that no move comes from.
  Bitset left(rows_before);
  for (const Move& move : moves_) {
    if (move.row < rows_before) left.Set(move.row, true);
  }
  for (size_t row = rows; row < rows_before; ++row) left.Set(row, true);
  for (const Move& move : moves_) {
    if (!move.IsNew()) left.Set(move.previous, false);
  }
  left.ForEach([this](size_t row) { removed_.push_back(static_cast<uint32_t>(row)); });
}

std::vector<Renumbering::Move> Renumbering::MovesOf(std::span<const uint32_t> previous) {
  std::vector<Move> moves;
  for (uint32_t row = 0; row < previous.size(); ++row) {
    if (previous[row] != row) moves.push_back({row, previous[row]});
  }
  return moves;
}

}  // namespace stowage
