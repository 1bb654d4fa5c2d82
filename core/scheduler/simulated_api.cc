#include "core/scheduler/simulated_api.h"

#include <fmt/format.h>

#include <utility>

#include "core/api/parse_int.h"
#include "core/scheduler/api_call.h"

namespace stowage {
namespace {

ApiResponse Done() { return {200, {}, {}, {}}; }

ApiResponse NotFound(const Pod& pod) {
  return {404, "NotFound", fmt::format("pods \"{}\" not found", pod.metadata.name.view()), {}};
}

ApiResponse AlreadyBound(const Pod& pod) {
  std::string_view name = pod.metadata.name.view();
  return {409,
          "Conflict",
          fmt::format("Operation cannot be fulfilled on pods/binding \"{}\": pod {} is already "
                      "assigned to node \"{}\"",
                      name, name, pod.spec.node_name.view()),
          {}};
}

// In place of the one of its type; its transition is new only where its status is.
void SetCondition(PodCondition condition, std::vector<PodCondition>* conditions) {
  for (PodCondition& current : *conditions) {
    if (current.type != condition.type) continue;
    if (current.status == condition.status) {
      condition.last_transition_time = current.last_transition_time;
    }
    current = std::move(condition);
    return;
  }
  conditions->push_back(std::move(condition));
}

}  // namespace

void SimulatedApi::Observe(const Pod& pod) {
  if (pod.status.start_time) latest_start_ = std::max(latest_start_, *pod.status.start_time);
  std::optional<int64_t> version = ParseInt64(pod.metadata.resource_version.view());
  if (version) latest_version_ = std::max(latest_version_, *version);
}

PodRef SimulatedApi::Current(const Pod& pod) const {
  PodRef current = watch_.LatestPod(ObjectKey::Of(pod.metadata));
  bool is_same = current != nullptr && current->metadata.uid == pod.metadata.uid;
  return is_same ? current : nullptr;
}

void SimulatedApi::Put(Pod pod) {
  pod.metadata.resource_version = Symbol(fmt::format("{}", ++latest_version_));
  watch_.OnPodPut(std::make_shared<const Pod>(std::move(pod)));
}

Task<ApiResponse> SimulatedApi::Bind(Calls&, const Pod& pod, const Symbol& node) {
  PodRef current = Current(pod);
  if (current == nullptr) return Task<ApiResponse>::Of(NotFound(pod));
  if (!current->spec.node_name.empty()) return Task<ApiResponse>::Of(AlreadyBound(*current));
  PutBound(*current, node);
  return Task<ApiResponse>::Of(Done());
}

void SimulatedApi::BindIfUnbound(const Pod& pod, const Symbol& node) {
  PodRef current = Current(pod);
  if (current != nullptr && current->spec.node_name.empty()) PutBound(*current, node);
}

void SimulatedApi::PutBound(const Pod& current, const Symbol& node) {
  Pod bound = current;
  bound.spec.node_name = node;
  bound.status.phase = Symbol("Running");
  bound.status.nominated_node_name = Symbol();
  PodCondition scheduled;
  scheduled.type = Symbol("PodScheduled");
  scheduled.status = Symbol("True");
  scheduled.last_transition_time = now_;
  SetCondition(std::move(scheduled), &bound.status.conditions);
  latest_start_ = std::max(latest_start_, now_);
  bound.status.start_time = latest_start_;
  Put(std::move(bound));
}

Task<ApiResponse> SimulatedApi::PatchPodStatus(Calls&, const Pod& pod,
                                               const PodStatusPatch& patch) {
  if (!patch.IsNeededFor(pod.status)) co_return Done();
  PodRef current = Current(pod);
  if (current == nullptr) co_return NotFound(pod);
  Pod patched = *current;
  if (patch.condition) SetCondition(*patch.condition, &patched.status.conditions);
  if (patch.nominated_node_name) patched.status.nominated_node_name = *patch.nominated_node_name;
  Put(std::move(patched));
  co_return Done();
}

Task<ApiResponse> SimulatedApi::DeletePod(Calls&, const Pod& pod) {
  PodRef current = Current(pod);
  if (current == nullptr) co_return NotFound(pod);
  if (!graceful_deletion_) {
    watch_.OnPodDeleted(std::move(current));
  } else if (!current->metadata.deletion_timestamp) {
    Pod terminating = *current;
    terminating.metadata.deletion_timestamp = now_;
    Put(std::move(terminating));
  }
  co_return Done();
}

Task<ApiResponse> SimulatedApi::Send(Calls& calls, const ApiRequest& request) {
  if (volumes_ != nullptr) co_return Update(request);
  uint64_t call = calls.Send(ApiCallOf(request, 0));
  co_return ApiResponseOf(request, co_await calls.Answer(call));
}

ApiResponse SimulatedApi::Update(const ApiRequest& request) {
  constexpr std::string_view kVolumes = "/api/v1/persistentvolumes/";
  ObjectKind kind = request.path.starts_with(kVolumes) ? ObjectKind::kPersistentVolume
                                                       : ObjectKind::kPersistentVolumeClaim;
  std::optional<std::string> written = volumes_->Update(kind, request.body);
  if (written) return {200, {}, {}, std::move(*written)};
  return {409,
          "Conflict",
          fmt::format("Operation cannot be fulfilled on {} \"{}\": the object has been modified; "
                      "please apply your changes to the latest version and try again",
                      InfoOf(kind).resource, request.path.substr(request.path.rfind('/') + 1)),
          {}};
}

void SimulatedApi::RecordEvent(const Pod& pod, const Symbol&, PodEvent event) {
  records_.WriteEvent(pod, event);
}

}  // namespace stowage
