#include "core/plugins/image_locality.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "core/api/image_name.h"
#include "core/framework/signers.h"

namespace stowage {
namespace {

// Init containers, containers, then image volumes.
template <typename Visit>
void ForEachImage(const Pod& pod, Visit visit) {
  for (const Container& container : pod.spec.init_containers) visit(container.image);
  for (const Container& container : pod.spec.containers) visit(container.image);
  for (const Volume& volume : pod.spec.volumes) {
    if (volume.image) visit(volume.image->reference);
  }
}

}  // namespace

std::vector<Symbol> ImageLocality::NormalizedImages(const Pod& pod) {
  std::vector<Symbol> images;
  ForEachImage(pod,
               [&images](const Symbol& image) { images.push_back(NormalizedImageName(image)); });
  return images;
}

// Image volumes raise the sum, but not the threshold.
int64_t ImageLocality::MaxThreshold(const Pod& pod) {
  auto containers =
      static_cast<int64_t>(pod.spec.init_containers.size() + pod.spec.containers.size());
  return kMaxContainerThreshold * containers;
}

int64_t ImageLocality::WithinThresholds(int64_t sum_scores, int64_t max_threshold) {
  if (sum_scores < kMinThreshold) return kMinThreshold;
  return std::min(sum_scores, max_threshold);
}

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

Status ImageLocality::ScoreChunk(const CycleState&, const Pod& pod, const NodeChunk& chunk,
                                 uint64_t candidates, ChunkScores* scores) const {
  int64_t priority_of_none = CalculatePriority(0, pod);
  std::vector<Symbol> images;  // normalized, once a node has any
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    const NodeInfo& node = chunk.node(offset);
    (*scores)[offset] = priority_of_none;
    if (node.image_states().empty()) continue;
    if (images.empty()) images = NormalizedImages(pod);
    int64_t sum_scores = 0;
    for (const Symbol& image : images) sum_scores += ScaledImageScore(node, image);
    (*scores)[offset] = CalculatePriority(sum_scores, pod);
  }
  return Status::Success();
}

bool ImageLocality::AppendFragment(const Pod& pod, PodSignature* signature) const {
  signature->AddCount(pod.spec.init_containers.size() + pod.spec.containers.size());
  size_t images = 0;
  ForEachImage(pod, [&](const Symbol& image) {
    signature->Add(image);
    ++images;
  });
  signature->AddCount(images);
  return true;
}

void ImageLocality::AppendRowsCountingNodes(const Pod& pod, const NodeTable& table,
                                            std::vector<uint32_t>* rows) const {
  std::vector<Symbol> images = NormalizedImages(pod);
  for (uint32_t row = 0; row < table.size(); ++row) {
    const NodeInfo& node = table.info(row);
    bool has_any = std::ranges::any_of(
        images, [&node](const Symbol& image) { return node.FindImage(image) != nullptr; });
    if (has_any) rows->push_back(row);
  }
}

// An image on many nodes counts more, so that a pod is not drawn to the one node that has it.
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
