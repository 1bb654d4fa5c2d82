#include "core/cache/image_states.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/stable_sort.h"

namespace stowage {

NodeImages ImageStateMap::AddNode(const Node& node) {
  NodeImages images;
  std::vector<Symbol> names;
  for (const ContainerImage& image : node.status.images) {
    for (const Symbol& name : image.names) {
      auto [key, state, is_new] = states_.try_emplace(name);
      if (is_new) state.size = image.size_bytes;
      if (state.nodes.Add(node.metadata.name)) ++version_;
      if (state.size != image.size_bytes) images.has_own_sizes = false;
      names.push_back(name);
    }
  }
  StableSort(&names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  images.names = std::move(names);
  return images;
}

void ImageStateMap::RemoveNode(const Node& node) {
  for (const ContainerImage& image : node.status.images) {
    for (const Symbol& name : image.names) {
      auto found = states_.find(name);
      if (found == states_.end() || !found->second.nodes.Has(node.metadata.name)) continue;
      ImageState& state = states_.Mutable(found);
      state.nodes.Remove(node.metadata.name);
      ++version_;
      if (state.nodes.empty()) states_.erase(name);
    }
  }
}

// An image whose only node is updated gets the size that the new version reports.
bool ImageStateMap::UpdateNode(const Node& old_node, const Node& new_node, NodeImages* images) {
  bool is_same = old_node.status.images == new_node.status.images;
  if (is_same && images->has_own_sizes) return false;
  RemoveNode(old_node);
  *images = AddNode(new_node);
  return true;
}

ImageStates ImageStateMap::Summarize(const NodeImages& images) const {
  std::vector<std::pair<Symbol, ImageStateSummary>> summaries;
  summaries.reserve(images.names.size());
  for (const Symbol& name : images.names) {
    auto state = states_.find(name);
    CHECK(state != states_.end());
    summaries.emplace_back(
        name,
        ImageStateSummary{state->second.size, static_cast<int64_t>(state->second.nodes.size())});
  }
  return summaries;
}

}  // namespace stowage
