#include "core/cache/image_states.h"

#include <algorithm>

#include "core/base/stable_sort.h"

namespace stowage {

NodeImages ImageStateMap::AddNode(const Node& node) {
  NodeImages images;
  for (const ContainerImage& image : node.status.images) {
    for (const Symbol& name : image.names) {
      std::shared_ptr<ImageState>& state = states_[name];
      if (state == nullptr) state = std::make_shared<ImageState>(ImageState{image.size_bytes, {}});
      if (state->nodes.insert(node.metadata.name).second) ++version_;
      if (state->size != image.size_bytes) images.has_own_sizes = false;
      images.states.emplace_back(name, state);
    }
  }
  auto& states = images.states;
  StableSort(&states, [](const auto& a, const auto& b) { return a.first < b.first; });
  auto last = std::unique(states.begin(), states.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; });
  states.erase(last, states.end());
  return images;
}

void ImageStateMap::RemoveNode(const Node& node) {
  for (const ContainerImage& image : node.status.images) {
    for (const Symbol& name : image.names) {
      auto found = states_.find(name);
      if (found == states_.end()) continue;
      if (found->second->nodes.erase(node.metadata.name) > 0) ++version_;
      if (found->second->nodes.empty()) states_.erase(found);
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

ImageStates Summarize(const NodeImages& images) {
  ImageStates summaries;
  summaries.reserve(images.states.size());
  for (const auto& [name, state] : images.states) {
    summaries.emplace_back(
        name, ImageStateSummary{state->size, static_cast<int64_t>(state->nodes.size())});
  }
  return summaries;
}

}  // namespace stowage
