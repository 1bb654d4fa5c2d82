// ImageLocality's code for the verdict cache and the chunk form.
#include <algorithm>

#include "core/api/image_name.h"
#include "core/base/cold.h"
#include "core/plugins/image_locality.h"

namespace stowage {

STOWAGE_COLD std::vector<Symbol> ImageLocality::NormalizedImages(const Pod& pod) const {
  std::vector<Symbol> images;
  ForEachImage(pod,
               [&images](const Symbol& image) { images.push_back(NormalizedImageName(image)); });
  return images;
}

// A node without images scores 0.
bool ImageLocality::AddScores(const CycleState&, const Pod& pod, const NodeChunk& chunk,
                              std::span<const uint64_t> candidates, int32_t weight,
                              int32_t* totals) const {
  const std::span<const uint8_t> has_images = chunk.table.has_images();
  if (candidates.size() > 1 && chunk.table.have_no_images()) return true;
  std::vector<Symbol> images;
  ForEachBit(candidates, [&](size_t offset) {
    if (has_images[chunk.row(offset)] == 0) return;
    if (images.empty()) images = NormalizedImages(pod);
    const NodeInfo& node = chunk.node(offset);
    int64_t sum_scores = 0;
    for (const Symbol& image : images) sum_scores += ScaledImageScore(node, image);
    totals[offset] += static_cast<int32_t>(CalculatePriority(sum_scores, pod)) * weight;
  });
  return true;
}

STOWAGE_COLD bool ImageLocality::AppendFragment(const Pod& pod, PodSignature* signature) const {
  signature->AddCount(pod.spec.init_containers.size() + pod.spec.containers.size());
  size_t images = 0;
  ForEachImage(pod, [&](const Symbol& image) {
    signature->Add(image);
    ++images;
  });
  signature->AddCount(images);
  return true;
}

STOWAGE_COLD void ImageLocality::AppendRowsCountingNodes(const Pod& pod, const NodeTable& table,
                                                         std::vector<uint32_t>* rows) const {
  std::vector<Symbol> images = NormalizedImages(pod);
  for (uint32_t row = 0; row < table.size(); ++row) {
    const NodeInfo& node = table.info(row);
    bool has_any = std::ranges::any_of(
        images, [&node](const Symbol& image) { return node.FindImage(image) != nullptr; });
    if (has_any) rows->push_back(row);
  }
}

}  // namespace stowage
