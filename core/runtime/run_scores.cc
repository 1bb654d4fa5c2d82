// The scoring half of Framework: PreScore, Score, NormalizeScore and weights (spec 05 §6).

#include "core/base/format.h"
#include "core/runtime/framework.h"

namespace stowage {
namespace {

Status ScoreNodes(const PluginAt<ScorePlugin>& entry, const CycleState& state, const Pod& pod,
                  std::span<NodeScore> scores, StepBudget& steps) {
  for (NodeScore& score : scores) {
    if (!steps.Visit()) return Status::Error(StepBudget::kExhausted);
    Result<int64_t, Status> result = entry.plugin->Score(state, pod, *score.node);
    if (!result.ok()) {
      return Status::Error(Format("running Score plugins: plugin \"{}\" failed with: {}",
                                  entry.name.view(), result.fault().Message()));
    }
    score.score = *result;
  }
  return Status::Success();
}

std::vector<int64_t> Values(std::span<const NodeScore> scores, int64_t factor) {
  std::vector<int64_t> values;
  values.reserve(scores.size());
  for (const NodeScore& score : scores) values.push_back(score.score * factor);
  return values;
}

}  // namespace

Status Framework::RunPreScorePlugins(CycleState& state, const Pod& pod, NodeList nodes) const {
  for (const auto& entry : pre_score_) {
    if (state.SkipsScore(entry.index)) continue;
    if (!steps().Visit(nodes.size())) return Status::Error(StepBudget::kExhausted);
    Status status = entry.plugin->PreScore(state, pod, nodes);
    if (status.IsSkip()) {
      state.SkipScore(entry.index);
      continue;
    }
    CountEvaluations(EvaluatedPoint::kPreScore, entry.index);
    if (!status.IsSuccess()) {
      return Status::Error(
          Format("running PreScore plugin \"{}\": {}", entry.name.view(), status.Message()));
    }
  }
  return Status::Success();
}

Status Framework::RunPreScoreOnGroups(CycleState& state, const Pod& pod,
                                      std::span<const NodeGroup> groups) const {
  for (const auto& entry : pre_score_) {
    if (state.SkipsScore(entry.index)) continue;
    if (!steps().Visit(groups.size())) return Status::Error(StepBudget::kExhausted);
    Status status = plugins_[entry.index]->instance.classes->PreScoreGroups(state, pod, groups);
    if (status.IsSkip()) {
      state.SkipScore(entry.index);
    } else if (!status.IsSuccess()) {
      return status;
    }
  }
  return Status::Success();
}

Status Framework::NormalizeScores(const PluginAt<ScorePlugin>& entry, const CycleState& state,
                                  const Pod& pod, std::span<NodeScore> scores) const {
  if (const ScoreExtensions* normalizer = entry.plugin->Normalizer(); normalizer != nullptr) {
    Status status = normalizer->NormalizeScore(state, pod, scores);
    if (!status.IsSuccess()) {
      return Status::Error(
          Format("running Normalize on Score plugins: plugin \"{}\" failed with: {}",
                 entry.name.view(), status.Message()));
    }
  }
  for (const NodeScore& score : scores) {
    if (score.score >= kMinNodeScore && score.score <= kMaxNodeScore) continue;
    return Status::Error(Format(
        "applying score defaultWeights on Score plugins: plugin \"{}\" returns an invalid score "
        "{}, it should in the range of [{}, {}] after normalizing",
        entry.name.view(), score.score, kMinNodeScore, kMaxNodeScore));
  }
  return Status::Success();
}

Result<NodeScores, Status> Framework::RunScorePlugins(const CycleState& state, const Pod& pod,
                                                      NodeList nodes) const {
  NodeScores result;
  result.total.assign(nodes.size(), 0);
  for (const auto& entry : score_) {
    if (state.SkipsScore(entry.index)) continue;
    std::vector<NodeScore> scores;
    scores.reserve(nodes.size());
    for (const NodeInfo* node : nodes) scores.push_back({node, 0});
    CountEvaluations(EvaluatedPoint::kScore, entry.index, nodes.size());
    Status status = ScoreNodes(entry, state, pod, scores, steps());
    if (!status.IsSuccess()) return status;
    PluginScores plugin{entry.name, entry.weight, Values(scores, 1), {}};
    status = NormalizeScores(entry, state, pod, scores);
    if (!status.IsSuccess()) return status;
    plugin.weighted = Values(scores, entry.weight);
    for (size_t index = 0; index < nodes.size(); ++index) {
      result.total[index] += plugin.weighted[index];
    }
    result.plugins.push_back(std::move(plugin));
  }
  return result;
}

}  // namespace stowage
