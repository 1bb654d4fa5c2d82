// The part of Framework that runs after a node is chosen: Reserve, Permit and the binding cycle's
// extension points (spec 05 §8, §9).

#include <algorithm>

#include "core/base/format.h"
#include "core/runtime/framework.h"

namespace stowage {
namespace {

constexpr std::string_view kContextCanceled = "context canceled";
constexpr int64_t kMaxPermitTimeoutUs = int64_t{15} * 60 * 1'000'000;

// A rejection keeps its code, under the plugin's name; anything else becomes an error.
Status FailureOf(const Status& status, const Symbol& plugin, std::string_view point) {
  if (status.IsRejected()) return status.WithPlugin(plugin);
  return Status::Error(
      Format("running {} plugin \"{}\": {}", point, plugin.view(), status.Message()));
}

Status BindOutcome(const Status& status, const Symbol& plugin) {
  if (status.IsSuccess() || status.IsSkip()) return Status::WithoutReasons(status.code());
  return FailureOf(status, plugin, "Bind");
}

// A plugin whose PreBind was cancelled reports only that; this returns the cause instead.
Status WithCause(const Status& status, const Background* background, const Pod& pod) {
  if (status.IsRejected() || background == nullptr) return status;
  const std::string* cause = background->pods_in_pre_bind.CauseOf(pod.metadata.uid);
  bool is_stopped = cause != nullptr && status.Message().ends_with(kContextCanceled);
  return is_stopped ? Status::Error(*cause) : status;
}

}  // namespace

bool Framework::ChangeAssumedPod(const CycleState& state, const Symbol& node, Pod* pod) const {
  bool has_changed = false;
  for (const auto& entry : reserve_) {
    has_changed |= entry.plugin->ChangeAssumedPod(state, node, pod);
  }
  return has_changed;
}

Status Framework::RunReservePluginsReserve(CycleState& state, const Pod& pod,
                                           const Symbol& node) const {
  for (const auto& entry : reserve_) {
    Status status = entry.plugin->Reserve(state, pod, node);
    if (!status.IsSuccess()) return FailureOf(status, entry.name, "Reserve");
  }
  return Status::Success();
}

void Framework::RunReservePluginsUnreserve(CycleState& state, const Pod& pod,
                                           const Symbol& node) const {
  for (auto entry = reserve_.rbegin(); entry != reserve_.rend(); ++entry) {
    entry->plugin->Unreserve(state, pod, node);
  }
}

Status Framework::RunPermitPlugins(CycleState& state, const Pod& pod, const Symbol& node,
                                   std::vector<PermitWait>* waits) const {
  std::vector<Symbol> reasons;
  for (const auto& entry : permit_) {
    int64_t timeout_us = 0;
    Status status = entry.plugin->Permit(state, pod, node, &timeout_us);
    if (status.IsSuccess()) continue;
    if (status.code() != Code::kWait) return FailureOf(status, entry.name, "Permit");
    waits->push_back({entry.name, std::min(timeout_us, kMaxPermitTimeoutUs)});
    reasons.insert(reasons.end(), status.reasons().begin(), status.reasons().end());
  }
  if (waits->empty()) return Status::Success();
  reasons.emplace_back("one or more plugins asked to wait and no plugin rejected pod");
  return Status::WithReasons(Code::kWait, std::move(reasons));
}

Status Framework::RunPlacementGeneratePlugins(const ObjectKey& group, const Placement& parent,
                                              std::vector<Placement>* placements) const {
  // A profile has at most one such plugin.
  for (const auto& entry : placement_generate_) {
    Status status = entry.plugin->GeneratePlacements(group, parent, placements);
    if (status.IsSuccess()) return status;
    return FailureOf(status, entry.name, "PlacementGenerate");
  }
  placements->push_back(parent);
  return Status::Success();
}

Result<std::vector<int64_t>, Status> Framework::RunPlacementScorePlugins(
    const ObjectKey& group, const std::vector<PodGroupAssignments>& placements) const {
  std::vector<int64_t> totals(placements.size());
  for (const auto& entry : placement_score_) {
    std::vector<int64_t> scores;
    for (const PodGroupAssignments& one : placements) {
      scores.push_back(entry.plugin->ScorePlacement(group, one));
    }
    Status status = entry.plugin->NormalizePlacementScores(scores);
    if (!status.IsSuccess()) return FailureOf(status, entry.name, "PlacementScore");
    for (size_t index = 0; index < totals.size(); ++index) {
      totals[index] += scores[index] * entry.weight;
    }
  }
  return totals;
}

Status Framework::RunPreBindPreFlights(CycleState& state, const Pod& pod,
                                       const Symbol& node) const {
  bool has_work = false;
  for (const auto& entry : pre_bind_) {
    Status status = entry.plugin->PreBindPreFlight(state, pod, node);
    if (status.IsSkip()) {
      state.SkipPreBind(entry.index);
    } else if (status.IsSuccess()) {
      has_work = true;
    } else if (status.code() == Code::kError) {
      return Status::Error(
          Format("running PreBindPreFlight \"{}\": {}", entry.name.view(), status.Message()));
    } else {
      return Status::Error(Format(
          "PreBindPreFlight {} returned \"{}\", which is unsupported. It is supposed to return "
          "Success, Skip, or Error status",
          entry.name.view(), CodeName(status.code())));
    }
  }
  return has_work ? Status::Success() : Status::Skip();
}

Task<Status> Framework::RunPreBindPlugins(CycleState& state, const Pod& pod,
                                          const Symbol& node) const {
  for (const auto& entry : pre_bind_) {
    if (state.IsPreBindSkipped(entry.index)) continue;
    Status status = co_await entry.plugin->PreBind(state, pod, node);
    if (!status.IsSuccess()) {
      co_return FailureOf(WithCause(status, background(), pod), entry.name, "PreBind");
    }
  }
  co_return Status::Success();
}

// Usually there is one plugin, which may answer at once; then no coroutine is needed.
Task<Status> Framework::RunBindPlugins(CycleState& state, const Pod& pod,
                                       const Symbol& node) const {
  if (bind_.size() != 1) return RunEachBindPlugin(state, pod, node);
  return Map(bind_.front().plugin->Bind(state, pod, node), &BindOutcome, bind_.front().name);
}

Task<Status> Framework::RunEachBindPlugin(CycleState& state, const Pod& pod,
                                          const Symbol& node) const {
  for (const auto& entry : bind_) {
    Status status = BindOutcome(co_await entry.plugin->Bind(state, pod, node), entry.name);
    if (!status.IsSkip()) co_return status;
  }
  co_return Status::Skip();
}

Task<void> Framework::RunPostBindPlugins(CycleState& state, const Pod& pod,
                                         const Symbol& node) const {
  return post_bind_.empty() ? Task<void>::Done() : RunEachPostBindPlugin(state, pod, node);
}

Task<void> Framework::RunEachPostBindPlugin(CycleState& state, const Pod& pod,
                                            const Symbol& node) const {
  for (const auto& entry : post_bind_) co_await entry.plugin->PostBind(state, pod, node);
}

}  // namespace stowage
