#include "core/scheduler/record_log.h"

#include <optional>

#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/scheduler/explanation.h"
#include "core/scheduler/records.h"

namespace stowage {
namespace {

// The most decisions whose hashes are computed together.
constexpr size_t kHashedTogether = 64;

std::string KeyText(const ObjectKey& key) {
  return Format("{}/{}", key.namespace_.view(), key.name.view());
}

void WritePod(const Pod& pod, JsonWriter* json) {
  json->Key<"pod">().NamespacedName(pod.metadata.namespace_.view(), pod.metadata.name.view());
}

DecisionResult ResultOf(const DecisionRecord& record) {
  if (!record.gated.IsSuccess()) return DecisionResult::kGated;
  if (record.result.status.IsSuccess()) return DecisionResult::kScheduled;
  return record.result.status.IsRejected() ? DecisionResult::kUnschedulable
                                           : DecisionResult::kError;
}

std::string_view NameOf(DecisionResult result) {
  constexpr std::string_view kNames[] = {"scheduled", "unschedulable", "error", "skipped", "gated"};
  return kNames[static_cast<size_t>(result)];
}

// The pod's nomination after the decision.
const Symbol& NominatedNodeName(const DecisionRecord& record) {
  const std::optional<Symbol>& nominated = record.result.nominated_node_name;
  return nominated ? *nominated : record.pod.status.nominated_node_name;
}

}  // namespace

std::string_view ResultName(const DecisionRecord& record) { return NameOf(ResultOf(record)); }

void RecordLog::set_now(Instant now) {
  if (now == now_) return;
  now_ = now;
  at_.clear();
}

// Both texts keep their capacity, so that the records of a decision need no allocation.
void RecordLog::TakeInto(std::string* out) {
  chain_.WriteHashes(&records_);
  if (out->empty()) {
    out->swap(records_);
  } else {
    out->append(records_);
    records_.clear();
  }
}

void RecordLog::BeginRecord(std::string_view kind, JsonWriter* json) {
  json->BeginObject().StringMember<"kind">(kind).Key<"seq">();
  NumberRecord(json);
}

// Writes the record's number and what follows it in all records.
void RecordLog::NumberRecord(JsonWriter* json) {
  if (at_.empty()) {
    at_ = R"("at":")";
    now_.AppendMicroTime(&at_);
    at_ += '"';
  }
  json->Int(++seq_).Raw(at_);
  if (options_.is_preview) json->BoolMember("preview", true);
}

std::string RecordLog::hash() {
  chain_.WriteHashes(&records_);
  return chain_.hash();
}

ChainedDecision RecordLog::ChainedOf(const DecisionRecord& record, DecisionResult result) const {
  ChainedDecision decision{now_, result, record.pod.metadata.uid.view()};
  decision.node = record.result.host.view();
  decision.message = record.result.message;
  decision.nominated_node_name = NominatedNodeName(record).view();
  const std::optional<PreemptionReport>& preemption = record.result.preemption;
  if (preemption && preemption->selected) decision.victims = preemption->selected->pods;
  return decision;
}

// Ends the record of a decision with its hash, which is written later.
void RecordLog::EndLineWithHash(const ChainedDecision& decision, JsonWriter* json) {
  static constexpr std::string_view kZeros =
      "0000000000000000000000000000000000000000000000000000000000000000";
  static constexpr std::string_view kEnd = "\"}\n";
  static_assert(kZeros.size() == DecisionChain::kDigits);
  json->Key<"hash">().PlainString(kZeros);
  json->EndLine();
  chain_.Add(decision, records_.size() - kEnd.size() - kZeros.size());
  if (chain_.num_waiting() == kHashedTogether) chain_.WriteHashes(&records_);
}

void RecordLog::WriteCounts(const DecisionRecord& record, JsonWriter* json) {
  const ScheduleResult& result = record.result;
  const bool is_override = result.nominated_node_name.has_value();
  auto write = [&](JsonWriter* members) {
    members->StringMember<"nominatedNodeName">(NominatedNodeName(record).view());
    members->Key<"nominatingMode">().PlainString(is_override ? "Override" : "Noop");
    WriteResultCounts(result, members);
  };
  if (!result.status.IsSuccess() || !result.hint.empty()) return write(json);
  const Counts counts{NominatedNodeName(record), is_override, result.num_all_nodes,
                      result.evaluated_nodes, result.feasible_nodes};
  json->Raw(counts_.Text(counts, write));
}

uint64_t RecordLog::WriteDecision(const DecisionRecord& record, const Snapshot& snapshot) {
  const Pod& pod = record.pod;
  const ScheduleResult& result = record.result;
  DecisionResult how = ResultOf(record);
  JsonWriter json(&records_);
  json.BeginObjectWith<R"({"kind":"Decision","seq":)">();
  NumberRecord(&json);
  WritePod(pod, &json);
  json.StringMember<"uid">(pod.metadata.uid.view());
  const Origin origin{pod.spec.scheduler_name, record.attempts, record.popped_from, how};
  json.Raw(origin_.Text(origin, [&](JsonWriter* members) {
    members->StringMember<"schedulerName">(pod.spec.scheduler_name.view());
    members->IntMember<"attempts">(record.attempts);
    if (!record.popped_from.empty()) members->StringMember<"poppedFrom">(record.popped_from);
    members->StringMember<"result">(NameOf(how));
  }));
  json.Key<"node">();
  result.host.empty() ? json.Null() : json.String(result.host.view());
  if (how == DecisionResult::kGated) {
    json.StringMember("plugin", record.gated.plugin().view());
    json.StringMember("message", record.gated.Message());
  } else {
    WriteCounts(record, &json);
    WriteResultMembers(result, snapshot, &json);
    EndLineWithHash(ChainedOf(record, how), &json);
    return seq_;
  }
  json.EndLine();
  return seq_;
}

STOWAGE_COLD void RecordLog::WriteSkipped(const ObjectKey& key, const QueuedPodInfo* queued,
                                          std::string_view message) {
  JsonWriter json(&records_);
  BeginRecord("Decision", &json);
  json.StringMember("pod", KeyText(key));
  if (queued != nullptr) {
    json.StringMember("uid", queued->pod().metadata.uid.view());
    json.StringMember("schedulerName", queued->pod().spec.scheduler_name.view());
    json.IntMember("attempts", queued->attempts);
    json.StringMember("poppedFrom", queued->popped_from);
  }
  json.StringMember("result", NameOf(DecisionResult::kSkipped)).Key("node").Null();
  json.StringMember("message", message);
  if (queued == nullptr) return json.EndLine();
  ChainedDecision decision{now_, DecisionResult::kSkipped, queued->pod().metadata.uid.view()};
  decision.message = message;
  EndLineWithHash(decision, &json);
}

STOWAGE_COLD void RecordLog::WritePodGroupDecision(const PodGroupRecord& record) {
  const PodGroupCycle& group = record.group;
  const Status& status = group.status;
  DecisionResult result = status.IsSuccess()    ? DecisionResult::kScheduled
                          : status.IsRejected() ? DecisionResult::kUnschedulable
                                                : DecisionResult::kError;
  JsonWriter json(&records_);
  BeginRecord("PodGroupDecision", &json);
  json.StringMember("podGroup", KeyText(group.key));
  json.StringMember("result", NameOf(result)).StringMember("message", status.Message());
  if (group.waits_for_preemption) json.BoolMember("waitsForPreemption", true);
  if (group.victims) WritePods("victims", *group.victims, &json);
  if (!group.placement.name.empty()) {
    json.StringMember("placement", group.placement.name.view());
  }
  json.Key("decisions").BeginArray();
  for (uint64_t decision : record.decisions) json.Int(static_cast<int64_t>(decision));
  json.EndArray();
  json.EndLine();
}

void RecordLog::WriteBinding(const BindingRecord& record) {
  bool is_bound = record.status.IsSuccess();
  JsonWriter json(&records_);
  json.BeginObjectWith<R"({"kind":"BindingResult","seq":)">();
  NumberRecord(&json);
  json.IntMember<"decision">(record.decision);
  WritePod(record.pod, &json);
  json.StringMember<"uid">(record.pod.metadata.uid.view());
  is_bound ? json.Raw<R"("result":"bound")">() : json.Raw<R"("result":"bindFailed")">();
  json.StringMember<"node">(record.node.view());
  if (!is_bound) {
    json.StringMember("phase", record.phase);
    if (!record.status.plugin().empty()) {
      json.StringMember("plugin", record.status.plugin().view());
    }
    json.StringMember("code", CodeName(record.status.code()));
    json.StringMember("message", record.status.Message());
  }
  json.EndLine();
}

STOWAGE_COLD void RecordLog::WriteEvent(const Pod& pod, const PodEvent& event) {
  if (!options_.has_events) return;
  JsonWriter json(&records_);
  BeginRecord("Event", &json);
  WritePod(pod, &json);
  json.StringMember("type", event.is_warning ? "Warning" : "Normal");
  json.StringMember("reason", event.reason).StringMember("action", event.action);
  json.StringMember("note", event.note);
  if (!event.related.empty()) json.StringMember("related", event.related);
  json.EndLine();
}

STOWAGE_COLD void RecordLog::WriteMove(const QueuedPodInfo& pod, std::string_view from) {
  if (!options_.has_moves) return;
  const QueueMove& move = *pod.last_move;
  JsonWriter json(&records_);
  BeginRecord("QueueMove", &json);
  WritePod(pod.pod(), &json);
  json.StringMember("event", move.event.view());
  if (!move.plugin.empty()) json.StringMember("plugin", move.plugin.view());
  if (!move.hint.empty()) json.StringMember("hint", move.hint);
  if (!from.empty()) json.StringMember("from", from);
  json.StringMember("to", move.queue);
  if (pod.IsGated()) json.StringMember("gatingPlugin", pod.gating_plugin.view());
  json.EndLine();
}

STOWAGE_COLD void RecordLog::WriteInputError(const InputError& error) {
  JsonWriter json(&records_);
  BeginRecord("InputError", &json);
  json.Key("error").BeginObject();
  stowage::WriteInputError(error, &json);
  json.EndObject();
  json.EndLine();
}

STOWAGE_COLD void RecordLog::WriteInconsistency(std::string_view operation, const ObjectKey& key,
                                                std::string_view message) {
  JsonWriter json(&records_);
  BeginRecord("Inconsistency", &json);
  json.StringMember("operation", operation);
  json.StringMember("object", key.namespace_.empty() ? key.name.str() : KeyText(key));
  json.StringMember("message", message);
  json.EndLine();
}

}  // namespace stowage
