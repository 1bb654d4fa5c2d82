// ImageLocality prefers nodes that already have the pod's images; large images count more.
// Counterpart: framework/plugins/imagelocality, v1.36.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class ImageLocality final : public Plugin,
                            public PerNodeScore<ImageLocality>,
                            public FragmentPlugin,
                            public SignPlugin,
                            public ScoreNotesPlugin {
 public:
  static constexpr std::string_view kName = "ImageLocality";

  explicit ImageLocality(const PluginContext& context)
      : handle_(context.handle),
        counts_image_volumes_(context.features.behaviour.image_volumes_count) {}

  std::string_view Name() const override { return kName; }
  Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const override;
  // Normalizes the pod's image names once for all nodes of the chunk.
  bool AddScores(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                 std::span<const uint64_t> candidates, int32_t weight,
                 int32_t* totals) const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  void AppendRowsCountingNodes(const Pod& pod, const NodeTable& table,
                               std::vector<uint32_t>* rows) const override;
  // Signs the set of the containers' images.
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const override;

 private:
  static constexpr int64_t kMb = 1024 * 1024;
  static constexpr int64_t kMinThreshold = 23 * kMb;
  static constexpr int64_t kMaxContainerThreshold = 1000 * kMb;

  // Calls visit(image) for the images of init containers, containers, then image volumes.
  template <typename Visit>
  void ForEachImage(const Pod& pod, Visit visit) const {
    for (const Container& container : pod.spec.init_containers) visit(container.image);
    for (const Container& container : pod.spec.containers) visit(container.image);
    if (!counts_image_volumes_) return;
    for (const Volume& volume : pod.spec.volumes) {
      if (volume.image) visit(volume.image->reference);
    }
  }
  std::vector<Symbol> NormalizedImages(const Pod& pod) const;
  static int64_t MaxThreshold(const Pod& pod);
  static int64_t WithinThresholds(int64_t sum_scores, int64_t max_threshold);
  static int64_t CalculatePriority(int64_t sum_scores, const Pod& pod);
  int64_t ScaledImageScore(const NodeInfo& node, const Symbol& image) const;

  const Handle& handle_;
  const bool counts_image_volumes_;
};

}  // namespace stowage
