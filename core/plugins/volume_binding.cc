#include "core/plugins/volume_binding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/api/encode/json_writer.h"
#include "core/api/volume_helpers.h"
#include "core/base/format.h"
#include "core/framework/score_notes.h"
#include "core/framework/signers.h"
#include "core/plugins/volume_binding_scorer.h"

namespace stowage {
namespace {

constexpr std::string_view kClaimLost = "Lost";
constexpr int64_t kMicrosPerSecond = 1'000'000;

struct BindingState final : public StateData {
  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<BindingState>(*this);
  }

  std::shared_ptr<const PodVolumeClaims> claims;  // null: the pod has no claims
  mutable bool has_filtered = false;              // if not, Filter did not look for volumes
  // The volumes on the chosen node; set from Reserve on.
  std::optional<PodVolumes> volumes;
  bool is_all_bound = false;
};

// By the set of conflicts; built once.
const Status& StatusOf(VolumeConflicts conflicts) {
  constexpr size_t kSets = 16;
  static const auto* statuses = [] {
    constexpr std::string_view kReasons[] = {
        VolumeBinding::kReasonNodeConflict, VolumeBinding::kReasonBindConflict,
        VolumeBinding::kReasonNotEnoughSpace, VolumeBinding::kReasonVolumeNotExist};
    auto* made = new std::array<Status, kSets>;
    for (size_t set = 1; set < kSets; ++set) {
      std::vector<Symbol> reasons;
      for (size_t bit = 0; bit < std::size(kReasons); ++bit) {
        if ((set >> bit & 1) != 0) reasons.emplace_back(kReasons[bit]);
      }
      (*made)[set] = Status::WithReasons(Code::kUnschedulableAndUnresolvable, std::move(reasons));
    }
    return made;
  }();
  return (*statuses)[conflicts];
}

struct SavedBinder final : public Plugin::State {
  explicit SavedBinder(VolumeBinder::Assumed saved) : assumed(std::move(saved)) {}

  VolumeBinder::Assumed assumed;
};

bool HasClaims(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(), [](const Volume& volume) {
    return volume.persistent_volume_claim || volume.is_ephemeral();
  });
}

Status NoVolumeFound(const Symbol& node) {
  return Status::Error(Format("no pod volume found for node \"{}\"", node.view()));
}

}  // namespace

std::unique_ptr<Plugin::State> VolumeBinding::SaveState() const {
  return std::make_unique<SavedBinder>(binder_.Save());
}

void VolumeBinding::RestoreState(const State& state) {
  binder_.Restore(static_cast<const SavedBinder&>(state).assumed);
}

VolumeBinding::VolumeBinding(const PluginContext& context)
    : handle_(context.handle),
      binder_(context.handle,
              context.Args<VolumeBindingArgs>().bind_timeout_seconds * kMicrosPerSecond) {
  if (!context.features.storage_capacity_scoring) return;
  const auto& args = context.Args<VolumeBindingArgs>();
  CHECK(args.shape.has_value());
  shape_ = BrokenLinearFunction::FromConfig(*args.shape);
}

// Checks the claims for errors that do not depend on the node.
Status VolumeBinding::CheckClaims(const Pod& pod, bool* has_claims) const {
  constexpr auto kUnresolvable = Status::UnschedulableAndUnresolvable;
  for (const Volume& volume : pod.spec.volumes) {
    std::optional<Symbol> name = ClaimNameOf(pod, volume);
    if (!name) continue;
    *has_claims = true;
    PersistentVolumeClaimRef claim =
        handle_.listers().GetPersistentVolumeClaim(pod.metadata.namespace_, *name);
    if (claim == nullptr && volume.is_ephemeral()) {
      return kUnresolvable(Format(
          "waiting for ephemeral volume controller to create the persistentvolumeclaim \"{}\"",
          name->view()));
    }
    if (claim == nullptr) return kUnresolvable(NotFoundMessage("persistentvolumeclaim", *name));
    if (claim->status.phase == kClaimLost) {
      return kUnresolvable(
          Format("persistentvolumeclaim \"{}\" bound to non-existent persistentvolume \"{}\"",
                 name->view(), claim->spec.volume_name.view()));
    }
    if (claim->metadata.deletion_timestamp) {
      return kUnresolvable(Format("persistentvolumeclaim \"{}\" is being deleted", name->view()));
    }
    if (volume.is_ephemeral() && !IsControlledBy(*claim, pod)) {
      return kUnresolvable(NotOwnerMessage(*claim, pod));
    }
  }
  return Status::Success();
}

Status VolumeBinding::PreFilter(CycleState& state, const Pod& pod, NodeList,
                                PreFilterResult*) const {
  bool has_claims = false;
  Status status = CheckClaims(pod, &has_claims);
  if (!status.IsSuccess()) return status;
  auto data = std::make_unique<BindingState>();
  if (has_claims) {
    Result<PodVolumeClaims, std::string> claims = binder_.GetPodVolumeClaims(pod);
    if (!claims.ok()) return Status::Error(claims.fault());
    if (claims->has_unbound_immediate) {
      return Status::UnschedulableAndUnresolvable(
          "pod has unbound immediate PersistentVolumeClaims");
    }
    data->claims = std::make_shared<const PodVolumeClaims>(claims.Take());
  }
  state.WriteData(std::move(data));
  return has_claims ? Status::Success() : Status::Skip();
}

Status VolumeBinding::Filter(const CycleState& state, const Pod&, const NodeInfo& node) const {
  const auto* data = state.ReadData<BindingState>();
  if (data == nullptr) return Status::Error("not found");
  data->has_filtered = true;
  if (data->claims == nullptr) return Status::Success();
  PodVolumes volumes;
  Result<VolumeConflicts, std::string> conflicts =
      binder_.FindPodVolumes(*data->claims, *node.node(), &volumes);
  if (!conflicts.ok()) {
    handle_.metrics().Add(Metric::kVolumeSchedulingStageError, {"predicate"});
    return Status::Error(conflicts.fault());
  }
  return StatusOf(*conflicts);
}

Status VolumeBinding::PreScore(CycleState&, const Pod&, NodeList) const {
  return shape_ ? Status::Success() : Status::Skip();
}

Result<int64_t, Status> VolumeBinding::Score(const CycleState& state, const Pod&,
                                             const NodeInfo& node) const {
  return ScoreOn(state, node, nullptr);
}

int64_t VolumeBinding::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  Result<int64_t, Status> score = ScoreOn(scored.state, scored.node(), notes);
  CHECK(score.ok());
  notes->AddResult("mean over the storage classes: {}", {*score});
  return *score;
}

Result<int64_t, Status> VolumeBinding::ScoreOn(const CycleState& state, const NodeInfo& node,
                                               ScoreNotes* notes) const {
  if (!shape_) return int64_t{0};
  const auto* data = state.ReadData<BindingState>();
  if (data == nullptr) return Status::Error("not found");
  if (data->claims == nullptr || !data->has_filtered) return int64_t{0};
  PodVolumes volumes;
  Result<VolumeConflicts, std::string> conflicts =
      binder_.FindPodVolumes(*data->claims, *node.node(), &volumes);
  if (!conflicts.ok()) return Status::Error(conflicts.fault());
  return *conflicts == 0 ? ScoreVolumeCapacity(volumes, *shape_, notes) : int64_t{0};
}

// Here and below: with a cached verdict, PreFilter and Filter did not run for this pod. That is so
// only if the pod has no claims, or none that wait for a volume (AppendFragment).
Status VolumeBinding::Reserve(CycleState& state, const Pod& pod, const Symbol& node) {
  if (!HasClaims(pod)) return Status::Success();
  auto* data = state.MutableData<BindingState>();
  if (data == nullptr && binder_.ArePodVolumesBound(pod)) {
    auto bound = std::make_unique<BindingState>();
    bound->is_all_bound = true;
    state.WriteData(std::move(bound));
    return Status::Success();
  }
  if (data == nullptr) return Status::Error("not found");
  const NodeInfo* info = handle_.snapshot().Get(node);
  if (data->claims == nullptr || !data->has_filtered || info == nullptr) {
    data->is_all_bound = true;
    return Status::Success();
  }
  PodVolumes volumes;
  Result<VolumeConflicts, std::string> conflicts =
      binder_.FindPodVolumes(*data->claims, *info->node(), &volumes);
  if (!conflicts.ok()) return Status::Error(conflicts.fault());
  data->is_all_bound = *conflicts != 0;
  if (data->is_all_bound) return Status::Success();
  Result<bool, std::string> is_all_bound = binder_.AssumePodVolumes(pod, node, &volumes);
  if (!is_all_bound.ok()) {
    handle_.metrics().Add(Metric::kVolumeSchedulingStageError, {"assume"});
    return Status::Error(is_all_bound.fault());
  }
  data->is_all_bound = *is_all_bound;
  data->volumes = std::move(volumes);
  return Status::Success();
}

void VolumeBinding::Unreserve(CycleState& state, const Pod&, const Symbol&) {
  const auto* data = state.ReadData<BindingState>();
  if (data != nullptr && data->volumes) binder_.RevertAssumedPodVolumes(*data->volumes);
}

Status VolumeBinding::PreBindPreFlight(CycleState& state, const Pod& pod, const Symbol& node) {
  if (!HasClaims(pod)) return Status::Skip();
  auto* data = state.MutableData<BindingState>();
  if (data == nullptr) return Status::Error("not found");
  data->claims.reset();  // as long as a list of free volumes is held, changes copy it
  if (data->is_all_bound) return Status::Skip();
  return data->volumes ? Status::Success() : NoVolumeFound(node);
}

Task<Status> VolumeBinding::PreBind(CycleState& state, const Pod& pod, const Symbol& node) {
  if (!HasClaims(pod)) co_return Status::Success();
  auto* data = state.MutableData<BindingState>();
  if (data == nullptr) co_return Status::Error("not found");
  if (data->is_all_bound) co_return Status::Success();
  if (!data->volumes) co_return NoVolumeFound(node);
  Status status = co_await binder_.BindPodVolumes(pod, node, &*data->volumes);
  if (!status.IsSuccess()) handle_.metrics().Add(Metric::kVolumeSchedulingStageError, {"bind"});
  co_return status;
}

std::optional<DecisionNote> VolumeBinding::NoteOn(const CycleState& state, const Pod&,
                                                  const NodeInfo& node) const {
  const auto* data = state.ReadData<BindingState>();
  if (data == nullptr || data->claims == nullptr || !data->has_filtered) return std::nullopt;
  PodVolumes volumes;
  Result<VolumeConflicts, std::string> conflicts =
      binder_.FindPodVolumes(*data->claims, *node.node(), &volumes);
  bool has_volumes = !volumes.static_bindings.empty() || !volumes.dynamic_provisions.empty();
  if (!conflicts.ok() || *conflicts != 0 || !has_volumes) return std::nullopt;
  DecisionNote note{"volumes", {}};
  JsonWriter json(&note.json);
  json.BeginObject();
  for (const BindingInfo& binding : volumes.static_bindings) {
    json.StringMember(binding.claim->metadata.name.view(), binding.volume->metadata.name.view());
  }
  for (const DynamicProvision& provision : volumes.dynamic_provisions) {
    json.StringMember(provision.claim->metadata.name.view(), "provision");
  }
  json.EndObject();
  return note;
}

std::vector<ClusterEventWithHint> VolumeBinding::EventsToRegister() const {
  return VolumeBindingEvents();
}

void VolumeBinding::SignPod(const Pod& pod, PodSignature* signature) const {
  SignVolumes(pod, signature);
}

}  // namespace stowage
