#include "core/plugins/image_locality.h"

#include <algorithm>
#include <vector>

#include "core/api/image_name.h"
#include "core/framework/signers.h"

namespace stowage {

// Image volumes add to the score but not to the threshold.
int64_t ImageLocality::MaxThreshold(const Pod& pod) {
  auto containers =
      static_cast<int64_t>(pod.spec.init_containers.size() + pod.spec.containers.size());
  return kMaxContainerThreshold * containers;
}

int64_t ImageLocality::WithinThresholds(int64_t sum_scores, int64_t max_threshold) {
  if (sum_scores < kMinThreshold) return kMinThreshold;
  return std::min(sum_scores, max_threshold);
}

// The sum of the image scores, clamped to 23 MB … 1000 MB × containers and scaled to 0 … 100.
int64_t ImageLocality::CalculatePriority(int64_t sum_scores, const Pod& pod) {
  int64_t max_threshold = MaxThreshold(pod);
  return kMaxNodeScore * (WithinThresholds(sum_scores, max_threshold) - kMinThreshold) /
         (max_threshold - kMinThreshold);
}

Result<int64_t, Status> ImageLocality::Score(const CycleState&, const Pod& pod,
                                             const NodeInfo& node) const {
  int64_t sum_scores = 0;
  ForEachImage(pod, [&](const Symbol& image) {
    sum_scores += ScaledImageScore(node, NormalizedImageName(image));
  });
  return CalculatePriority(sum_scores, pod);
}

// Weights the size by the share of nodes that have the image, so that pods do not all go to the one
// node that has it.
int64_t ImageLocality::ScaledImageScore(const NodeInfo& node, const Symbol& image) const {
  const ImageStateSummary* state = node.FindImage(image);
  if (state == nullptr) return 0;
  double spread =
      static_cast<double>(state->num_nodes) / static_cast<double>(handle_.snapshot().NumNodes());
  return static_cast<int64_t>(static_cast<double>(state->size) * spread);
}

void ImageLocality::SignPod(const Pod& pod, PodSignature* signature) const {
  std::vector<Symbol> images;
  for (const auto* containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const Container& container : *containers) {
      images.push_back(NormalizedImageName(container.image));
    }
  }
  SignSet(std::move(images), signature);
}

}  // namespace stowage
