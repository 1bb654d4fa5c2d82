// Snapshot is the view of the cluster that one scheduling cycle decides on (spec 04 §5).
//
// It lists the cache's own NodeInfos in visit order. Nothing changes them between the refresh at
// the start of a cycle and the cycle's end, so they are not copied. Upstream's copy also freezes
// image node counts and the node order; here the refresh keeps these.
// Counterpart: backend/cache/snapshot.go, v1.36.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/hash_map.h"
#include "core/table/node_info.h"
#include "core/table/node_table.h"

namespace stowage {

class Snapshot {
 public:
  // Nodes in visit order; ghosts are not listed.
  std::span<const NodeInfo* const> nodes() const { return table_.infos(); }
  size_t NumNodes() const { return table_.size(); }
  // Null if there is no such node.
  const NodeInfo* Get(const Symbol& name) const {
    auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second.info;
  }
  const NodeTable& table() const { return table_; }

 private:
  friend class Cache;  // the only writer

  struct Entry {
    NodeInfo* info = nullptr;
    uint32_t slot = 0;  // in the table
  };

  // Replaces the pointer to each node by `info_of` its name: null for nodes that are gone, which
  // the next refresh drops.
  template <typename InfoOf>
  void Relocate(const InfoOf& info_of) {
    for (uint32_t row = 0; row < table_.size(); ++row) {
      const Symbol& name = (*table_.names())[row];
      NodeInfo* info = info_of(name);
      by_name_[name].info = info;
      table_.Relocate(row, info);
    }
  }
  // Updates a listed node. A node that was removed and came back keeps its place in the list.
  void Refresh(Entry* entry, NodeInfo* info, const PodJournal* journal);
  // Replaces the list of nodes, in visit order. by_name_ must have all of them.
  void SetList(std::span<NodeInfo* const> list);

  uint64_t generation_ = 0;
  uint64_t num_node_changes_ = 0;  // of the cache at the last refresh; used for evaluations only
  HashMap<Symbol, Entry, SymbolNumber> by_name_;  // looked up, never iterated
  NodeTable table_;
};

}  // namespace stowage
