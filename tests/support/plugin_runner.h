// Runs a plugin in a test as the framework would: FakeHandle is the cluster, RunFilter and
// RunScores run the extension points in order.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/framework/registry.h"
#include "core/framework/score_notes.h"
#include "tests/support/fake_handle.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {

// A plugin with its cluster.
template <typename T>
class PluginRunner {
 public:
  // Without args: the plugin's own arguments, without defaults.
  explicit PluginRunner(PluginArgs args = NewPluginArgs(T::kName), Features features = {})
      : args_(std::move(args)) {
    handle_.features() = features;
  }

  FakeHandle& handle() { return handle_; }

  // Built at the first use; the features are fixed from then on.
  T& plugin() {
    if (plugin_ != nullptr) return *plugin_;
    PluginContext context{handle_.features(), handle_, args_};
    if constexpr (requires { T::New(context); }) {
      plugin_ = T::New(context).Take();
    } else {
      plugin_ = std::make_unique<T>(context);
    }
    return *plugin_;
  }

  // Runs PreFilter on a new state, which later calls use.
  Status PreFilter(const Pod& pod, PreFilterResult* result = nullptr) {
    PreFilterResult ignored;
    state_ = CycleState();
    return plugin().PreFilter(state_, pod, handle_.snapshot().nodes(),
                              result == nullptr ? &ignored : result);
  }

  // Runs PreFilter, if the plugin has it, then Filter. A pod that PreFilter skips passes.
  Status Filter(const Pod& pod, std::string_view node) {
    state_ = CycleState();
    if constexpr (std::is_base_of_v<PreFilterPlugin, T>) {
      Status status = PreFilter(pod);
      if (status.IsSkip()) return Status::Success();
      if (!status.IsSuccess()) return status;
    }
    return plugin().Filter(state_, pod, handle_.node(node));
  }

  // Runs PreScore, if the plugin has it, then Score and NormalizeScore on all nodes, in snapshot
  // order. Empty if PreScore skips. The plugin's notes must lead to the same scores.
  Result<std::vector<int64_t>, Status> Scores(const Pod& pod) {
    NodeList nodes = handle_.snapshot().nodes();
    state_ = CycleState();
    if constexpr (std::is_base_of_v<PreScorePlugin, T>) {
      Status status = plugin().PreScore(state_, pod, nodes);
      if (status.IsSkip()) return std::vector<int64_t>();
      if (!status.IsSuccess()) return status;
    }
    std::vector<NodeScore> scores;
    for (const NodeInfo* node : nodes) {
      Result<int64_t, Status> score = plugin().Score(state_, pod, *node);
      if (!score.ok()) return score.fault();
      scores.push_back({node, *score});
    }
    const std::vector<NodeScore> raw = scores;
    if (const ScoreExtensions* normalizer = plugin().Normalizer(); normalizer != nullptr) {
      Status status = normalizer->NormalizeScore(state_, pod, scores);
      if (!status.IsSuccess()) return status;
    }
    TakeNotes(pod, raw, scores);
    std::vector<int64_t> values;
    for (const NodeScore& score : scores) values.push_back(score.score);
    return values;
  }

  // The lines of the notes that Scores collected for this node: of the raw score, then of the
  // normalized one.
  const std::vector<std::string>& Notes(std::string_view node) const {
    return notes_.at(std::string(node));
  }

  CycleState& state() { return state_; }

 private:
  void TakeNotes(const Pod& pod, const std::vector<NodeScore>& raw,
                 const std::vector<NodeScore>& normalized) {
    for (size_t position = 0; position < raw.size(); ++position) {
      NotedScore scored{state_, pod, raw, position, normalized[position].score};
      ScoreNotes notes;
      EXPECT_EQ(plugin().NoteScore(scored, &notes), scored.score());
      if (plugin().Normalizer() != nullptr) {
        EXPECT_EQ(plugin().NoteNormalizedScore(scored, &notes), scored.normalized);
      }
      notes_[scored.node().name().str()] = notes.lines();
    }
  }

  FakeHandle handle_;
  PluginArgs args_;
  std::unique_ptr<T> plugin_;
  CycleState state_;
  std::map<std::string, std::vector<std::string>> notes_;  // by node
};

// The verdict of T about `pod` on a cluster of this one node.
template <typename T>
Status RunFilter(const Pod& pod, const Node& node, Features features = {}) {
  PluginRunner<T> runner(NewPluginArgs(T::kName), features);
  runner.handle().Add(node);
  return runner.Filter(pod, node.metadata.name.view());
}

}  // namespace stowage
