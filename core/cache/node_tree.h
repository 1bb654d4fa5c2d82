// NodeTree orders node names round robin over zones, so that a search that ends early covers all
// zones. Counterpart: backend/cache/node_tree.go, v1.36; spec 04 §4.1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/api/node.h"
#include "core/base/symbol.h"
#include "core/base/symbol_set.h"

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
  // First node of each zone in order of the zones' arrival, then the second of each, and so on.
  std::vector<Symbol> List() const;
  // Calls visit(name) for each of them.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t round = 0, left = num_nodes_; left > 0; ++round) {
      for (const Zone& zone : zones_) {
        if (round >= zone.names.size()) continue;
        visit(zone.names[round]);
        --left;
      }
    }
  }

 private:
  struct Zone {
    std::string key;
    std::vector<Symbol> names;
    SymbolSet members;
  };

  void Add(std::string key, const Symbol& name);
  bool Remove(const std::string& key, const Symbol& name);

  std::vector<Zone> zones_;
  size_t num_nodes_ = 0;
};

}  // namespace stowage
