#include "core/scheduler/simulated_api.h"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "core/api/decode/source.h"
#include "core/api/parse_int.h"
#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/scheduler/api_call.h"
#include "core/scheduler/pod_status_patch.h"

namespace stowage {
namespace {

ApiResponse Done() { return {200, {}, {}, {}}; }

STOWAGE_COLD ApiResponse NotFound(const Pod& pod) {
  return {404, "NotFound", Format("pods \"{}\" not found", pod.metadata.name.view()), {}};
}

STOWAGE_COLD ApiResponse AlreadyBound(const Pod& pod) {
  std::string_view name = pod.metadata.name.view();
  return {409,
          "Conflict",
          Format("Operation cannot be fulfilled on pods/binding \"{}\": pod {} is already "
                 "assigned to node \"{}\"",
                 name, name, pod.spec.node_name.view()),
          {}};
}

// Replaces the condition of the same type; the transition time changes only if the status does.
STOWAGE_COLD void SetCondition(PodCondition condition, SharedList<PodCondition>* conditions) {
  for (PodCondition& current : conditions->Mutable()) {
    if (current.type != condition.type) continue;
    if (current.status == condition.status) {
      condition.last_transition_time = current.last_transition_time;
    }
    current = std::move(condition);
    return;
  }
  conditions->push_back(std::move(condition));
}

struct Words {
  Symbol running{"Running"};
  Symbol pod_scheduled{"PodScheduled"};
  Symbol true_{"True"};

  static const Words& Get() {
    static const Words* words = new Words;
    return *words;
  }
};

PodCondition ScheduledAt(Instant now) {
  PodCondition condition;
  condition.type = Words::Get().pod_scheduled;
  condition.status = Words::Get().true_;
  condition.last_transition_time = now;
  return condition;
}

}  // namespace

void SimulatedApi::Observe(const Pod& pod) {
  if (pod.status.start_time) latest_start_ = std::max(latest_start_, *pod.status.start_time);
  std::optional<int64_t> version = ParseInt64(pod.metadata.resource_version);
  if (version) latest_version_ = std::max(latest_version_, *version);
}

PodRef SimulatedApi::Current(const Pod& pod) const {
  PodRef current = watch_.LatestPod(ObjectKey::Of(pod.metadata));
  bool is_same = current != nullptr && current->metadata.uid == pod.metadata.uid;
  return is_same ? current : nullptr;
}

void SimulatedApi::Put(std::shared_ptr<Pod> pod) {
  std::array<char, 20> text;
  char* end = std::to_chars(text.data(), text.data() + text.size(), ++latest_version_).ptr;
  pod->metadata.resource_version.assign(text.data(), end);
  watch_.OnPodPut(std::move(pod));
}

Task<ApiResponse> SimulatedApi::Bind(Calls&, const Pod& pod, const Symbol& node) {
  PodRef current = Current(pod);
  if (current == nullptr) return Task<ApiResponse>::Of(NotFound(pod));
  if (!current->spec.node_name.empty()) return Task<ApiResponse>::Of(AlreadyBound(*current));
  PutBound(*current, node);
  last_bound_ = pod.metadata.uid;
  return Task<ApiResponse>::Of(Done());
}

void SimulatedApi::BindIfUnbound(const Pod& pod, const Symbol& node) {
  if (std::exchange(last_bound_, Symbol()) == pod.metadata.uid) return;
  PodRef current = Current(pod);
  if (current != nullptr && current->spec.node_name.empty()) PutBound(*current, node);
}

void SimulatedApi::PutBound(const Pod& current, const Symbol& node) {
  bool has_loan = lent_ != nullptr && lent_for_ == &current;
  auto bound = has_loan ? std::move(lent_) : std::make_shared<Pod>(current);
  bound->spec.node_name = node;
  PodStatus& status = bound->status;
  status.phase = Words::Get().running;
  status.nominated_node_name = Symbol();
  if (status.conditions.empty()) {
    if (first_conditions_.empty()) first_conditions_.push_back(ScheduledAt(now_));
    status.conditions = first_conditions_;
  } else {
    SetCondition(ScheduledAt(now_), &status.conditions);
  }
  latest_start_ = std::max(latest_start_, now_);
  status.start_time = latest_start_;
  Put(std::move(bound));
}

STOWAGE_COLD Task<ApiResponse> SimulatedApi::PatchPodStatus(Calls&, const Pod& pod,
                                                            const PodStatusPatch& patch) {
  if (!patch.IsNeededFor(pod.status)) co_return Done();
  PodRef current = Current(pod);
  if (current == nullptr) co_return NotFound(pod);
  auto patched = std::make_shared<Pod>(*current);
  if (patch.condition) SetCondition(*patch.condition, &patched->status.conditions);
  if (patch.nominated_node_name) patched->status.nominated_node_name = *patch.nominated_node_name;
  if (patch.extended_resource_claim_status) {
    patched->status.extended_resource_claim_status = patch.extended_resource_claim_status;
  }
  const auto& taken = patch.node_allocatable_resource_claim_statuses;
  if (!taken.empty()) patched->status.node_allocatable_resource_claim_statuses = taken;
  Put(std::move(patched));
  co_return Done();
}

STOWAGE_COLD Task<ApiResponse> SimulatedApi::PatchPodGroupStatus(Calls&, const PodGroup& group,
                                                                 const PodCondition& condition) {
  auto patched = std::make_shared<PodGroup>(group);
  SetCondition(condition, &patched->status.conditions);
  if (group.metadata.source != nullptr) {
    std::string source = *group.metadata.source;
    std::string conditions;
    JsonWriter json(&conditions);
    json.BeginArray();
    for (const PodCondition& one : patched->status.conditions) WriteGroupCondition(one, &json);
    json.EndArray();
    SetJsonAt({"status", "conditions"}, conditions, &source);
    patched->metadata.source = std::make_shared<const std::string>(std::move(source));
  }
  watch_.OnObjectPut(AnyObject(std::shared_ptr<const PodGroup>(std::move(patched))));
  co_return Done();
}

STOWAGE_COLD Task<ApiResponse> SimulatedApi::DeletePod(Calls&, const Pod& pod) {
  PodRef current = Current(pod);
  if (current == nullptr) co_return NotFound(pod);
  if (!graceful_deletion_) {
    watch_.OnPodDeleted(std::move(current));
  } else if (!current->metadata.deletion_timestamp) {
    auto terminating = std::make_shared<Pod>(*current);
    terminating->metadata.deletion_timestamp = now_;
    Put(std::move(terminating));
  }
  co_return Done();
}

Task<ApiResponse> SimulatedApi::Send(Calls& calls, const ApiRequest& request) {
  if (SimulatedClaims::Serves(request)) {
    if (controllers_.claims != nullptr) co_return controllers_.claims->Answer(request, now_);
  } else if (controllers_.volumes != nullptr) {
    co_return Update(request);
  }
  uint64_t call = calls.Send(ApiCallOf(request, 0));
  co_return ApiResponseOf(request, co_await calls.Answer(call));
}

ApiResponse SimulatedApi::Update(const ApiRequest& request) {
  constexpr std::string_view kVolumes = "/api/v1/persistentvolumes/";
  ObjectKind kind = request.path.starts_with(kVolumes) ? ObjectKind::kPersistentVolume
                                                       : ObjectKind::kPersistentVolumeClaim;
  std::optional<std::string> written = controllers_.volumes->Update(kind, request.body);
  if (written) return {200, {}, {}, std::move(*written)};
  return {409,
          "Conflict",
          Format("Operation cannot be fulfilled on {} \"{}\": the object has been modified; "
                 "please apply your changes to the latest version and try again",
                 InfoOf(kind).resource, request.path.substr(request.path.rfind('/') + 1)),
          {}};
}

void SimulatedApi::RecordEvent(const Pod& pod, const Symbol&, PodEvent event) {
  records_.WriteEvent(pod, event);
}

}  // namespace stowage
