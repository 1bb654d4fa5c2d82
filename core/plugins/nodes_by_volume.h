// NodesByVolume knows the nodes whose pods name a claim, a volume or an attachable volume, by a
// hash of it. Those with equal hashes are not told apart. Copies share entries until one of them
// writes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/hash_map.h"
#include "core/base/symbol.h"

namespace stowage {

class NodesByVolume {
 public:
  bool Contains(uint64_t hash) const { return nodes_.contains(hash); }
  std::vector<Symbol> Find(uint64_t hash) const;
  // Counts that a pod or an attachment of the node names it, or no longer does. Returns whether it
  // is the first that does, or was the last.
  bool Count(const Symbol& node, uint64_t hash, bool is_named);

 private:
  struct Naming {
    uint64_t hash = 0;
    Symbol node;

    friend bool operator==(const Naming&, const Naming&) = default;
  };
  struct Number {
    uint64_t operator()(uint64_t hash) const { return hash >> 32; }
    uint64_t operator()(const Naming& naming) const { return naming.hash >> 32 ^ naming.node.id(); }
  };

  HashMap<uint64_t, std::vector<Symbol>, Number> nodes_;
  HashMap<Naming, int32_t, Number> times_;
};

}  // namespace stowage
