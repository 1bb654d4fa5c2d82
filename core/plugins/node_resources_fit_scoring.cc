// The scoring half of NodeResourcesFit.
#include <algorithm>

#include "core/api/pod_requests.h"
#include "core/dra/dra_manager.h"
#include "core/framework/signers.h"
#include "core/plugins/most_allocated.h"
#include "core/plugins/node_resources_fit.h"
#include "core/plugins/node_resources_fit_state.h"

namespace stowage {
namespace {

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
  state.Write(FitPreScoreState{ScoredRequestsOf(pod),
                               DeviceTotalsFor(allocation_, features_, handle_.dra())});
  return Status::Success();
}

int64_t NodeResourcesFit::ScoreNode(const ResourceRequests& requests, const DeviceTotals* devices,
                                    const NodeInfo& node) const {
  return scorer_->Score(allocation_.UsesOn(node, requests, devices));
}

Result<int64_t, Status> NodeResourcesFit::Score(const CycleState& state, const Pod& pod,
                                                const NodeInfo& node) const {
  const auto* stored = state.Read<FitPreScoreState>();
  return stored != nullptr ? ScoreNode(stored->requests, PointerTo(stored->devices), node)
                           : ScoreNode(ScoredRequestsOf(pod), nullptr, node);
}

int64_t NodeResourcesFit::ScorePlacement(const ObjectKey&,
                                         const PodGroupAssignments& assignments) const {
  ResourceRequests requests(allocation_.size());
  for (const PodRef& pod : assignments.pods) {
    ResourceRequests of_pod = ScoredRequestsOf(*pod);
    for (size_t index = 0; index < requests.size(); ++index) requests[index] += of_pod[index];
  }
  return MostAllocated().Score(allocation_.UsesOnAll(assignments.placement.nodes, requests));
}

int64_t NodeResourcesFit::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  const auto* stored = scored.state.Read<FitPreScoreState>();
  std::vector<Symbol> names;
  std::vector<ResourceUse> uses = allocation_.UsesOn(
      scored.node(), stored != nullptr ? stored->requests : ScoredRequestsOf(scored.pod),
      stored != nullptr ? PointerTo(stored->devices) : nullptr, &names);
  return scorer_->NoteScore(uses, names, notes);
}

bool NodeResourcesFit::CanSign(const Pod& pod) const {
  ServedScalars served = ServedScalarsOf(RequestOf(pod));
  return std::find(served.begin(), served.end(), true) == served.end();
}

void NodeResourcesFit::SignPod(const Pod& pod, PodSignature* signature) const {
  SignRequests(pod, features_, signature);
}

}  // namespace stowage
