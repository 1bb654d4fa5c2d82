// NodeTree orders node names round robin over zones, so that a search that ends early covers all
// zones. Counterpart: backend/cache/node_tree.go, v1.36; spec 04 §4.1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/api/node.h"
#include "core/api/shared.h"
#include "core/base/hash_map.h"
#include "core/base/shared_array.h"
#include "core/base/symbol.h"
#include "core/table/renumbering.h"

namespace stowage {

class NodeTree {
 public:
  // Appends the node to its zone; a name that the zone already has is ignored.
  void AddNode(const Node& node);
  // Returns false if the node is not in the zone of its labels.
  bool RemoveNode(const Node& node);
  // If the zone key changed, moves the node to the end of its new zone and returns true.
  bool UpdateNode(const Node& old_node, const Node& new_node);

  size_t NumNodes() const { return num_nodes_; }
  const Symbol& NameOf(uint32_t node) const { return names_[node]; }
  // First node of each zone in order of the zones' arrival, then the second of each, and so on.
  std::vector<Symbol> List() const;
  // Visits them as rows of a list: calls visit(row, node, previous) with the row that the node had
  // in the list before, kNoRow if it was not in it. NameOf(node) is the node's name. Leaves out
  // nodes in zones that have not changed if they keep their row, except behind the end of the
  // shortest zone. A tree that lists anew visits all nodes, as new ones.
  template <typename Visit>
  void VisitRows(bool lists_anew, Visit visit) {
    size_t round = 0;
    if (!lists_anew && !has_other_zones_) round = VisitChangedZones(visit);
    for (size_t row = round * zones_.size(); row < num_nodes_; ++round) {
      for (Zone& zone : zones_) {
        if (round < zone.nodes.size()) VisitRow(lists_anew, zone, round, row++, visit);
      }
    }
    for (Zone& zone : zones_) zone.num_listed = zone.num_unchanged = zone.nodes.size();
    has_other_zones_ = false;
  }

 private:
  struct Zone {
    std::string key;
    // Numbers, because copying and moving names takes several times as long.
    SharedList<uint32_t> nodes;
    SharedList<uint32_t> rows;  // of the nodes, in the last list that was visited
    HashMap<Symbol, uint32_t, SymbolNumber> members;
    size_t num_listed = 0;     // the number of nodes in that list
    size_t num_unchanged = 0;  // of the first nodes, which are the same as in that list
  };

  template <typename Visit>
  static void VisitRow(bool is_new, Zone& zone, size_t round, size_t row, Visit& visit) {
    uint32_t& known = zone.rows.Mutable()[round];
    uint32_t previous = std::exchange(known, static_cast<uint32_t>(row));
    visit(static_cast<uint32_t>(row), zone.nodes[round], is_new ? kNoRow : previous);
  }

  // Visits the rounds that all zones have and had. Returns their number.
  template <typename Visit>
  size_t VisitChangedZones(Visit& visit) {
    size_t num_rounds = num_nodes_;
    size_t round = num_nodes_;
    for (const Zone& zone : zones_) {
      num_rounds = std::min({num_rounds, zone.nodes.size(), zone.num_listed});
      round = std::min(round, zone.num_unchanged);
    }
    for (; round < num_rounds; ++round) {
      for (size_t at = 0; at < zones_.size(); ++at) {
        Zone& zone = zones_[at];
        if (round < zone.num_unchanged) continue;
        VisitRow(false, zone, round, round * zones_.size() + at, visit);
      }
    }
    return num_rounds;
  }

  void Add(std::string key, const Symbol& name);
  bool Remove(const std::string& key, const Symbol& name);
  uint32_t NewNode(const Symbol& name);

  std::vector<Zone> zones_;
  SharedArray<Symbol> names_;  // by node
  SharedList<uint32_t> free_;
  size_t num_nodes_ = 0;
  bool has_other_zones_ = false;  // than the last list that was visited
};

}  // namespace stowage
