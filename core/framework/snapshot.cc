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
  num_node_changes_ = saved.num_node_changes_;
  by_name_ = std::move(saved.by_name_);
  // A node in the same place of both lists knows its row.
  std::vector<const NodeInfo*> before(nodes().begin(), nodes().end());
  table_.Restore(std::move(saved.table_));
  for (uint32_t row = 0; row < NumNodes(); ++row) {
    const NodeInfo* info = nodes()[row];
    bool is_in_place = row < before.size() && before[row] == info;
    if (!is_in_place && info != nullptr) info->set_row(row);
  }
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
  if (table_.Lists(list)) return;
  std::shared_ptr<const NodeNames> names = table_.names();
  std::vector<uint32_t> moves = table_.Rebuild(list);
  std::vector<bool> is_kept(list.size());
  for (size_t row = 0; row < moves.size(); ++row) {
    if (moves[row] == kNoRow) {
      by_name_.erase((*names)[row]);
    } else {
      is_kept[moves[row]] = true;
    }
  }
  for (uint32_t row = 0; row < list.size(); ++row) {
    if (!is_kept[row]) by_name_[list[row]->name()] = (*table_.slots())[row];
  }
}

}  // namespace stowage
