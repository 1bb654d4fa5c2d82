#include "core/plugins/dynamic_resources.h"

#include "core/plugins/helper_normalize_score.h"

namespace stowage {
namespace {

constexpr std::string_view kDeviceClassPrefix = "deviceclass.resource.kubernetes.io/";

struct PreFilterState {};

bool RequestsDeviceClass(const std::vector<Container>& containers) {
  for (const Container& container : containers) {
    for (const auto& [name, quantity] : container.resources.requests) {
      if (name.view().starts_with(kDeviceClassPrefix) && !quantity.IsZero()) return true;
    }
  }
  return false;
}

}  // namespace

Status DynamicResources::PreFilter(CycleState& state, const Pod&, NodeList,
                                   PreFilterResult*) const {
  state.Write(PreFilterState{});
  return Status::Skip();
}

Status DynamicResources::PostFilter(CycleState& state, const Pod& pod, const NodeToStatus&,
                                    PostFilterResult*) {
  if (state.Read<PreFilterState>() == nullptr) return Status::Error("not found");
  return Status::Unschedulable(pod.spec.resource_claims.empty() ? kReasonNoClaims
                                                                : kReasonStillUnschedulable);
}

Status DynamicResources::ScoreChunk(const CycleState&, const Pod&, const NodeChunk&, uint64_t,
                                    ChunkScores* scores) const {
  scores->fill(0);
  return Status::Success();
}

Status DynamicResources::NormalizeScore(const CycleState&, const Pod&,
                                        std::span<NodeScore> scores) const {
  DefaultNormalizeScore(kMaxNodeScore, false, scores);
  return Status::Success();
}

bool DynamicResources::Matters(const Pod& pod) const {
  if (!pod.spec.resource_claims.empty()) return true;
  return features_.dra_extended_resource && (RequestsDeviceClass(pod.spec.containers) ||
                                             RequestsDeviceClass(pod.spec.init_containers));
}

}  // namespace stowage
