// DynamicResources' code for the verdict cache, and the chunk form of its Score.
#include <algorithm>
#include <bit>

#include "core/api/decode/envelope.h"
#include "core/dra/dra_manager.h"
#include "core/framework/signers.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/dynamic_resources_claims.h"
#include "core/plugins/extended_resources.h"

namespace stowage {

bool DynamicResources::ReadsDevices(const Pod& pod) const {
  return !pod.spec.resource_claims.empty() ||
         IsServedByDevices(pod, features_, handle_.dra().extended_resources());
}

// Claims without an allocation get equal devices on a node if their specs are equal. Claims with
// one are rare here: their pods need no devices any more, or wait for another pod's binding.
bool DynamicResources::AppendFragment(const Pod& pod, PodSignature* signature) const {
  DraManager& dra = handle_.dra();
  if (!ReadsDevices(pod)) return true;
  // What devices take of a node depends on the pod's containers and on the node's other pods.
  if (features_.dra_node_allocatable_resources) return false;
  if (dra.HasRecentWideChange()) return false;
  auto claims = PodResourceClaims(pod, dra.claims(), features_.dra_workload_resource_claims);
  if (!claims.ok()) return false;
  signature->AddCount(claims->size());
  for (const ResourceClaimRef& claim : *claims) {
    const auto& source = claim->metadata.source;
    bool is_free =
        !claim->status.allocation && dra.in_flight().Find(claim->metadata.uid) == nullptr;
    if (!is_free || source == nullptr) return false;
    signature->Add(Symbol(MemberText(*source, {"spec"})));
  }
  if (!IsServedByDevices(pod, features_, dra.extended_resources())) return true;
  const ObjectMeta& metadata = pod.metadata;
  return dra.claims().FindExtendedResourceClaim(metadata.name, metadata.uid) == nullptr &&
         SignWrittenRequests(pod, nullptr, signature);
}

bool DynamicResources::ScoresNothing(const CycleState& state) const {
  return DataIn(state) == nullptr;
}

// Afterwards the allocations on these nodes are dropped, because verdicts on all nodes are kept
// longer than a cycle; the chosen node's are found again.
Status DynamicResources::ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                                    uint64_t candidates, ChunkScores* scores) const {
  DynamicResourcesData* data = DataIn(state);
  if (data == nullptr) {
    std::fill_n(scores->begin(), chunk.rows.size(), 0);
    return Status::Success();
  }
  Status status = PerNodeScore<DynamicResources>::ScoreChunk(state, pod, chunk, candidates, scores);
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    data->nodes.erase(chunk.node(static_cast<size_t>(std::countr_zero(rest))).name());
  }
  return status;
}

}  // namespace stowage
