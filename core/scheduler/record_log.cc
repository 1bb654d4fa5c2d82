#include "core/scheduler/record_log.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/sha256.h"
#include "core/scheduler/apply_batch.h"
#include "core/scheduler/records.h"

namespace stowage {
namespace {

std::string KeyText(const ObjectKey& key) {
  return fmt::format("{}/{}", key.namespace_.view(), key.name.view());
}

void WriteNode(const Symbol& node, JsonWriter* json) {
  json->Key("node");
  if (node.empty()) {
    json->Null();
  } else {
    json->String(node.view());
  }
}

}  // namespace

std::string_view ResultName(const DecisionRecord& record) {
  if (!record.gated.IsSuccess()) return "gated";
  if (record.result.status.IsSuccess()) return "scheduled";
  return record.result.status.IsRejected() ? "unschedulable" : "error";
}

std::string RecordLog::Take() { return std::exchange(records_, {}); }

std::string RecordLog::Hash() const { return HexText(hash_); }

// SHA-256 over the hash so far and a tuple that new fields of records never change:
// [number of the decision, at, uid, result, node, message, nominatedNodeName, victims], as JSON.
void RecordLog::Chain(const Pod& pod, std::string_view result_name, const ScheduleResult* result) {
  std::string tuple;
  JsonWriter json(&tuple);
  json.BeginArray().Int(++num_decisions_).Int(now_.ToMicros()).String(pod.metadata.uid.view());
  json.String(result_name);
  if (result != nullptr) {
    json.String(result->host.view()).String(result->message);
    json.String(result->nominated_node_name.value_or(pod.status.nominated_node_name).view());
    json.BeginArray();
    if (result->preemption && result->preemption->selected) {
      for (const PodInfoRef& victim : result->preemption->selected->pods) {
        json.String(victim->uid().view());
      }
    }
    json.EndArray();
  }
  json.EndArray();
  Sha256 sha;
  sha.Update({reinterpret_cast<const char*>(hash_.data()), hash_.size()});
  sha.Update(tuple);
  hash_ = sha.Finish();
}

uint64_t RecordLog::WriteDecision(const DecisionRecord& record, const Snapshot& snapshot) {
  const ScheduleResult& result = record.result;
  std::string_view name = ResultName(record);
  JsonWriter json(&records_);
  json.BeginObject().StringMember("kind", "Decision").IntMember("seq", ++seq_);
  json.StringMember("at", now_.ToMicroTime()).StringMember("pod", PodText(record.pod));
  json.StringMember("uid", record.pod.metadata.uid.view());
  json.StringMember("schedulerName", record.pod.spec.scheduler_name.view());
  json.IntMember("attempts", record.attempts);
  if (!record.popped_from.empty()) json.StringMember("poppedFrom", record.popped_from);
  json.StringMember("result", name);
  WriteNode(result.host, &json);
  if (!record.gated.IsSuccess()) {
    json.StringMember("plugin", record.gated.plugin().view());
    json.StringMember("message", record.gated.Message());
  } else {
    const auto& nomination = result.nominated_node_name;
    json.StringMember("nominatedNodeName",
                      nomination.value_or(record.pod.status.nominated_node_name).view());
    json.StringMember("nominatingMode", nomination ? "Override" : "Noop");
    WriteResultMembers(result, snapshot, &json);
    Chain(record.pod, name, &result);
    json.StringMember("hash", Hash());
  }
  json.EndObject();
  records_.push_back('\n');
  return seq_;
}

void RecordLog::WriteSkipped(const ObjectKey& key, const QueuedPodInfo* queued,
                             std::string_view message) {
  JsonWriter json(&records_);
  json.BeginObject().StringMember("kind", "Decision").IntMember("seq", ++seq_);
  json.StringMember("at", now_.ToMicroTime()).StringMember("pod", KeyText(key));
  if (queued != nullptr) {
    json.StringMember("uid", queued->pod().metadata.uid.view());
    json.StringMember("schedulerName", queued->pod().spec.scheduler_name.view());
    json.IntMember("attempts", queued->attempts);
    json.StringMember("poppedFrom", queued->popped_from);
  }
  json.StringMember("result", "skipped").Key("node").Null();
  json.StringMember("message", message);
  if (queued != nullptr) {
    Chain(queued->pod(), "skipped", nullptr);
    json.StringMember("hash", Hash());
  }
  json.EndObject();
  records_.push_back('\n');
}

void RecordLog::WriteBinding(const BindingRecord& record) {
  bool is_bound = record.status.IsSuccess();
  JsonWriter json(&records_);
  json.BeginObject().StringMember("kind", "BindingResult").IntMember("seq", ++seq_);
  json.StringMember("at", now_.ToMicroTime()).IntMember("decision", record.decision);
  json.StringMember("pod", PodText(record.pod));
  json.StringMember("uid", record.pod.metadata.uid.view());
  json.StringMember("result", is_bound ? "bound" : "bindFailed");
  json.StringMember("node", record.node.view());
  if (!is_bound) {
    json.StringMember("phase", record.phase);
    if (!record.status.plugin().empty()) {
      json.StringMember("plugin", record.status.plugin().view());
    }
    json.StringMember("code", CodeName(record.status.code()));
    json.StringMember("message", record.status.Message());
  }
  json.EndObject();
  records_.push_back('\n');
}

void RecordLog::WriteEvent(const Pod& pod, const PodEvent& event) {
  if (!options_.has_events) return;
  JsonWriter json(&records_);
  json.BeginObject().StringMember("kind", "Event").IntMember("seq", ++seq_);
  json.StringMember("at", now_.ToMicroTime()).StringMember("pod", PodText(pod));
  json.StringMember("type", event.is_warning ? "Warning" : "Normal");
  json.StringMember("reason", event.reason).StringMember("action", event.action);
  json.StringMember("note", event.note);
  if (!event.related.empty()) json.StringMember("related", event.related);
  json.EndObject();
  records_.push_back('\n');
}

void RecordLog::WriteMove(const QueuedPodInfo& pod, std::string_view from) {
  if (!options_.has_moves) return;
  const QueueMove& move = *pod.last_move;
  JsonWriter json(&records_);
  json.BeginObject().StringMember("kind", "QueueMove").IntMember("seq", ++seq_);
  json.StringMember("at", now_.ToMicroTime()).StringMember("pod", PodText(pod.pod()));
  json.StringMember("event", move.event);
  if (!move.plugin.empty()) json.StringMember("plugin", move.plugin.view());
  if (!move.hint.empty()) json.StringMember("hint", move.hint);
  if (!from.empty()) json.StringMember("from", from);
  json.StringMember("to", move.queue);
  if (pod.IsGated()) json.StringMember("gatingPlugin", pod.gating_plugin.view());
  json.EndObject();
  records_.push_back('\n');
}

void RecordLog::WriteInputError(const InputError& error) {
  JsonWriter json(&records_);
  json.BeginObject().StringMember("kind", "InputError").IntMember("seq", ++seq_);
  json.StringMember("at", now_.ToMicroTime()).Key("error").BeginObject();
  stowage::WriteInputError(error, &json);
  json.EndObject().EndObject();
  records_.push_back('\n');
}

void RecordLog::WriteInconsistency(std::string_view operation, const ObjectKey& key,
                                   std::string_view message) {
  JsonWriter json(&records_);
  json.BeginObject().StringMember("kind", "Inconsistency").IntMember("seq", ++seq_);
  json.StringMember("at", now_.ToMicroTime()).StringMember("operation", operation);
  json.StringMember("object", key.namespace_.empty() ? key.name.str() : KeyText(key));
  json.StringMember("message", message).EndObject();
  records_.push_back('\n');
}

}  // namespace stowage
