#include "core/plugins/dynamic_resources.h"

#include "core/api/resource_names.h"
#include "core/framework/score_notes.h"
#include "core/plugins/helper_normalize_score.h"

namespace stowage {
namespace {

constexpr std::string_view kDeviceClassPrefix = "deviceclass.resource.kubernetes.io/";

struct PreFilterState {};

bool NamesDeviceClass(std::string_view resource) {
  return resource.starts_with(kDeviceClassPrefix);
}

bool Requests(const SharedList<Container>& containers, bool (*may_be_served)(std::string_view)) {
  for (const Container& container : containers) {
    for (const auto& [name, quantity] : container.resources.requests) {
      if (may_be_served(name.view()) && !quantity.IsZero()) return true;
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

Task<Status> DynamicResources::PostFilter(CycleState& state, const Pod& pod, const NodeToStatus&,
                                          PostFilterResult*) {
  if (state.Read<PreFilterState>() == nullptr) co_return Status::Error("not found");
  co_return Status::Unschedulable(pod.spec.resource_claims.empty() ? kReasonNoClaims
                                                                   : kReasonStillUnschedulable);
}

Status DynamicResources::NormalizeScore(const CycleState&, const Pod&,
                                        std::span<NodeScore> scores) const {
  DefaultNormalizeScore(kMaxNodeScore, false, scores);
  return Status::Success();
}

int64_t DynamicResources::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  notes->AddResult("{}: {}", {Matters(scored.pod) ? "scoring by devices is not implemented"
                                                  : "the pod has no resource claims",
                              0});
  return 0;
}

int64_t DynamicResources::NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const {
  return NoteDefaultNormalizedScore(false, scored, notes);
}

std::vector<ClusterEventWithHint> DynamicResources::EventsToRegister() const {
  constexpr ActionType kAddOrUpdate = action::kAdd | action::kUpdate;
  return {
      {{EventResource::kNode,
        action::kAdd | action::kUpdateNodeLabel | action::kUpdateNodeAllocatable}},
      {{EventResource::kResourceClaim, kAddOrUpdate}},
      {{EventResource::kPod, action::kUpdatePodGeneratedResourceClaim}},
      {{EventResource::kDeviceClass, kAddOrUpdate}},
      {{EventResource::kResourceSlice, kAddOrUpdate}},
  };
}

bool DynamicResources::Matters(const Pod& pod) const {
  if (!pod.spec.resource_claims.empty()) return true;
  if (!features_.dra_extended_resource) return false;
  // A DeviceClass may serve an extended resource of any name.
  bool (*may_be_served)(std::string_view) =
      handle_.listers().HasDeviceClasses() ? IsDraExtendedResourceName : NamesDeviceClass;
  return Requests(pod.spec.containers, may_be_served) ||
         Requests(pod.spec.init_containers, may_be_served);
}

}  // namespace stowage
