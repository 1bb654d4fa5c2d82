#include "core/framework/snapshot.h"

namespace stowage {

void Snapshot::Refresh(Entry* entry, NodeInfo* info, const PodJournal* journal) {
  info->set_row(entry->row);  // also where a node came back at its predecessor's address
  if (entry->info != info) {
    entry->info = info;
    list_[entry->row] = info;
  }
  table_.Update(entry->row, *info, journal);
}

void Snapshot::SetList(std::vector<Symbol> names, std::vector<NodeInfo*> list) {
  names_ = std::move(names);
  list_.assign(list.begin(), list.end());
  for (uint32_t row = 0; row < list.size(); ++row) {
    NodeInfo* info = list[row];
    info->set_row(row);
    by_name_[names_[row]] = {info, row};
  }
  table_.Rebuild(list);
}

}  // namespace stowage
