// Evaluate: what the next cycle would do with a pod. Evaluate changes nothing that a later answer
// shows.

#include "core/api/decode/decode_json.h"
#include "core/api/pod_size.h"
#include "core/base/format.h"
#include "core/scheduler/evaluation.h"
#include "core/scheduler/query.h"
#include "core/scheduler/records.h"
#include "core/scheduler/scheduler.h"

namespace stowage {

// The answer to a call that an earlier evaluation asked for.
struct AnswerDocument {
  std::string key;
  int32_t status = 0;
  std::string body;
  std::string error;
  std::string message;
};

struct ScoreNotesDocument {
  std::string plugin;
  std::string node;
};

struct EvaluateDocument {
  std::string pod;
  std::vector<AnswerDocument> answers;
  std::string detail = "nodes";
  bool all_plugins = false;
  bool culprits = false;
  int64_t culprit_nodes = kCulpritNodesMax;
  std::optional<ScoreNotesDocument> score_notes;
  bool every_node = false;
  bool preemption = true;
  bool classify = false;
  std::optional<int64_t> max_steps;
};

template <>
struct Schema<AnswerDocument> {
  static constexpr auto kFields =
      Fields(Field<&AnswerDocument::key>("key"), Field<&AnswerDocument::status>("status"),
             Field<&AnswerDocument::body>("body"), Field<&AnswerDocument::error>("error"),
             Field<&AnswerDocument::message>("message"));
};

template <>
struct Schema<ScoreNotesDocument> {
  static constexpr auto kFields = Fields(Field<&ScoreNotesDocument::plugin>("plugin"),
                                         Field<&ScoreNotesDocument::node>("node"));
};

template <>
struct Schema<EvaluateDocument> {
  static constexpr auto kFields =
      Fields(Field<&EvaluateDocument::pod>("pod"), Field<&EvaluateDocument::answers>("answers"),
             Field<&EvaluateDocument::detail>("detail"),
             Field<&EvaluateDocument::all_plugins>("allPlugins"),
             Field<&EvaluateDocument::culprits>("culprits"),
             Field<&EvaluateDocument::culprit_nodes>("culpritNodes"),
             Field<&EvaluateDocument::score_notes>("scoreNotes"),
             Field<&EvaluateDocument::every_node>("everyNode"),
             Field<&EvaluateDocument::preemption>("preemption"),
             Field<&EvaluateDocument::classify>("classify"),
             Field<&EvaluateDocument::max_steps>("maxSteps"));
};

namespace {

// Receives the pod of an evaluation, or the errors of its decoding.
class PodReceiver final : public BatchSink {
 public:
  void OnObject(ChangeType, AnyObject object) override {
    if (object.Is<Pod>()) pod_ = object.Ref<Pod>();
    ++num_objects_;
  }
  void OnBookmark(Bookmark) override {}
  void OnStatus(std::string_view) override {}
  void OnSync(SyncMark) override {}
  void OnScheduleOne(ScheduleOneCommand) override {}
  void OnActivate(ActivateCommand) override {}
  void OnWaitingPod(WaitingPodCommand) override {}
  void OnCompletion(CompletionItem) override {}
  void OnError(InputError error) override {
    if (!error_) error_ = std::move(error);
  }

  // Null unless there was exactly one object and it is a pod.
  PodRef pod() const { return num_objects_ == 1 ? pod_ : nullptr; }
  const std::optional<InputError>& error() const { return error_; }

 private:
  PodRef pod_;
  size_t num_objects_ = 0;
  std::optional<InputError> error_;
};

// A summary has no room for verdicts of single nodes, except culprits. With these, `allPlugins`
// says that the filters run for a gated pod.
bool CheckDetail(const EvaluateDocument& document, std::string* out) {
  if (document.detail == "summary") {
    bool lists_all = document.all_plugins && !document.culprits;
    if (!lists_all && !document.every_node && !document.score_notes) return true;
    std::string_view field = lists_all             ? "allPlugins"
                             : document.every_node ? "everyNode"
                                                   : "scoreNotes";
    return RefuseQuery(
        nullptr, InputErrorCode::kFieldValueInvalid, field,
        Format("{}: Invalid value: true: may not be set with detail \"summary\"", field), out);
  }
  if (document.detail == "nodes" || document.detail == "table") return true;
  return RefuseQuery(nullptr, InputErrorCode::kFieldValueNotSupported, "detail",
                     Format("detail: Unsupported value: \"{}\": supported values: "
                            "\"summary\", \"nodes\", \"table\"",
                            document.detail),
                     out);
}

bool CheckCulpritNodes(const EvaluateDocument& document, std::string* out) {
  int64_t count = document.culprit_nodes;
  if (count >= 0 && count <= kCulpritNodesMax) return true;
  return RefuseQuery(
      nullptr, InputErrorCode::kFieldValueInvalid, "culpritNodes",
      Format("culpritNodes: Invalid value: {}: must be between 0 and {}", count, kCulpritNodesMax),
      out);
}

bool CheckMaxSteps(const EvaluateDocument& document, std::string* out) {
  if (!document.max_steps || *document.max_steps > 0) return true;
  return RefuseQuery(
      nullptr, InputErrorCode::kFieldValueInvalid, "maxSteps",
      Format("maxSteps: Invalid value: {}: must be greater than 0", *document.max_steps), out);
}

std::map<std::string, Completion> AnswersOf(std::vector<AnswerDocument> documents) {
  std::map<std::string, Completion> answers;
  for (AnswerDocument& one : documents) {
    answers[one.key] = {CallFaultOf(one.error), std::move(one.message), one.status,
                        std::move(one.body)};
  }
  return answers;
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
      return RefuseQuery(nullptr, InputErrorCode::kFieldValueRequired, "pod",
                         "pod: Required value: one Pod", out);
    }
  } else {
    ObjectKey key = KeyFromText(document.pod);
    pod = store_.GetPod(key.namespace_, key.name);
    if (pod == nullptr) {
      return RefuseQuery(nullptr, InputErrorCode::kFieldValueInvalid, "pod",
                         Format("pod: Not found: \"{}\"", document.pod), out);
    }
  }
  if (!handlers_->IsResponsibleFor(*pod)) {
    return RefuseQuery(pod.get(), InputErrorCode::kFieldValueInvalid, "spec.schedulerName",
                       Format("spec.schedulerName: no profile has the name \"{}\"",
                              pod->spec.scheduler_name.view()),
                       out);
  }
  const ObjectKey* holder = store_.FindPodByUid(pod->metadata.uid);
  if (holder != nullptr && *holder != ObjectKey::Of(pod->metadata)) {
    return RefuseQuery(
        pod.get(), InputErrorCode::kFieldValueDuplicate, "metadata.uid",
        Format("metadata.uid: Duplicate value: \"{}\": is the uid of pod {}/{}",
               pod->metadata.uid.view(), holder->namespace_.view(), holder->name.view()),
        out);
  }
  bool is_valid = CheckDetail(document, out) && CheckCulpritNodes(document, out) &&
                  CheckMaxSteps(document, out);
  if (!is_valid) return false;
  SetNow(now);
  EvaluationOptions evaluation{.nodes = document.detail != "summary",
                               .all_plugins = document.all_plugins,
                               .culprits = document.culprits,
                               .culprit_nodes = static_cast<size_t>(document.culprit_nodes),
                               .every_node = document.every_node,
                               .preemption = document.preemption,
                               .table = document.detail == "table",
                               .classify = document.classify};
  evaluation.max_steps = document.max_steps;
  if (document.score_notes) {
    evaluation.score_notes = {std::move(document.score_notes->plugin),
                              std::move(document.score_notes->node)};
  }
  // A pod that has passed PreEnqueue is not gated again before its cycle.
  std::string_view queue;
  bool is_queued = queue_->Find(ObjectKey::Of(pod->metadata), &queue) != nullptr;
  evaluation.pre_enqueue = document.pod.empty() || !is_queued || queue == "unschedulable";
  AnsweredCalls calls(AnswersOf(std::move(document.answers)));
  return EvaluateUnbound(*pod, evaluation, calls, out);
}

// A pod that occupies a node is evaluated as if it had just been removed from there. Plugins find
// the pod in the listers, even if it was unknown before.
bool Scheduler::EvaluateUnbound(const Pod& pod, const EvaluationOptions& options,
                                AnsweredCalls& calls, std::string* out) {
  Metrics::Pause pause(metrics_);
  // A waiting cycle keeps the parts of the index that it has read.
  if (cycles_->IsWaiting()) topology_index_.Forget();
  ProfileRuntime& profile = profiles_.Of(pod);
  profile.framework->BeginEvaluation(calls);
  Pod unbound = pod;
  unbound.spec.node_name = Symbol();
  std::optional<AnyObject> known = store_.Put(std::make_shared<const Pod>(unbound));
  PodInfoRef placed = cache_.GetPod(pod.metadata.uid);
  // Before the first cycle, which discards it, the snapshot is kept for the next evaluation.
  if (!cycles_->HasStarted()) {
    cache_.UpdateSnapshotForEvaluations(&snapshot_);
  } else if (!cycles_->IsWaiting()) {
    cache_.ShowPods(&snapshot_);
  }
  Cache::SavedState saved = cache_.BeginEvaluation(placed.get(), &snapshot_);
  Rng rng = rng_;
  SchedulingCycle cycle = cycle_->CopyForEvaluation(&rng);
  size_t length = out->size();
  if (options.max_steps) {
    steps_.Begin(static_cast<uint64_t>(*options.max_steps), PodSize(unbound));
  }
  bool is_answered = WriteEvaluation(options, std::move(cycle), profile, unbound, out);
  bool is_exhausted = steps_.is_exhausted();
  steps_.End();
  profile.framework->EndEvaluation();
  if (cache_.EndEvaluation(std::move(saved), &snapshot_)) topology_index_.Forget();
  if (known) {
    store_.Put(*known);
  } else {
    store_.Remove(ObjectKind::kPod, ObjectKey::Of(pod.metadata));
  }
  if (is_exhausted) {
    // The step limit may have left these caches incomplete.
    topology_index_.Forget();
    profile.verdicts->Forget();
    out->resize(length);
    return RefuseQuery(
        &pod, InputErrorCode::kTooManySteps, "maxSteps",
        Format("maxSteps: Too many steps: the evaluation takes more than {}", *options.max_steps),
        out);
  }
  if (is_answered) return true;
  for (const Call& call : calls.missing()) WriteCall(call, CallKey(call), out);
  return true;
}

}  // namespace stowage
