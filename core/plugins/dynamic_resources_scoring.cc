// The score prefers nodes that serve earlier alternatives of requests with prioritized lists.

#include <algorithm>
#include <string>

#include "core/base/format.h"
#include "core/framework/score_notes.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/helper_normalize_score.h"

namespace stowage {
namespace {

constexpr int64_t kFirstAvailableMax = 8;  // alternatives of a request

// Calls visit(request, alternative, points) for each alternative that serves a request of `claim`.
template <typename Visit>
void ForEachAlternative(const ResourceClaim& claim, const AllocationResult& allocation,
                        Visit visit) {
  for (const DeviceRequest& request : claim.spec.devices.requests) {
    for (size_t index = 0; index < request.first_available.size(); ++index) {
      std::string name =
          Format("{}/{}", request.name.view(), request.first_available[index].name.view());
      bool serves = std::ranges::any_of(
          allocation.devices.results,
          [&name](const DeviceRequestAllocationResult& one) { return one.request == name; });
      if (serves) visit(request, name, kFirstAvailableMax - static_cast<int64_t>(index));
    }
  }
}

// Calls visit(claim, allocation) for each claim. Returns false if an allocation is missing.
template <typename Visit>
bool ForEachAllocation(const DynamicResourcesData& data, const NodeAllocation& on_node,
                       Visit visit) {
  size_t next = 0;
  for (const ClaimInCycle& info : data.claims) {
    if (info.is_allocated()) {
      visit(*info.claim, *info.claim->status.allocation);
    } else if (next < on_node.allocations.size()) {
      visit(*info.claim, *on_node.allocations[next++]);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

Result<int64_t, Status> DynamicResources::Score(const CycleState& state, const Pod& pod,
                                                const NodeInfo& node) const {
  DynamicResourcesData* data = DataIn(state);
  if (data == nullptr || data->allocator == nullptr || !features_.dra_prioritized_list) {
    return int64_t{0};
  }
  const NodeAllocation* found = AllocationOn(state, pod, node);
  if (found == nullptr) return int64_t{0};
  int64_t score = 0;
  bool is_complete = ForEachAllocation(
      *data, *found, [&score](const ResourceClaim& claim, const AllocationResult& one) {
        ForEachAlternative(claim, one,
                           [&score](const DeviceRequest&, const std::string&, int64_t points) {
                             score += points;
                           });
      });
  if (is_complete) return score;
  size_t num_wanted = std::ranges::count_if(
      data->claims, [](const ClaimInCycle& info) { return !info.is_allocated(); });
  return Status::Error(
      Format("number of allocations {} is smaller than number of claims needing allocation {}",
             found->allocations.size(), num_wanted));
}

Status DynamicResources::NormalizeScore(const CycleState&, const Pod&,
                                        std::span<NodeScore> scores) const {
  DefaultNormalizeScore(kMaxNodeScore, false, scores);
  return Status::Success();
}

int64_t DynamicResources::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  DynamicResourcesData* data = DataIn(scored.state);
  if (data == nullptr) {
    notes->AddResult("{}: {}", {"the pod has no resource claims", 0});
    return 0;
  }
  int64_t sum = 0;
  bool has_allocations = data->allocator != nullptr && features_.dra_prioritized_list;
  const NodeAllocation* found =
      has_allocations ? AllocationOn(scored.state, scored.pod, scored.node()) : nullptr;
  if (found != nullptr) {
    ForEachAllocation(*data, *found, [&](const ResourceClaim& claim, const AllocationResult& one) {
      ForEachAlternative(claim, one,
                         [&](const DeviceRequest&, const std::string& name, int64_t points) {
                           sum += points;
                           notes->AddOperand("claim {}, request {}: {}",
                                             {claim.metadata.name.view(), name, points});
                         });
    });
  }
  notes->AddResult("sum over the alternatives that serve requests: {}", {sum});
  return sum;
}

int64_t DynamicResources::NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const {
  return NoteDefaultNormalizedScore(false, scored, notes);
}

}  // namespace stowage
