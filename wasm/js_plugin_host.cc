#include "wasm/js_plugin_host.h"

#include <optional>
#include <utility>

#include "core/api/decode/decode_json.h"
#include "core/api/decode/source.h"
#include "core/table/node_info_json.h"

namespace stowage {

// The answers as JSON documents.
struct JsStatusDocument {
  std::string code;
  std::vector<Symbol> reasons;
  std::string message;
};

struct JsAnswerDocument {
  JsStatusDocument status;
  std::optional<std::vector<Symbol>> node_names;
  std::optional<Symbol> nominated_node_name;
  std::vector<int64_t> scores;
  std::vector<std::string> lines;
  int64_t timeout_ms = 0;
  std::string hint;
  std::vector<std::vector<int32_t>> refused;
  std::vector<JsStatusDocument> statuses;
};

template <>
struct Schema<JsStatusDocument> {
  static constexpr auto kFields =
      Fields(Field<&JsStatusDocument::code>("code"), Field<&JsStatusDocument::reasons>("reasons"),
             Field<&JsStatusDocument::message>("message"));
};

template <>
struct Schema<JsAnswerDocument> {
  static constexpr auto kFields = Fields(
      Field<&JsAnswerDocument::status>("status"), Field<&JsAnswerDocument::node_names>("nodeNames"),
      Field<&JsAnswerDocument::nominated_node_name>("nominatedNodeName"),
      Field<&JsAnswerDocument::scores>("scores"), Field<&JsAnswerDocument::lines>("lines"),
      Field<&JsAnswerDocument::timeout_ms>("timeoutMs"), Field<&JsAnswerDocument::hint>("hint"),
      Field<&JsAnswerDocument::refused>("refused"), Field<&JsAnswerDocument::statuses>("statuses"));
};

namespace {

Status StatusOf(JsStatusDocument document) {
  if (document.code.empty()) return Status::Success();
  for (Code code : {Code::kUnschedulable, Code::kUnschedulableAndUnresolvable, Code::kPending,
                    Code::kSkip, Code::kWait}) {
    if (document.code == CodeName(code)) {
      return Status::WithReasons(code, std::move(document.reasons));
    }
  }
  return Status::Error(document.message);
}

}  // namespace

// A cycle's number, kept in its CycleState. Clones get numbers of their own.
class JsPluginHost::State final : public StateData {
 public:
  State(JsPluginHost& host, bool is_evaluation)
      : host_(host),
        number_(is_evaluation ? kFirstEvaluation + ++host.last_evaluation_ : ++host.last_state_) {}
  ~State() override {
    if (has_pod_) host_.operations_.push_back({0, number_});
    if (is_called_out_) host_.ended_.push_back(number_);
  }
  std::unique_ptr<StateData> Clone() const override {
    auto clone = std::make_unique<State>(host_, number_ > kFirstEvaluation);
    clone->has_pod_ = has_pod_;
    if (has_pod_) host_.operations_.push_back({number_, clone->number_});
    return clone;
  }

  uint64_t number() const { return number_; }
  // True once: the first request of this number contains the pod.
  bool TakePod() { return !std::exchange(has_pod_, true); }
  void SetCalledOut() { is_called_out_ = true; }

 private:
  // Evaluations have a number range of their own, so that they do not change the numbers of cycles.
  static constexpr uint64_t kFirstEvaluation = uint64_t{1} << 40;

  JsPluginHost& host_;
  uint64_t number_;
  bool has_pod_ = false;        // a request contained it
  bool is_called_out_ = false;  // a Call contained it
};

JsPluginHost::Request::Request(JsPluginHost& host, const Callee& callee, const Cycle& cycle)
    : host_(host), snapshot_(cycle.snapshot), json_(&text_) {
  json_.BeginObject().StringMember("plugin", callee.plugin);
  json_.StringMember("profile", callee.profile).StringMember("point", callee.point);
  State& own = host_.StateOf(cycle.state, cycle.is_evaluation);
  host_.WriteStates(&json_);
  host_.WriteRows(snapshot_, &json_);
  json_.IntMember("state", own.number());
  if (own.TakePod()) json_.Key("pod").Raw(PodJson(cycle.pod));
}

JsPluginHost::Request& JsPluginHost::Request::Node(const NodeInfo& node) {
  if (snapshot_.nodes()[node.row()] == &node) {
    json_.IntMember("row", node.row());
    return *this;
  }
  json_.Key("nodeInfo").BeginObject();
  WriteNodeInfoMembers(node, &json_);
  json_.Key("pods");
  WritePods(node, &json_);
  json_.EndObject();
  return *this;
}

JsAnswer JsPluginHost::Request::Send() {
  json_.EndObject();
  return host_.Send(text_);
}

JsPluginHost::State& JsPluginHost::StateOf(const CycleState& state, bool is_evaluation) {
  return state.Lazily<State>([&] { return std::make_unique<State>(*this, is_evaluation); });
}

void JsPluginHost::WriteCalledOut(const CycleState& state, JsonWriter* json) {
  State& own = StateOf(state, false);
  own.SetCalledOut();
  json->IntMember("state", own.number());
  if (ended_.empty()) return;
  json->Key("ops").BeginArray();
  for (uint64_t number : std::exchange(ended_, {})) {
    json->BeginArray().String("drop").Int(number).EndArray();
  }
  json->EndArray();
}

JsAnswer JsPluginHost::Call(const Callee& callee, const std::function<void(JsonWriter*)>& write) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject().StringMember("plugin", callee.plugin);
  json.StringMember("profile", callee.profile).StringMember("point", callee.point);
  write(&json);
  json.EndObject();
  return Send(text);
}

Status JsPluginHost::StatusOfCompletion(const Completion& completion) {
  if (completion.fault != CallFault::kNone) return Status::Error(completion.message);
  if (completion.body.empty()) return Status::Success();
  JsAnswerDocument document;
  DecodeReport report = DecodeJson(completion.body, {}, &document);
  // The answer comes from outside and may be invalid.
  if (!report.ok()) return Status::Error("the answer is no status");
  return StatusOf(std::move(document.status));
}

JsAnswer JsPluginHost::Send(std::string_view request) {
  std::string text = bridge_->Call(request);
  JsAnswer answer;
  if (text.empty()) return answer;
  JsAnswerDocument document;
  DecodeReport report = DecodeJson(text, {}, &document);
  // The JavaScript side validates plugins' answers before it sends them.
  CHECK(report.ok());
  answer.status = StatusOf(std::move(document.status));
  answer.node_names = std::move(document.node_names);
  answer.nominated_node_name = std::move(document.nominated_node_name);
  answer.scores = std::move(document.scores);
  answer.lines = std::move(document.lines);
  answer.timeout_us = document.timeout_ms * 1000;
  answer.is_queue_skip = document.hint == "QueueSkip";
  answer.refused = std::move(document.refused);
  for (JsStatusDocument& status : document.statuses) {
    answer.statuses.push_back(StatusOf(std::move(status)));
  }
  return answer;
}

void JsPluginHost::WriteStates(JsonWriter* json) {
  if (operations_.empty()) return;
  json->Key("ops").BeginArray();
  for (const StateOperation& operation : operations_) {
    json->BeginArray().String(operation.from == 0 ? "drop" : "clone");
    if (operation.from != 0) json->Int(operation.from);
    json->Int(operation.to).EndArray();
  }
  json->EndArray();
  operations_.clear();
}

void JsPluginHost::WriteRows(const Snapshot& snapshot, JsonWriter* json) {
  switch (replay_.Advance(snapshot.table())) {
    case RowReplay::Step::kNothing:
      return;
    case RowReplay::Step::kMoved:
    case RowReplay::Step::kAll:
      json->IntMember("rows", snapshot.NumNodes());
      return;
    case RowReplay::Step::kRows:
      json->Key("changed").BeginArray();
      for (uint32_t row : replay_.rows(snapshot.table())) json->Int(row);
      json->EndArray();
  }
}

}  // namespace stowage
