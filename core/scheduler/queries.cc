// The questions of Scheduler: Evaluate and Inspect. They change nothing that a later answer shows.
#include <fmt/format.h>

#include "core/api/decode/decode_json.h"
#include "core/framework/node_info_json.h"
#include "core/scheduler/apply_batch.h"
#include "core/scheduler/evaluation.h"
#include "core/scheduler/records.h"
#include "core/scheduler/scheduler.h"

namespace stowage {

// What became of a call that an evaluation asked for before.
struct AnswerDocument {
  std::string key;
  int32_t status = 0;
  std::string body;
  std::string error;
  std::string message;
};

struct EvaluateDocument {
  std::string pod;
  std::vector<AnswerDocument> answers;
  std::string detail = "nodes";
  bool all_plugins = false;
  bool every_node = false;
  bool preemption = true;
};

template <>
struct Schema<AnswerDocument> {
  static constexpr auto kFields =
      Fields(Field<&AnswerDocument::key>("key"), Field<&AnswerDocument::status>("status"),
             Field<&AnswerDocument::body>("body"), Field<&AnswerDocument::error>("error"),
             Field<&AnswerDocument::message>("message"));
};

template <>
struct Schema<EvaluateDocument> {
  static constexpr auto kFields =
      Fields(Field<&EvaluateDocument::pod>("pod"), Field<&EvaluateDocument::answers>("answers"),
             Field<&EvaluateDocument::detail>("detail"),
             Field<&EvaluateDocument::all_plugins>("allPlugins"),
             Field<&EvaluateDocument::every_node>("everyNode"),
             Field<&EvaluateDocument::preemption>("preemption"));
};

struct InspectDocument {
  std::string node;
  std::string pod;
  std::optional<int64_t> row;
  bool pods = false;
};

template <>
struct Schema<InspectDocument> {
  static constexpr auto kFields =
      Fields(Field<&InspectDocument::node>("node"), Field<&InspectDocument::pod>("pod"),
             Field<&InspectDocument::row>("row"), Field<&InspectDocument::pods>("pods"));
};

namespace {

// Appends an error document and gives false. `pod` is whom it is about; null when nobody.
bool Refuse(const Pod* pod, InputErrorCode code, std::string_view field, std::string_view message,
            std::string* out) {
  InputError error;
  error.code = code;
  error.field = field;
  error.message = message;
  if (pod != nullptr) {
    error.api_version = "v1";
    error.kind = "Pod";
    error.namespace_ = pod->metadata.namespace_.str();
    error.name = pod->metadata.name.str();
  }
  JsonWriter json(out);
  json.BeginObject();
  WriteInputError(error, &json);
  json.EndObject();
  return false;
}

template <typename T>
bool ReadQuery(std::string_view text, T* query, std::string* out) {
  DecodeReport report = DecodeJson(text, {.strict = true}, query);
  if (report.ok()) return true;
  if (report.syntax_error) {
    return Refuse(nullptr, report.syntax_error->code, "", report.syntax_error->message, out);
  }
  if (!report.field_errors.empty()) {
    const FieldError& error = report.field_errors.front();
    return Refuse(nullptr, error.code, error.field, error.message, out);
  }
  return Refuse(nullptr, InputErrorCode::kFieldValueNotSupported, "", report.strict_errors.front(),
                out);
}

ObjectKey KeyFromText(std::string_view text) {
  size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {Symbol(), Symbol::Find(text)};
  return {Symbol::Find(text.substr(0, slash)), Symbol::Find(text.substr(slash + 1))};
}

// Receives the one pod of an evaluation, or what is wrong with it.
class PodReceiver final : public BatchSink {
 public:
  void OnObject(ChangeType, AnyObject object) override {
    if (const auto* pod = std::get_if<PodRef>(&object); pod != nullptr) pod_ = *pod;
    ++num_objects_;
  }
  void OnBookmark(Bookmark) override {}
  void OnStatus(std::string_view) override {}
  void OnSync(SyncMark) override {}
  void OnScheduleOne(ScheduleOneCommand) override {}
  void OnCompletion(CompletionItem) override {}
  void OnError(InputError error) override {
    if (!error_) error_ = std::move(error);
  }

  // Null unless there was one object, and that a pod.
  PodRef pod() const { return num_objects_ == 1 ? pod_ : nullptr; }
  const std::optional<InputError>& error() const { return error_; }

 private:
  PodRef pod_;
  size_t num_objects_ = 0;
  std::optional<InputError> error_;
};

std::map<std::string, Completion> AnswersOf(std::vector<AnswerDocument> documents) {
  std::map<std::string, Completion> answers;
  for (AnswerDocument& one : documents) {
    answers[one.key] = {CallFaultOf(one.error), std::move(one.message), one.status,
                        std::move(one.body)};
  }
  return answers;
}

void WriteKeys(std::string_view name, const std::vector<ObjectKey>& keys, JsonWriter* json) {
  json->Key(name).BeginArray();
  for (const ObjectKey& key : keys) {
    json->String(fmt::format("{}/{}", key.namespace_.view(), key.name.view()));
  }
  json->EndArray();
}

void WriteResource(std::string_view name, const Resource& resource, JsonWriter* json) {
  json->Key(name).BeginObject().IntMember("milliCPU", resource.milli_cpu);
  json->IntMember("memory", resource.memory);
  json->IntMember("ephemeralStorage", resource.ephemeral_storage);
  json->IntMember("allowedPodNumber", resource.allowed_pod_number);
  json->Key("scalarResources").BeginObject();
  for (const auto& [scalar, amount] : resource.scalars) json->IntMember(scalar.view(), amount);
  json->EndObject().EndObject();
}

void WriteNodeInfo(const NodeInfo& info, JsonWriter* json) {
  json->StringMember("name", info.name().view());
  json->BoolMember("ghost", info.node() == nullptr);
  WriteResource("allocatable", info.allocatable(), json);
  WriteResource("requested", info.requested(), json);
  json->Key("nonZeroRequested").BeginObject();
  json->IntMember("milliCPU", info.non_zero_milli_cpu());
  json->IntMember("memory", info.non_zero_memory()).EndObject();
  json->Key("pods").BeginArray();
  for (const PodInfoRef& pod : info.pods()) json->String(PodText(*pod->pod));
  json->EndArray().Key("images").BeginObject();
  for (const auto& [name, image] : info.image_states()) {
    json->Key(name.view()).BeginObject().IntMember("sizeBytes", image.size);
    json->IntMember("numNodes", image.num_nodes).EndObject();
  }
  json->EndObject().IntMember("generation", info.generation());
}

}  // namespace

bool Scheduler::Evaluate(Instant now, std::string_view options, std::string_view pod_text,
                         std::string* out) {
  EvaluateDocument document;
  if (!ReadQuery(options, &document, out)) return false;
  PodRef pod;
  if (document.pod.empty()) {
    PodReceiver receiver;
    DecodeBatch(pod_text, BatchFormat::kDocument, options_.limits, receiver);
    if (receiver.error()) {
      JsonWriter json(out);
      json.BeginObject();
      WriteInputError(*receiver.error(), &json);
      json.EndObject();
      return false;
    }
    pod = receiver.pod();
    if (pod == nullptr) {
      return Refuse(nullptr, InputErrorCode::kFieldValueRequired, "pod",
                    "pod: Required value: one Pod", out);
    }
  } else {
    ObjectKey key = KeyFromText(document.pod);
    pod = store_.GetPod(key.namespace_, key.name);
    if (pod == nullptr) {
      return Refuse(nullptr, InputErrorCode::kFieldValueInvalid, "pod",
                    fmt::format("pod: Not found: \"{}\"", document.pod), out);
    }
  }
  if (!handlers_->IsResponsibleFor(*pod)) {
    return Refuse(pod.get(), InputErrorCode::kFieldValueInvalid, "spec.schedulerName",
                  fmt::format("spec.schedulerName: no profile has the name \"{}\"",
                              pod->spec.scheduler_name.view()),
                  out);
  }
  const ObjectKey* holder = store_.FindPodByUid(pod->metadata.uid);
  if (holder != nullptr && *holder != ObjectKey::Of(pod->metadata)) {
    return Refuse(
        pod.get(), InputErrorCode::kFieldValueDuplicate, "metadata.uid",
        fmt::format("metadata.uid: Duplicate value: \"{}\": is the uid of pod {}/{}",
                    pod->metadata.uid.view(), holder->namespace_.view(), holder->name.view()),
        out);
  }
  if (document.detail != "nodes" && document.detail != "table") {
    return Refuse(nullptr, InputErrorCode::kFieldValueNotSupported, "detail",
                  fmt::format("detail: Unsupported value: \"{}\": supported values: \"nodes\", "
                              "\"table\"",
                              document.detail),
                  out);
  }
  SetNow(now);
  EvaluationOptions evaluation{document.all_plugins, document.every_node, document.preemption,
                               document.detail == "table"};
  AnsweredCalls calls(AnswersOf(std::move(document.answers)));
  EvaluateUnbound(*pod, evaluation, calls, out);
  return true;
}

// A pod that takes room is asked as if it had just been taken off its node. Plugins find the pod in
// the listers, whether it was known before or not.
void Scheduler::EvaluateUnbound(const Pod& pod, const EvaluationOptions& options,
                                AnsweredCalls& calls, std::string* out) {
  // A cycle that waits keeps what it read of the index.
  if (IsCycleWaiting()) topology_index_.Forget();
  ProfileRuntime& profile = ProfileOf(pod);
  profile.framework->set_calls(calls);
  Pod unbound = pod;
  unbound.spec.node_name = Symbol();
  std::optional<AnyObject> known = store_.Put(std::make_shared<const Pod>(unbound));
  PodInfoRef placed = cache_.GetPod(pod.metadata.uid);
  Cache::Question question = cache_.BeginQuestion(placed.get(), &snapshot_);
  Rng rng = rng_;
  SchedulingCycle cycle = cycle_->CopyForEvaluation(&rng);
  bool is_answered = WriteEvaluation(options, std::move(cycle), profile, unbound, out);
  profile.framework->set_calls(loop_);
  if (cache_.EndQuestion(std::move(question), &snapshot_)) topology_index_.Forget();
  if (known) {
    store_.Put(*known);
  } else {
    store_.Remove(ObjectKind::kPod, ObjectKey::Of(pod.metadata));
  }
  if (is_answered) return;
  for (const Call& call : calls.missing()) WriteCall(call, CallKey(call), out);
}

bool Scheduler::Inspect(std::string_view text, std::string* out) const {
  InspectDocument query;
  if (!ReadQuery(text, &query, out)) return false;
  JsonWriter json(out);
  if (!query.node.empty()) {
    const NodeInfo* info = cache_.GetNodeInfo(Symbol::Find(query.node));
    if (info == nullptr) {
      return Refuse(nullptr, InputErrorCode::kFieldValueInvalid, "node",
                    fmt::format("node: Not found: \"{}\"", query.node), out);
    }
    json.BeginObject();
    WriteNodeInfo(*info, &json);
    json.EndObject();
    return true;
  }
  if (query.row) return InspectRow(*query.row, query.pods, out);
  if (!query.pod.empty()) return InspectPod(KeyFromText(query.pod), query.pod, out);
  json.BeginObject().StringMember("now", now_.ToMicroTime()).Key("queues").BeginObject();
  WriteKeys("active", pending_->ActiveKeys(), &json);
  WriteKeys("unschedulable", pending_->UnschedulableKeys(), &json);
  json.EndObject().IntMember("nominated", nominator_.size());
  json.IntMember("assumed", cache_.NumAssumedPods());
  json.Key("cache").BeginObject().IntMember("nodes", cache_.NumNodes());
  json.IntMember("pods", cache_.NumPods());
  json.IntMember("ghostNodes", cache_.NumNodeInfos() - cache_.NumNodes()).EndObject();
  json.EndObject();
  return true;
}

// A row of the snapshot as plugins outside the core see it.
bool Scheduler::InspectRow(int64_t row, bool has_pods, std::string* out) const {
  bool is_row = row >= 0 && row < static_cast<int64_t>(snapshot_.NumNodes());
  if (!is_row || !options_.limits.has_sources) {
    return Refuse(nullptr, InputErrorCode::kFieldValueInvalid, "row",
                  fmt::format("row: Not found: {}", row), out);
  }
  const NodeInfo& info = *snapshot_.nodes()[static_cast<size_t>(row)];
  JsonWriter json(out);
  if (has_pods) {
    WritePods(info, &json);
    return true;
  }
  json.BeginObject();
  WriteNodeInfoMembers(info, &json);
  json.EndObject();
  return true;
}

bool Scheduler::InspectPod(const ObjectKey& key, std::string_view name, std::string* out) const {
  PodRef pod = store_.GetPod(key.namespace_, key.name);
  if (pod == nullptr) {
    return Refuse(nullptr, InputErrorCode::kFieldValueInvalid, "pod",
                  fmt::format("pod: Not found: \"{}\"", name), out);
  }
  PodInfoRef cached = cache_.GetPod(pod->metadata.uid);
  JsonWriter json(out);
  json.BeginObject().StringMember("pod", PodText(*pod));
  json.StringMember("uid", pod->metadata.uid.view());
  json.StringMember("schedulerName", pod->spec.scheduler_name.view());
  json.Key("node");
  if (cached == nullptr) {
    json.Null();
  } else {
    json.String(cached->pod->spec.node_name.view());
  }
  json.BoolMember("assumed", cache_.IsAssumedPod(pod->metadata.uid));
  json.BoolMember("terminating", pod->metadata.deletion_timestamp.has_value());
  json.StringMember("nominatedNodeName", nominator_.NodeOf(pod->metadata.uid).view()).EndObject();
  return true;
}

}  // namespace stowage
