// The scoring half of NodeResourcesFit.
#include <bit>

#include "core/api/pod_requests.h"
#include "core/plugins/node_resources_fit.h"

namespace stowage {
namespace {

struct FitPreScoreState {
  ResourceRequests requests;
};

const ResourceList& DefaultRequests() {
  static const auto* requests = [] {
    auto* list = new ResourceList;
    (*list)[ResourceNames::Get().cpu] = Quantity(kDefaultMilliCpuRequest, -3);
    (*list)[ResourceNames::Get().memory] = Quantity(kDefaultMemoryRequest);
    return list;
  }();
  return *requests;
}

}  // namespace

ResourceRequests NodeResourcesFit::ScoredRequestsOf(const Pod& pod) const {
  PodResourcesOptions options;
  options.skip_pod_level = true;
  options.non_missing_container_requests = &DefaultRequests();
  return allocation_.RequestsOf(PodRequests(pod, options));
}

Status NodeResourcesFit::PreScore(CycleState& state, const Pod& pod, NodeList) const {
  state.Write(FitPreScoreState{ScoredRequestsOf(pod)});
  return Status::Success();
}

int64_t NodeResourcesFit::ScoreNode(const ResourceRequests& requests, const NodeInfo& node) const {
  std::vector<ResourceUse> uses;
  allocation_.UsesOn(node, requests, &uses);
  return scorer_->Score(uses);
}

Result<int64_t, Status> NodeResourcesFit::Score(const CycleState& state, const Pod& pod,
                                                const NodeInfo& node) const {
  const auto* stored = state.Read<FitPreScoreState>();
  return stored != nullptr ? ScoreNode(stored->requests, node)
                           : ScoreNode(ScoredRequestsOf(pod), node);
}

Status NodeResourcesFit::ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                                    uint64_t candidates, ChunkScores* scores) const {
  const auto* stored = state.Read<FitPreScoreState>();
  ResourceRequests requests = stored != nullptr ? stored->requests : ScoredRequestsOf(pod);
  std::vector<ResourceUse> uses;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    allocation_.UsesAt(chunk.table, chunk.first_row + offset, requests, &uses);
    (*scores)[offset] = scorer_->Score(uses);
  }
  return Status::Success();
}

}  // namespace stowage
