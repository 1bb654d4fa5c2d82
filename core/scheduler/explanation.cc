#include "core/scheduler/explanation.h"

#include <algorithm>
#include <numeric>

#include "core/base/stable_sort.h"
#include "core/scheduler/records.h"

namespace stowage {
namespace {

std::vector<Symbol> Sorted(std::vector<Symbol> names) {
  StableSort(&names);
  return names;
}

// Positions of the feasible list, sorted by node name.
std::vector<size_t> ByName(const std::vector<const NodeInfo*>& feasible) {
  std::vector<size_t> order(feasible.size());
  std::iota(order.begin(), order.end(), size_t{0});
  StableSort(&order, [&](size_t a, size_t b) { return feasible[a]->name() < feasible[b]->name(); });
  return order;
}

void WriteNumbers(const std::vector<int64_t>& numbers, const std::vector<size_t>& order,
                  JsonWriter* json) {
  json->BeginArray();
  for (size_t position : order) json->Int(numbers[position]);
  json->EndArray();
}

void WriteScores(const NodeScores& scores, const std::vector<size_t>& order, JsonWriter* json) {
  json->Key("scores").BeginObject();
  for (const PluginScores& plugin : scores.plugins) {
    json->Key(plugin.plugin.view());
    WriteNumbers(plugin.weighted, order, json);
  }
  json->EndObject();
  json->Key("rawScores").BeginObject();
  for (const PluginScores& plugin : scores.plugins) {
    json->Key(plugin.plugin.view());
    WriteNumbers(plugin.raw, order, json);
  }
  json->EndObject();
  json->Key("weights").BeginObject();
  for (const PluginScores& plugin : scores.plugins) {
    json->IntMember(plugin.plugin.view(), plugin.weight);
  }
  json->EndObject();
  json->Key("total");
  WriteNumbers(scores.total, order, json);
}

// The nodes with the best total. A single feasible node is best without being scored.
std::vector<Symbol> BestNodes(const CycleDetail& detail) {
  if (detail.feasible.nodes.size() == 1) return {detail.feasible.nodes.front()->name()};
  std::vector<Symbol> best;
  if (!detail.scores) return best;
  const std::vector<int64_t>& total = detail.scores->total;
  int64_t highest = *std::max_element(total.begin(), total.end());
  for (size_t position = 0; position < total.size(); ++position) {
    if (total[position] == highest) best.push_back(detail.feasible.nodes[position]->name());
  }
  return Sorted(std::move(best));
}

void WritePreFilter(const ScheduleResult& result, JsonWriter* json) {
  const Status& refusal = result.diagnosis.pre_filter_status;
  if (!refusal.IsSuccess()) {
    json->Key("preFilter").BeginObject();
    WriteStatusMembers(refusal, json);
    json->EndObject();
    return;
  }
  const auto& narrowed = result.detail->pre_filter.result.node_names;
  if (!narrowed) return;
  WriteNames("preFilterResult", *narrowed, json);
  // Missing if a nominated node was taken before PreFilter's result narrowed the other nodes.
  const Status& absent = result.diagnosis.node_to_status.absent_status();
  if (absent.reasons().empty()) return;
  json->Key("absent").BeginObject().StringMember("code", CodeName(absent.code()));
  WriteNames("reasons", Sorted(absent.reasons()), json);
  json->EndObject();
}

void WriteDryRuns(const std::vector<DryRunRef>& dry_runs, JsonWriter* json) {
  std::vector<const DryRunResult*> sorted;
  for (const DryRunRef& dry_run : dry_runs) sorted.push_back(dry_run.get());
  StableSort(&sorted,
             [](const DryRunResult* a, const DryRunResult* b) { return a->node < b->node; });
  json->Key("candidates").BeginArray();
  for (const DryRunResult* dry_run : sorted) {
    if (!dry_run->status.IsSuccess()) continue;
    json->BeginObject().StringMember("node", dry_run->node.view());
    WritePods("victims", dry_run->victims.pods, json);
    json->IntMember("pdbViolations", dry_run->victims.num_pdb_violations).EndObject();
  }
  json->EndArray();
  json->Key("rejected").BeginObject();
  for (const DryRunResult* dry_run : sorted) {
    if (dry_run->status.IsSuccess()) continue;
    json->Key(dry_run->node.view()).BeginObject();
    WriteStatusMembers(dry_run->status, json);
    json->EndObject();
  }
  json->EndObject();
}

std::string_view NominationName(const std::optional<Symbol>& nomination) {
  if (!nomination) return "keep";
  return nomination->empty() ? "clear" : "set";
}

}  // namespace

void WritePods(std::string_view key, const std::vector<PodInfoRef>& pods, JsonWriter* json) {
  json->Key(key).BeginArray();
  for (const PodInfoRef& pod : pods) json->String(PodText(*pod->pod));
  json->EndArray();
}

void RefusalGroups::Add(const Status& status, const Symbol& node) {
  auto known = std::ranges::find(recent_, status, &Recent::status);
  if (known == recent_.end()) {
    std::vector<Symbol>* nodes =
        &groups_[Key(status.plugin(), status.code(), Sorted(status.reasons()))];
    if (recent_.size() == kRecentMax) recent_.clear();
    known = recent_.insert(recent_.end(), {status, nodes});
  }
  known->nodes->push_back(node);
}

void RefusalGroups::Write(JsonWriter* json) const {
  json->BeginArray();
  for (const auto& [key, nodes] : groups_) {
    const auto& [plugin, code, reasons] = key;
    json->BeginObject().StringMember("plugin", plugin.view());
    json->StringMember("code", CodeName(code));
    WriteNames("reasons", reasons, json);
    WriteNames("nodes", Sorted(nodes), json);
    json->EndObject();
  }
  json->EndArray();
}

void WriteStatusMembers(const Status& status, JsonWriter* json) {
  json->StringMember("plugin", status.plugin().view());
  json->StringMember("code", CodeName(status.code()));
  WriteNames("reasons", Sorted(status.reasons()), json);
}

void WriteNames(std::string_view key, const std::vector<Symbol>& names, JsonWriter* json) {
  json->Key(key).BeginArray();
  for (const Symbol& name : names) json->String(name.view());
  json->EndArray();
}

void WriteNodeMembers(const ScheduleResult& result, const Snapshot& snapshot, JsonWriter* json) {
  WritePreFilter(result, json);
  RefusalGroups refusals;
  const NodeToStatus& statuses = result.diagnosis.node_to_status;
  for (size_t row = 0; row < statuses.rows(); ++row) {
    if (statuses.HasOwn(row)) refusals.Add(statuses.Get(row), snapshot.nodes()[row]->name());
  }
  json->Key("filter");
  refusals.Write(json);
  const CycleDetail& detail = *result.detail;
  std::vector<size_t> order = ByName(detail.feasible.nodes);
  json->Key("feasible").BeginArray();
  for (size_t position : order) json->String(detail.feasible.nodes[position]->name().view());
  json->EndArray();
  if (result.host.empty() && !result.fails_with_group) return;
  WriteNames("best", BestNodes(detail), json);
  if (detail.scores) WriteScores(*detail.scores, order, json);
}

void WritePreemption(const ScheduleResult& result, JsonWriter* json) {
  json->Key("preemption").BeginObject();
  json->StringMember("message", result.diagnosis.post_filter_msg);
  bool is_nominated = result.nominated_node_name && !result.nominated_node_name->empty();
  json->Key("nominatedNode");
  is_nominated ? json->String(result.nominated_node_name->view()) : json->Null();
  json->StringMember("nomination", NominationName(result.nominated_node_name));
  if (!result.preemption) {
    json->EndObject();
    return;
  }
  const PreemptionReport& report = *result.preemption;
  if (report.selected) WritePods("victims", report.selected->pods, json);
  if (result.detail) {
    WriteNames("admissibleNodes", Sorted(report.admissible_nodes), json);
    WriteDryRuns(report.dry_runs, json);
  }
  json->EndObject();
  if (report.cleared_nominations.empty()) return;
  WritePods("clearedNominations", report.cleared_nominations, json);
}

}  // namespace stowage
