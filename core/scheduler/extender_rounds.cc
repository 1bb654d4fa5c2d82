#include "core/scheduler/extender_rounds.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace stowage {
namespace {

// An extender's scores range to 10, a plugin's to kMaxNodeScore.
constexpr int64_t kScorePerPriority = kMaxNodeScore / 10;

// DIVERGENCE(extender-unknown-node): refusals of unknown nodes are ignored.
void NoteRefusals(const Handle& handle, const ExtenderVerdict& verdict, NodeToStatus* statuses) {
  const Snapshot& snapshot = handle.snapshot();
  for (const auto& [name, why] : verdict.failed_and_unresolvable_nodes) {
    const NodeInfo* node = snapshot.Get(name);
    if (node == nullptr) continue;
    statuses->Set(node->row(), Status::UnschedulableAndUnresolvable(why.view()));
  }
  for (const auto& [name, why] : verdict.failed_nodes) {
    const NodeInfo* node = snapshot.Get(name);
    if (node == nullptr || verdict.failed_and_unresolvable_nodes.Has(name)) continue;
    statuses->Set(node->row(), Status::Unschedulable(why.view()));
  }
}

// One extender's scores in the form of a plugin's; nodes that it did not name get 0.
PluginScores ScoresOf(const Extender& extender, const std::vector<HostPriority>& priorities,
                      NodeList nodes, std::vector<bool>* is_scored) {
  std::unordered_map<Symbol, int64_t, SymbolHash> by_host;
  for (const HostPriority& priority : priorities) by_host[priority.host] += priority.score;
  PluginScores scores{Symbol(extender.Name()), extender.Weight() * kScorePerPriority, {}, {}};
  for (size_t position = 0; position < nodes.size(); ++position) {
    auto found = by_host.find(nodes[position]->name());
    int64_t score = found == by_host.end() ? 0 : found->second;
    if (found != by_host.end()) (*is_scored)[position] = true;
    scores.raw.push_back(score);
    scores.weighted.push_back(score * scores.weight);
  }
  return scores;
}

}  // namespace

bool HasInterestedExtender(const Extenders& extenders, const Pod& pod) {
  return std::any_of(extenders.begin(), extenders.end(),
                     [&pod](const auto& extender) { return extender->IsInterested(pod); });
}

Task<Status> FindNodesThatPassExtenders(const Handle& handle, const Pod& pod,
                                        FeasibleNodes* feasible, NodeToStatus* statuses) {
  for (const std::unique_ptr<Extender>& extender : handle.extenders()) {
    if (feasible->nodes.empty()) break;
    if (!extender->IsFilter() || !extender->IsInterested(pod)) continue;
    uint64_t id = handle.calls().Send(extender->FilterCall(pod, feasible->nodes));
    Completion answer = co_await handle.calls().Answer(id);
    Result<ExtenderVerdict, Status> verdict = extender->FilterVerdict(answer, feasible->nodes);
    if (!verdict.ok()) {
      if (extender->IsIgnorable()) continue;
      co_return verdict.fault();
    }
    NoteRefusals(handle, *verdict, statuses);
    feasible->nodes = std::move(verdict->nodes);
    for (auto& made : verdict->made) feasible->made.push_back(std::move(made));
  }
  co_return Status::Success();
}

Task<std::vector<bool>> AddExtenderScores(const Handle& handle, const Pod& pod, NodeList nodes,
                                          NodeScores* scores) {
  std::vector<bool> is_scored(nodes.size(), false);
  std::vector<std::pair<const Extender*, uint64_t>> sent;
  for (const std::unique_ptr<Extender>& extender : handle.extenders()) {
    if (!extender->IsInterested(pod)) continue;
    if (extender->IsPrioritizer()) {
      sent.emplace_back(extender.get(), handle.calls().Send(extender->PrioritizeCall(pod, nodes)));
    } else {
      // The reference treats such an extender as one that scores every node 0.
      is_scored.assign(nodes.size(), true);
    }
  }
  for (const auto& [extender, id] : sent) {
    Completion answer = co_await handle.calls().Answer(id);
    Result<std::vector<HostPriority>, Status> priorities = extender->Priorities(answer);
    if (!priorities.ok()) continue;
    PluginScores given = ScoresOf(*extender, *priorities, nodes, &is_scored);
    for (size_t position = 0; position < nodes.size(); ++position) {
      scores->total[position] += given.weighted[position];
    }
    scores->plugins.push_back(std::move(given));
  }
  co_return is_scored;
}

}  // namespace stowage
