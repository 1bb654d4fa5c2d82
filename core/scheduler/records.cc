#include "core/scheduler/records.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "core/scheduler/explanation.h"

namespace stowage {
namespace {

// A summary stays small whatever the cluster: this many distinct reasons, the rest is counted.
constexpr size_t kMaxReasons = 64;

bool IsUnschedulable(const ScheduleResult& result) { return result.status.IsRejected(); }

void WriteNameSet(std::string_view key, const std::set<Symbol>& names, JsonWriter* json) {
  WriteNames(key, std::vector<Symbol>(names.begin(), names.end()), json);
}

// [{"plugin","code","reason","nodes"}] in order of plugin, code and reason.
void WriteReasons(const Diagnosis& diagnosis, size_t num_all_nodes, JsonWriter* json) {
  std::map<std::tuple<Symbol, Code, Symbol>, size_t> counts;
  const NodeToStatus& statuses = diagnosis.node_to_status;
  auto count = [&counts](const Status& status, size_t nodes) {
    if (nodes == 0) return;
    for (const Symbol& reason : status.reasons()) {
      counts[{status.plugin(), status.code(), reason}] += nodes;
    }
  };
  for (size_t index = 0; index < statuses.distinct().size(); ++index) {
    count(statuses.distinct()[index], statuses.CountOf(index));
  }
  if (statuses.own_count() < num_all_nodes) {
    count(statuses.absent_status(), num_all_nodes - statuses.own_count());
  }
  json->Key("reasons").BeginArray();
  size_t written = 0;
  for (const auto& [key, nodes] : counts) {
    if (written++ == kMaxReasons) break;
    const auto& [plugin, code, reason] = key;
    json->BeginObject().StringMember("plugin", plugin.view());
    json->StringMember("code", CodeName(code)).StringMember("reason", reason.view());
    json->IntMember("nodes", nodes).EndObject();
  }
  json->EndArray();
  if (counts.size() > kMaxReasons) json->IntMember("reasonsOmitted", counts.size() - kMaxReasons);
}

}  // namespace

std::string PodText(const Pod& pod) {
  return fmt::format("{}/{}", pod.metadata.namespace_.view(), pod.metadata.name.view());
}

std::string_view ResultName(const DecisionRecord& record) {
  if (!record.gated.IsSuccess()) return "gated";
  if (record.result.status.IsSuccess()) return "scheduled";
  return IsUnschedulable(record.result) ? "unschedulable" : "error";
}

void WriteResultMembers(const ScheduleResult& result, const Snapshot& snapshot, JsonWriter* json) {
  bool is_scheduled = result.status.IsSuccess();
  if (!is_scheduled) {
    json->StringMember("reason", IsUnschedulable(result) ? "Unschedulable" : "SchedulerError");
    json->StringMember("message", result.message);
  }
  if (!result.hint.empty()) json->StringMember("hint", result.hint.view());
  json->IntMember("numAllNodes", result.num_all_nodes);
  json->IntMember("evaluatedNodes", result.evaluated_nodes);
  json->IntMember("feasibleNodes", result.feasible_nodes);
  if (!result.not_implemented.empty()) {
    WriteNames("notImplemented", result.not_implemented, json);
  }
  if (result.num_all_nodes == 0) return;
  if (!is_scheduled || result.detail) {
    WriteReasons(result.diagnosis, result.num_all_nodes, json);
    WriteNameSet("unschedulablePlugins", result.diagnosis.unschedulable_plugins, json);
    WriteNameSet("pendingPlugins", result.diagnosis.pending_plugins, json);
  }
  if (result.detail) WriteNodeMembers(result, snapshot, json);
  if (IsUnschedulable(result) && result.has_preemption_plugin) WritePreemption(result, json);
}

void WriteDecision(const DecisionRecord& record, const Snapshot& snapshot, std::string* out) {
  JsonWriter json(out);
  json.BeginObject().StringMember("kind", "Decision").IntMember("seq", record.seq);
  json.StringMember("at", record.at.ToMicroTime()).StringMember("pod", PodText(record.pod));
  json.StringMember("uid", record.pod.metadata.uid.view());
  json.StringMember("schedulerName", record.pod.spec.scheduler_name.view());
  json.IntMember("attempts", record.attempts).StringMember("result", ResultName(record));
  json.Key("node");
  if (record.result.host.empty()) {
    json.Null();
  } else {
    json.String(record.result.host.view());
  }
  if (!record.gated.IsSuccess()) {
    json.StringMember("plugin", record.gated.plugin().view());
    json.StringMember("message", record.gated.Message());
  } else {
    const auto& nomination = record.result.nominated_node_name;
    json.StringMember("nominatedNodeName",
                      nomination.value_or(record.pod.status.nominated_node_name).view());
    WriteResultMembers(record.result, snapshot, &json);
  }
  json.EndObject();
  out->push_back('\n');
}

void WriteCall(const Call& call, std::string_view key, std::string* out) {
  JsonWriter json(out);
  json.BeginObject().StringMember("kind", "Call").IntMember("id", call.id);
  json.StringMember("callKind", call.kind).StringMember("pod", call.pod);
  json.StringMember("target", call.target);
  json.StringMember("verb", call.verb).StringMember("method", call.method);
  json.StringMember("url", call.url).StringMember("contentType", "application/json");
  json.IntMember("timeoutMs", call.timeout_us / 1000);
  json.IntMember("deadline", call.deadline.ToMicros());
  if (!key.empty()) json.StringMember("key", key);
  json.IntMember("bodyBytes", call.body.size()).EndObject();
  out->push_back('\n');
  out->append(call.body);
}

}  // namespace stowage
