#include "core/cache/image_states.h"

#include <algorithm>

namespace stowage {

NodeImages ImageStateMap::AddNode(const Node& node) {
  NodeImages images;
  for (const ContainerImage& image : node.status.images) {
    for (const Symbol& name : image.names) {
      std::shared_ptr<ImageState>& state = states_[name];
      if (state == nullptr) state = std::make_shared<ImageState>(ImageState{image.size_bytes, {}});
      if (state->nodes.insert(node.metadata.name).second) ++version_;
      images.emplace_back(name, state);
    }
  }
  std::stable_sort(images.begin(), images.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  auto last = std::unique(images.begin(), images.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; });
  images.erase(last, images.end());
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

ImageStates Summarize(const NodeImages& images) {
  ImageStates summaries;
  summaries.reserve(images.size());
  for (const auto& [name, state] : images) {
    summaries.emplace_back(
        name, ImageStateSummary{state->size, static_cast<int64_t>(state->nodes.size())});
  }
  return summaries;
}

}  // namespace stowage
