#include "core/framework/snapshot.h"

namespace stowage {

bool Snapshot::Refresh(const NodeInfo& info, const PodJournal* journal) {
  // Usually the node knows its row.
  if (!table_.IsRowOf(info.row(), info)) {
    auto [name, slot, is_new] = by_name_.try_emplace(info.name(), kNoRow);
    if (is_new) return false;
    // The node may have returned at the address of its removed predecessor.
    info.set_row(table_.RowOfSlot(slot));
  }
  table_.Update(info.row(), info, journal);
  return true;
}

void Snapshot::Restore(Snapshot saved) {
  generation_ = saved.generation_;
  shown_generation_ = saved.shown_generation_;
  listing_ = saved.listing_;
  num_node_changes_ = saved.num_node_changes_;
  by_name_ = std::move(saved.by_name_);
  table_.Restore(std::move(saved.table_));
}

void Snapshot::NoteChange(const NodeInfo& info) {
  auto found = by_name_.find(info.name());
  if (found == by_name_.end()) return;
  uint32_t row = table_.RowOfSlot(found->second);
  if (row == kNoRow || nodes()[row] != &info) return;
  info.set_row(row);
  table_.NoteChange(row);
}

void Snapshot::SetRows() const {
  for (uint32_t row = 0; row < NumNodes(); ++row) {
    if (nodes()[row] != nullptr) nodes()[row]->set_row(row);
  }
}

void Snapshot::SetList(std::span<const NodeInfo* const> list) {
  listing_ = 0;
  if (table_.Lists(list)) return;
  std::shared_ptr<const NodeNames> names = table_.names();
  FollowNames(names.get(), table_.Rebuild(list));
}

void Snapshot::Renumber(Renumbering moves, std::span<const NodeInfo* const> added) {
  if (moves.empty()) return;
  std::shared_ptr<const NodeNames> names = table_.names();
  FollowNames(names.get(), table_.Renumber(std::move(moves), added));
}

// `before`: the names by earlier rows.
void Snapshot::FollowNames(const NodeNames* before, const Renumbering& moves) {
  for (uint32_t row : moves.removed()) by_name_.erase((*before)[row]);
  for (uint32_t row : moves.added()) by_name_[nodes()[row]->name()] = (*table_.slots())[row];
}

}  // namespace stowage
