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
      if (round < zone.nodes.size()) list.push_back(NameOf(zone.nodes[round]));
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
  auto member = zone->members.try_emplace(name);
  if (!member.is_new) return;
  member.value = NewNode(name);
  zone->nodes.push_back(member.value);
  zone->rows.push_back(kNoRow);
  ++num_nodes_;
}

uint32_t NodeTree::NewNode(const Symbol& name) {
  if (free_.empty()) {
    size_t before = names_.size();
    names_.Enlarge(std::max<size_t>(before * 2, 64));
    for (size_t node = names_.size(); node-- > before;)
      free_.push_back(static_cast<uint32_t>(node));
  }
  uint32_t node = free_.back();
  free_.Mutable().pop_back();
  names_.Mutable(node) = name;
  return node;
}

bool NodeTree::Remove(const std::string& key, const Symbol& name) {
  for (auto zone = zones_.begin(); zone != zones_.end(); ++zone) {
    if (zone->key != key) continue;
    auto member = zone->members.find(name);
    if (member == zone->members.end()) continue;
    uint32_t node = member->second;
    zone->members.erase(member);
    names_.Mutable(node) = Symbol();
    free_.push_back(node);
    auto at = std::find(zone->nodes.begin(), zone->nodes.end(), node) - zone->nodes.begin();
    std::vector<uint32_t>& nodes = zone->nodes.Mutable();
    std::vector<uint32_t>& rows = zone->rows.Mutable();
    nodes.erase(nodes.begin() + at);
    rows.erase(rows.begin() + at);
    zone->num_unchanged = std::min(zone->num_unchanged, static_cast<size_t>(at));
    if (zone->nodes.empty()) {
      zones_.erase(zone);
      has_other_zones_ = true;
    }
    --num_nodes_;
    return true;
  }
  return false;
}

}  // namespace stowage
