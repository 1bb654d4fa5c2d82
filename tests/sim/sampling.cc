#include "tests/sim/sampling.h"
#include "tests/support/run_to_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace stowage {
namespace {

using Nodes = std::vector<const NodeInfo*>;

std::string CompareFeasible(std::string_view what, const Nodes& found, const Nodes& want) {
  for (size_t at = 0; at < std::max(found.size(), want.size()); ++at) {
    std::string_view is = at < found.size() ? found[at]->name().view() : "none";
    std::string_view must = at < want.size() ? want[at]->name().view() : "none";
    if (is == must) continue;
    return fmt::format("{}: feasible node {} is {}, a walk over all nodes says {}", what, at, is,
                       must);
  }
  return "";
}

// By node; the searches may have begun at different ones.
std::map<std::string_view, std::vector<int64_t>> ScoresByNode(const CycleDetail& detail) {
  std::map<std::string_view, std::vector<int64_t>> by_node;
  if (!detail.scores) return by_node;
  for (size_t at = 0; at < detail.feasible.nodes.size(); ++at) {
    std::vector<int64_t>& scores = by_node[detail.feasible.nodes[at]->name().view()];
    for (const PluginScores& plugin : detail.scores->plugins) {
      scores.push_back(plugin.raw[at]);
      scores.push_back(plugin.weighted[at]);
    }
    scores.push_back(detail.scores->total[at]);
  }
  return by_node;
}

// The winner has the best total: it is the first such node if no other rule decides.
std::string CheckWinner(const ScheduleResult& result) {
  const CycleDetail& detail = *result.detail;
  if (result.status.IsSuccess() == detail.feasible.nodes.empty())
    return "a node without being feasible";
  if (detail.feasible.nodes.size() < 2 || !detail.scores) return "";
  const std::vector<int64_t>& totals = detail.scores->total;
  int64_t best = *std::max_element(totals.begin(), totals.end());
  for (size_t at = 0; at < totals.size(); ++at) {
    if (detail.feasible.nodes[at]->name() == result.host && totals[at] == best) return "";
  }
  return fmt::format("{} wins without the best total", result.host.view());
}

}  // namespace

std::string SamplingCheck::Check(const Pod& pod, SamplingTally* tally) {
  size_t num_nodes = fixture_.snapshot().NumNodes();
  if (num_nodes == 0) {
    bool is_refused = Decide(&all_nodes_, pod).status.IsRejected();
    return is_refused && Decide(&sampling_, pod).status.IsRejected() ? "" : "placed on no node";
  }
  size_t all_start = all_nodes_.next_start_node_index() % num_nodes;
  size_t start = sampling_.next_start_node_index() % num_nodes;
  ScheduleResult all = Decide(&all_nodes_, pod);
  ScheduleResult sample = Decide(&sampling_, pod);
  if (all.status.code() == Code::kError) return "";  // ends a search at any node
  std::string fault =
      CompareFeasible("with 100 %", all.detail->feasible.nodes, WalkAllNodes(pod, all_start));
  if (!fault.empty()) return fault;
  if (sample.status.code() == Code::kError) return "a sample finds an error, all nodes do not";
  Nodes want = WalkAllNodes(pod, start);
  want.resize(std::min(want.size(), NumFeasibleNodesToFind(num_nodes)));
  fault =
      CompareFeasible(fmt::format("with {} %", percentage_), sample.detail->feasible.nodes, want);
  if (fault.empty()) fault = CheckWinner(all);
  if (fault.empty()) fault = CheckWinner(sample);
  if (!fault.empty()) return fault;
  if (sample.evaluated_nodes < all.evaluated_nodes) ++tally->sampled;
  if (want.size() != all.feasible_nodes) return "";
  if (want.size() > 1) ++tally->exhausted;
  if (ScoresByNode(*sample.detail) != ScoresByNode(*all.detail)) {
    return fmt::format("{} % scores all feasible nodes as 100 % does not", percentage_);
  }
  bool is_same = start != all_start || sample.host == all.host;
  return is_same ? "" : fmt::format("{} % takes another node than 100 %", percentage_);
}

// Without the cycle's stamp, so that OpportunisticBatching proposes no node.
ScheduleResult SamplingCheck::Decide(SchedulingCycle* cycle, const Pod& pod) {
  CycleOptions options;
  options.has_detail = true;
  options.has_post_filter = false;
  return RunToEnd(cycle->Run(profile_, pod, options));
}

std::vector<const NodeInfo*> SamplingCheck::WalkAllNodes(const Pod& pod, size_t start) const {
  const Framework& framework = *profile_.framework;
  const Snapshot& snapshot = fixture_.snapshot();
  CycleState state;
  PreFilterOutcome outcome = framework.RunPreFilterPlugins(state, pod);
  if (!outcome.status.IsSuccess()) return {};
  auto passes = [&](const NodeInfo& node) {
    return framework.RunFilterPluginsWithNominatedPods(state, pod, node).IsSuccess();
  };
  const NodeInfo* nominated = snapshot.Get(pod.status.nominated_node_name);
  if (nominated != nullptr && passes(*nominated)) return {nominated};
  Nodes nodes;
  for (const NodeInfo* node : snapshot.nodes()) {
    const auto& names = outcome.result.node_names;
    bool is_left = !names || std::find(names->begin(), names->end(), node->name()) != names->end();
    if (is_left) nodes.push_back(node);
  }
  Nodes feasible;
  for (size_t visit = 0; visit < nodes.size(); ++visit) {
    const NodeInfo* node = nodes[(start + visit) % nodes.size()];
    if (passes(*node)) feasible.push_back(node);
  }
  return feasible;
}

// spec 05 §5: with fewer than 100 nodes all are searched, and never fewer than 100 feasible ones
// are found.
size_t SamplingCheck::NumFeasibleNodesToFind(size_t num_nodes) const {
  if (num_nodes < 100) return num_nodes;
  size_t percentage = static_cast<size_t>(percentage_);
  if (percentage == 0) percentage = num_nodes < 5625 ? 50 - num_nodes / 125 : 5;
  return std::max<size_t>(100, num_nodes * percentage / 100);
}

}  // namespace stowage
