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
    return found == by_name_.end() ? nullptr : nodes()[table_.RowOfSlot(found->second)];
  }
  const NodeTable& table() const { return table_; }

 private:
  friend class Cache;  // the only writer

  // Updates a listed node. A node that was removed and came back keeps its place in the list.
  // Returns false for a node that is to be listed.
  bool Refresh(const NodeInfo& info, const PodJournal* journal);
  // Goes back to the state of `saved`, an earlier copy of this snapshot. Call NoteChange for each
  // node that has changed since.
  void Restore(Snapshot saved);
  // Sets the node's row and logs it as changed, if the node is listed.
  void NoteChange(const NodeInfo& info);
  // Sets the rows of all nodes, after the list has gone back to an earlier one.
  void SetRows() const;
  // Replaces the list of nodes, in visit order. by_name_ must have all of them.
  void SetList(std::span<const NodeInfo* const> list);
  // The same for a list of which the caller knows what moves. `added`: the nodes of new rows.
  void Renumber(Renumbering moves, std::span<const NodeInfo* const> added);
  void FollowNames(const NodeNames* before, const Renumbering& moves);

  uint64_t generation_ = 0;        // of the cache at the last refresh of a cycle
  uint64_t shown_generation_ = 0;  // at the last refresh of any kind
  uint64_t listing_ = 0;           // of the cache's tree, if it made the list
  uint64_t num_node_changes_ = 0;  // of the cache at the last refresh
  // The nodes' slots in the table. Looked up, never iterated.
  HashMap<Symbol, uint32_t, SymbolNumber> by_name_;
  NodeTable table_;
};

}  // namespace stowage
