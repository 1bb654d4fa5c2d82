#include "core/plugins/nodes_by_volume.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace stowage {

std::vector<Symbol> NodesByVolume::Find(uint64_t hash) const {
  auto found = nodes_.find(hash);
  return found == nodes_.end() ? std::vector<Symbol>() : found->second;
}

bool NodesByVolume::Count(const Symbol& node, uint64_t hash, bool is_named) {
  int32_t& times = times_.try_emplace({hash, node}, 0).value;
  times += is_named ? 1 : -1;
  CHECK(times >= 0);
  if (is_named ? times > 1 : times > 0) return false;
  std::vector<Symbol>& nodes = nodes_[hash];
  if (is_named) {
    nodes.push_back(node);
    return nodes.size() == 1;
  }
  times_.erase(Naming{hash, node});
  auto place = std::ranges::find(nodes, node);
  *place = std::move(nodes.back());
  nodes.pop_back();
  if (!nodes.empty()) return false;
  nodes_.erase(hash);
  return true;
}

}  // namespace stowage
