#include "core/framework/snapshot.h"

namespace stowage {

void Snapshot::Refresh(Entry* entry, NodeInfo* info, const PodJournal* journal) {
  uint32_t row = table_.RowOfSlot(entry->slot);
  info->set_row(row);  // needed too if a node returned at the address of its removed predecessor
  entry->info = info;
  table_.Update(row, *info, journal);
}

void Snapshot::SetList(std::span<NodeInfo* const> list) {
  std::shared_ptr<const std::vector<Symbol>> names = table_.names();
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
    if (!is_kept[row]) by_name_[list[row]->name()].slot = (*table_.slots())[row];
  }
}

}  // namespace stowage
