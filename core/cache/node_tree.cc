#include "core/cache/node_tree.h"

#include <algorithm>
#include <utility>

#include "core/api/zone_key.h"

namespace stowage {

void NodeTree::AddNode(const Node& node) { Add(GetZoneKey(node), node.metadata.name); }

bool NodeTree::RemoveNode(const Node& node) { return Remove(GetZoneKey(node), node.metadata.name); }

bool NodeTree::UpdateNode(const Node& old_node, const Node& new_node) {
  if (old_node.metadata.labels == new_node.metadata.labels) return false;
  std::string old_key = GetZoneKey(old_node);
  std::string new_key = GetZoneKey(new_node);
  if (old_key == new_key) return false;
  Remove(old_key, old_node.metadata.name);
  Add(std::move(new_key), new_node.metadata.name);
  return true;
}

std::vector<Symbol> NodeTree::List() const {
  std::vector<Symbol> list;
  list.reserve(num_nodes_);
  for (size_t round = 0; list.size() < num_nodes_; ++round) {
    for (const Zone& zone : zones_) {
      if (round < zone.names.size()) list.push_back(zone.names[round]);
    }
  }
  return list;
}

void NodeTree::Add(std::string key, const Symbol& name) {
  auto zone = std::find_if(zones_.begin(), zones_.end(),
                           [&](const Zone& candidate) { return candidate.key == key; });
  if (zone == zones_.end()) {
    zone = zones_.insert(zone, Zone());
    zone->key = std::move(key);
    has_other_zones_ = true;
  }
  if (!zone->members.Add(name)) return;
  zone->names.push_back(name);
  zone->rows.push_back(kNoRow);
  ++num_nodes_;
}

bool NodeTree::Remove(const std::string& key, const Symbol& name) {
  for (auto zone = zones_.begin(); zone != zones_.end(); ++zone) {
    if (zone->key != key || !zone->members.Remove(name)) continue;
    auto at = std::find(zone->names.begin(), zone->names.end(), name) - zone->names.begin();
    std::vector<Symbol>& names = zone->names.Mutable();
    std::vector<uint32_t>& rows = zone->rows.Mutable();
    names.erase(names.begin() + at);
    rows.erase(rows.begin() + at);
    zone->num_unchanged = std::min(zone->num_unchanged, static_cast<size_t>(at));
    if (zone->names.empty()) {
      zones_.erase(zone);
      has_other_zones_ = true;
    }
    --num_nodes_;
    return true;
  }
  return false;
}

}  // namespace stowage
