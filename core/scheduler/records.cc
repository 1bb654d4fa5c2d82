#include "core/scheduler/records.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/plugins/dynamic_resources.h"
#include "core/scheduler/explanation.h"

namespace stowage {
namespace {

// Bound a summary in any cluster: it lists this many distinct reasons, or nodes with the best
// total, and counts the rest.
constexpr size_t kMaxReasons = 64;
constexpr size_t kMaxBest = 64;

bool IsUnschedulable(const ScheduleResult& result) { return result.status.IsRejected(); }

void WriteIfSet(std::string_view key, std::string_view text, JsonWriter* json) {
  if (!text.empty()) json->StringMember(key, text);
}

// [{"plugin","code","reason","nodes"}] in order of plugin, code and reason.
STOWAGE_COLD void WriteReasons(const Diagnosis& diagnosis, size_t num_all_nodes, JsonWriter* json) {
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

STOWAGE_COLD void WriteRefusals(const ScheduleResult& result, JsonWriter* json) {
  WriteReasons(result.diagnosis, result.num_all_nodes, json);
  WriteNameSet("unschedulablePlugins", result.diagnosis.unschedulable_plugins, json);
  WriteNameSet("pendingPlugins", result.diagnosis.pending_plugins, json);
}

// With detail, the nodes are in the members of the detail.
STOWAGE_COLD void WriteBest(const std::set<Symbol>& best, JsonWriter* json) {
  size_t count = std::min(best.size(), kMaxBest);
  WriteNames("best", {best.begin(), std::next(best.begin(), static_cast<ptrdiff_t>(count))}, json);
  if (count < best.size()) json->IntMember("bestOmitted", best.size() - count);
}

}  // namespace

std::string PodText(const Pod& pod) {
  return Format("{}/{}", pod.metadata.namespace_.view(), pod.metadata.name.view());
}

void WriteResultCounts(const ScheduleResult& result, JsonWriter* json) {
  if (!result.status.IsSuccess()) {
    json->StringMember("reason", IsUnschedulable(result) ? "Unschedulable" : "SchedulerError");
    json->StringMember("message", result.message);
  }
  if (!result.hint.empty()) json->StringMember("hint", result.hint.view());
  json->IntMember<"numAllNodes">(result.num_all_nodes);
  json->IntMember<"evaluatedNodes">(result.evaluated_nodes);
  json->IntMember<"feasibleNodes">(result.feasible_nodes);
}

void WriteResultMembers(const ScheduleResult& result, const Snapshot& snapshot, JsonWriter* json) {
  bool is_scheduled = result.status.IsSuccess();
  for (const DecisionNote& note : result.notes) json->Key(note.name).Raw(note.json);
  if (!result.is_proved) WriteNames("notProved", {Symbol(DynamicResources::kName)}, json);
  if (result.best.size() > 1 && !result.detail) WriteBest(result.best, json);
  if (result.num_all_nodes == 0) return;
  if (!is_scheduled || result.detail) WriteRefusals(result, json);
  if (result.detail) WriteNodeMembers(result, snapshot, json);
  if (IsUnschedulable(result) && result.has_preemption_plugin) WritePreemption(result, json);
}

void WriteCall(const Call& call, std::string_view key, std::string* out) {
  JsonWriter json(out);
  json.BeginObjectWith<R"({"kind":"Call","id":)">().Int(call.id);
  json.StringMember<"callKind">(call.kind).StringMember<"pod">(call.pod);
  if (!call.target.empty()) json.StringMember<"target">(call.target);
  json.StringMember<"verb">(call.verb);
  bool is_api = call.kind == "api";
  if (!call.method.empty()) {
    json.StringMember<"method">(call.method);
    is_api ? json.StringMember<"path">(call.url) : json.StringMember<"url">(call.url);
    json.StringMember<"contentType">(call.content_type);
  }
  if (call.timeout_us > 0) {
    json.IntMember<"timeoutMs">(call.timeout_us / 1000);
    json.IntMember<"deadline">(call.deadline.ToMicros());
  }
  if (!key.empty()) json.StringMember<"key">(key);
  json.IntMember<"bodyBytes">(call.body.size()).EndObject();
  out->push_back('\n');
  out->append(call.body);
}

void WriteNameSet(std::string_view key, const std::set<Symbol>& names, JsonWriter* json) {
  WriteNames(key, std::vector<Symbol>(names.begin(), names.end()), json);
}

STOWAGE_COLD void WriteInputError(const InputError& error, JsonWriter* json) {
  json->StringMember("class", "InputError").StringMember("code", InputErrorCodeName(error.code));
  WriteIfSet("apiVersion", error.api_version, json);
  WriteIfSet("kind", error.kind, json);
  WriteIfSet("namespace", error.namespace_, json);
  WriteIfSet("name", error.name, json);
  WriteIfSet("field", error.field, json);
  WriteIfSet("value", error.value, json);
  if (error.line > 0) json->IntMember("line", error.line);
  if (error.column > 0) json->IntMember("column", error.column);
  json->IntMember("index", error.index);
  WriteIfSet("message", error.message, json);
}

}  // namespace stowage
