#include "core/scheduler/evaluation.h"

#include "core/scheduler/classification.h"
#include "core/scheduler/explanation.h"
#include "core/scheduler/record_log.h"
#include "core/scheduler/records.h"

namespace stowage {
namespace {

// Table cells: passed; not reached because an earlier plugin refused; outside the sample. A
// positive number is the number of a status.
constexpr int kPassed = 0;
constexpr int kNotReached = -1;
constexpr int kOutsideSample = -2;

// By row: whether the cycle evaluated it, that is, found it feasible or refused it.
std::vector<bool> EvaluatedRows(const ScheduleResult& result) {
  const NodeToStatus& statuses = result.diagnosis.node_to_status;
  std::vector<bool> evaluated(statuses.rows());
  for (size_t row = 0; row < statuses.rows(); ++row) evaluated[row] = statuses.HasOwn(row);
  for (const NodeInfo* node : result.detail->feasible.nodes) evaluated[node->row()] = true;
  return evaluated;
}

// Fills in what a decision from the cache leaves out of the plugins' state.
void ReadWholeState(const Framework& framework, const Pod& pod, ScheduleResult* result) {
  result->state = CycleState();
  framework.RunPreFilterPlugins(result->state, pod);
}

// Runs the filters on the nodes that the search did not reach.
void FilterEveryNode(const Framework& framework, const Pod& pod, ScheduleResult* result,
                     std::vector<bool>* evaluated) {
  NodeToStatus& statuses = result->diagnosis.node_to_status;
  for (size_t row = 0; row < evaluated->size(); ++row) {
    if ((*evaluated)[row]) continue;
    if (framework.steps().is_exhausted()) return;
    const NodeInfo& node = *framework.snapshot().nodes()[row];
    Status status = framework.RunFilterPluginsWithNominatedPods(result->state, pod, node);
    if (!status.IsSuccess()) statuses.Set(row, status);
    (*evaluated)[row] = true;
  }
}

void WriteAllRefusals(const Framework& framework, const Pod& pod, const CycleState& state,
                      JsonWriter* json) {
  RefusalGroups refusals;
  for (const NodeInfo* node : framework.snapshot().nodes()) {
    for (const Status& status : framework.RunAllFilterPlugins(state, pod, *node)) {
      refusals.Add(status, node->name());
    }
  }
  json->Key("filterAll");
  refusals.Write(json);
}

int Cell(const NodeToStatus& statuses, size_t row, bool is_evaluated, int plugin_order) {
  if (!is_evaluated) return kOutsideSample;
  if (!statuses.HasOwn(row) || plugin_order > 0) return kPassed;
  return plugin_order == 0 ? static_cast<int>(statuses.id(row)) : kNotReached;
}

// One column of small numbers per Filter plugin that ran, over all nodes in visit order.
void WriteTable(const Framework& framework, const ScheduleResult& result,
                const std::vector<bool>& evaluated, JsonWriter* json) {
  const NodeToStatus& statuses = result.diagnosis.node_to_status;
  const auto& plugins = framework.filter_plugins();
  json->Key("table").BeginObject().Key("nodes").BeginArray();
  for (const NodeInfo* node : framework.snapshot().nodes()) json->String(node->name().view());
  json->EndArray();
  std::vector<Symbol> ran;
  std::vector<Symbol> skipped;
  std::map<Symbol, int> order;
  for (const auto& plugin : plugins) {
    bool is_skipped = result.state.SkipsFilter(plugin.index);
    (is_skipped ? skipped : ran).push_back(plugin.name);
    order[plugin.name] = static_cast<int>(order.size());
  }
  WriteNames("plugins", ran, json);
  WriteNames("skipped", skipped, json);
  json->Key("statuses").BeginArray();
  for (const Status& status : statuses.distinct()) {
    json->BeginObject();
    WriteStatusMembers(status, json);
    json->EndObject();
  }
  json->EndArray().Key("cells").BeginObject();
  for (const Symbol& plugin : ran) {
    json->Key(plugin.view()).BeginArray();
    for (size_t row = 0; row < statuses.rows(); ++row) {
      int refuser = statuses.HasOwn(row) ? order[statuses.Get(row).plugin()] : 0;
      json->Int(Cell(statuses, row, evaluated[row], refuser - order[plugin]));
    }
    json->EndArray();
  }
  json->EndObject().EndObject();
}

}  // namespace

bool WriteEvaluation(const EvaluationOptions& options, SchedulingCycle cycle,
                     ProfileRuntime& profile, const Pod& pod, std::string* out) {
  Framework& framework = *profile.framework;
  ScheduleResult result;
  Status gated;
  if (options.pre_enqueue) gated = framework.RunPreEnqueuePlugins(pod);
  std::vector<bool> evaluated;  // by row
  bool is_asked = gated.IsSuccess() || options.all_plugins;
  if (is_asked) {
    Task<ScheduleResult> run = cycle.Run(profile, pod, {options.nodes, options.preemption});
    run.Start();
    if (!run.IsDone()) return false;
    result = run.Take();
    if (framework.steps().is_exhausted()) return true;
    bool has_verdicts = result.num_all_nodes > 0 && result.diagnosis.pre_filter_msg.empty();
    if (result.detail) evaluated = EvaluatedRows(result);
    if (options.every_node && has_verdicts) {
      FilterEveryNode(framework, pod, &result, &evaluated);
    }
  }
  DecisionRecord record{pod, 0, {}, gated, result};
  JsonWriter json(out);
  json.BeginObject().StringMember("apiVersion", "stowage/v1").StringMember("kind", "Evaluation");
  if (framework.features().is_preview) json.BoolMember("preview", true);
  json.StringMember("pod", PodText(pod)).StringMember("result", ResultName(record));
  json.Key("node");
  result.host.empty() || !gated.IsSuccess() ? json.Null() : json.String(result.host.view());
  if (options.classify) {
    json.StringMember("fits", gated.IsSuccess() ? Classify(profile, pod, result)
                                                : ClassifyWithoutNode(profile, pod));
  }
  if (!gated.IsSuccess()) {
    json.StringMember("plugin", gated.plugin().view());
    // Otherwise the message says why no node takes the pod.
    if (result.status.IsSuccess()) json.StringMember("message", gated.Message());
  }
  if (is_asked) {
    WriteResultCounts(result, &json);
    WriteResultMembers(result, framework.snapshot(), &json);
  }
  bool has_filtered = is_asked && result.detail && result.diagnosis.pre_filter_msg.empty();
  if (has_filtered && options.all_plugins) {
    WriteAllRefusals(framework, pod, result.state, &json);
  }
  bool has_refused = is_asked && result.host.empty() && result.num_all_nodes > 0 &&
                     result.diagnosis.pre_filter_msg.empty();
  if (options.culprits && (has_filtered || has_refused)) {
    if (!result.detail) ReadWholeState(framework, pod, &result);
    WriteCulprits(framework, pod, result, options.culprit_nodes, &json);
  }
  if (options.score_notes && result.detail && result.detail->scores) {
    WriteScoreNotes(*options.score_notes, framework, pod, result, &json);
  }
  if (options.score_notes && result.preemption && !result.preemption->pick_notes.empty()) {
    json.Key("pickNotes").Raw(result.preemption->pick_notes);
  }
  if (has_filtered && options.table) WriteTable(framework, result, evaluated, &json);
  if (framework.steps().is_counting()) {
    json.IntMember("steps", static_cast<int64_t>(framework.steps().spent()));
  }
  json.EndObject();
  return true;
}

}  // namespace stowage
