#include "core/framework/snapshot.h"

namespace stowage {

void Snapshot::Refresh(Entry* entry, NodeInfo* info) {
  info->set_row(entry->row);  // also where a node came back at its predecessor's address
  if (entry->info != info) {
    entry->info = info;
    list_[entry->row] = info;
    are_derived_lists_stale_ = true;
  }
  bool has_affinity = !info->pods_with_affinity().empty();
  bool has_anti_affinity = !info->pods_with_required_anti_affinity().empty();
  if (entry->has_pods_with_affinity != has_affinity ||
      entry->has_pods_with_required_anti_affinity != has_anti_affinity) {
    entry->has_pods_with_affinity = has_affinity;
    entry->has_pods_with_required_anti_affinity = has_anti_affinity;
    are_derived_lists_stale_ = true;
  }
  table_.Update(entry->row, *info);
}

void Snapshot::SetList(std::vector<Symbol> names, std::vector<NodeInfo*> list) {
  names_ = std::move(names);
  list_.assign(list.begin(), list.end());
  for (uint32_t row = 0; row < list.size(); ++row) {
    NodeInfo* info = list[row];
    info->set_row(row);
    by_name_[names_[row]] = {info, row, !info->pods_with_affinity().empty(),
                             !info->pods_with_required_anti_affinity().empty()};
  }
  table_.Rebuild(list);
  are_derived_lists_stale_ = true;
}

void Snapshot::RebuildDerivedLists() {
  if (!are_derived_lists_stale_) return;
  are_derived_lists_stale_ = false;
  have_pods_with_affinity_.clear();
  have_pods_with_required_anti_affinity_.clear();
  for (const NodeInfo* info : list_) {
    if (!info->pods_with_affinity().empty()) have_pods_with_affinity_.push_back(info);
    if (!info->pods_with_required_anti_affinity().empty()) {
      have_pods_with_required_anti_affinity_.push_back(info);
    }
  }
}

}  // namespace stowage
