#include "core/scheduler/apply_batch.h"

#include <fmt/format.h>

#include <utility>

#include "core/scheduler/query.h"

namespace stowage {
namespace {

void WriteIfSet(std::string_view key, std::string_view text, JsonWriter* json) {
  if (!text.empty()) json->StringMember(key, text);
}

// Other faults without a kind are those of commands.
bool IsOfWholeObject(std::string_view field) {
  return field.empty() || field == "object" || field == "kind" || field == "apiVersion";
}

}  // namespace

void BatchReceiver::OnObject(ChangeType change, AnyObject object) {
  const ObjectMeta& metadata = object.metadata();
  ObjectKey key = ObjectKey::Of(metadata);
  KindKey kind = KindKeyOf(object);
  resource_version_ = metadata.resource_version;
  if (scheduler_.IsCycleWaiting()) return Defer(ObjectChange{change, std::move(object)});
  if (change == ChangeType::kDeleted) {
    scheduler_.handlers_->OnDelete(object);
    ++applied_;
    return;
  }
  bool is_listed = scheduler_.sync_.IsListing(kind);
  scheduler_.sync_.Mention(kind, key);
  if (const Pod* pod = object.Get<Pod>(); pod != nullptr) {
    if (Conflicts(*pod, is_listed)) return;
    if (scheduler_.simulated_api_ != nullptr) scheduler_.simulated_api_->Observe(*pod);
  }
  if (scheduler_.simulated_volumes_ != nullptr) scheduler_.simulated_volumes_->Observe(object);
  if (is_listed) {
    scheduler_.handlers_->OnListed(object);
  } else {
    scheduler_.handlers_->OnPut(object);
  }
  ++applied_;
}

// Whether what is known of pods speaks against this one, which is refused then. A list is right
// about what was known before it, and is held to what it has itself mentioned.
bool BatchReceiver::Conflicts(const Pod& pod, bool is_listed) {
  return HasOtherPodOfUid(pod, is_listed) || (!is_listed && HasOtherNode(pod));
}

// A uid is a pod's identity in the cache; two pods of one uid cannot both be there.
bool BatchReceiver::HasOtherPodOfUid(const Pod& pod, bool is_listed) {
  const ObjectMeta& metadata = pod.metadata;
  const ObjectKey* found = scheduler_.store_.FindPodByUid(metadata.uid);
  if (found == nullptr || *found == ObjectKey::Of(metadata)) return false;
  ObjectKey holder = *found;
  if (is_listed && !scheduler_.sync_.HasMentioned(ObjectKind::kPod, holder)) {
    scheduler_.handlers_->OnFinalStateUnknown(ObjectKind::kPod, holder);
    return false;
  }
  Refuse(InputErrorCode::kFieldValueDuplicate, metadata, "metadata.uid",
         fmt::format("metadata.uid: Duplicate value: \"{}\": is the uid of pod {}/{}",
                     metadata.uid.view(), holder.namespace_.view(), holder.name.view()));
  return true;
}

// A watch never moves a bound pod, nor takes it off its node: the reference takes this for a
// corrupted cache, exits, and begins anew from a list. Informers list again.
bool BatchReceiver::HasOtherNode(const Pod& pod) {
  const ObjectMeta& metadata = pod.metadata;
  PodRef stored = scheduler_.store_.GetPod(metadata.namespace_, metadata.name);
  if (stored == nullptr || stored->metadata.uid != metadata.uid) return false;
  const Symbol& from = stored->spec.node_name;
  const Symbol& to = pod.spec.node_name;
  if (from.empty() || from == to) return false;
  Refuse(InputErrorCode::kFieldValueInvalid, metadata, "spec.nodeName",
         fmt::format("spec.nodeName: Invalid value: \"{}\": the pod is bound to node \"{}\"",
                     to.view(), from.view()));
  return true;
}

void BatchReceiver::Refuse(InputErrorCode code, const ObjectMeta& metadata, std::string field,
                           std::string message) {
  InputError error;
  error.code = code;
  error.api_version = "v1";
  error.kind = "Pod";
  error.namespace_ = metadata.namespace_.str();
  error.name = metadata.name.str();
  error.field = std::move(field);
  error.index = index_;
  error.message = std::move(message);
  errors_.push_back(std::move(error));
}

void BatchReceiver::OnBookmark(Bookmark bookmark) {
  resource_version_ = std::move(bookmark.resource_version);
}

void BatchReceiver::Defer(InboxItem item) {
  scheduler_.inbox_.push_back(std::move(item));
  ++applied_;
}

void BatchReceiver::OnSync(SyncMark mark) {
  if (!mark.resource_version.empty()) resource_version_ = mark.resource_version;
  if (scheduler_.IsCycleWaiting()) {
    scheduler_.inbox_.emplace_back(std::move(mark));
    return;
  }
  if (!mark.is_end) {
    scheduler_.sync_.Begin(mark.kind);
    return;
  }
  for (const ObjectKey& key : scheduler_.sync_.End(mark.kind, scheduler_.store_.Keys(mark.kind))) {
    scheduler_.handlers_->OnFinalStateUnknown(mark.kind, key);
  }
}

void BatchReceiver::OnScheduleOne(ScheduleOneCommand command) {
  if (scheduler_.IsCycleWaiting()) return Defer(std::move(command));
  ObjectKey key{Symbol(command.namespace_), Symbol(command.name)};
  PodRef pod = scheduler_.store_.GetPod(key.namespace_, key.name);
  ObjectMeta metadata;
  metadata.namespace_ = key.namespace_;
  metadata.name = key.name;
  if (pod == nullptr) {
    Refuse(InputErrorCode::kFieldValueInvalid, metadata, "pod", "pod: Not found");
  } else if (!pod->spec.node_name.empty()) {
    Refuse(InputErrorCode::kFieldValueInvalid, metadata, "pod",
           fmt::format("pod: is bound to node \"{}\"", pod->spec.node_name.view()));
  } else if (!scheduler_.handlers_->IsResponsibleFor(*pod)) {
    Refuse(InputErrorCode::kFieldValueInvalid, metadata, "spec.schedulerName",
           fmt::format("spec.schedulerName: no profile has the name \"{}\"",
                       pod->spec.scheduler_name.view()));
  } else {
    scheduler_.commands_.push_back(std::move(key));
    ++applied_;
  }
}

// Pods that are not there are passed over, as upstream does.
void BatchReceiver::OnActivate(ActivateCommand command) {
  if (scheduler_.IsCycleWaiting()) return Defer(std::move(command));
  std::vector<PodRef> pods;
  for (const std::string& text : command.pods) {
    ObjectKey key = KeyFromText(text);
    PodRef pod = scheduler_.store_.GetPod(key.namespace_, key.name);
    if (pod != nullptr) pods.push_back(std::move(pod));
  }
  scheduler_.queue_->Activate(pods);
  ++applied_;
}

// A pod that does not wait any more was decided by somebody else.
void BatchReceiver::OnWaitingPod(WaitingPodCommand command) {
  if (scheduler_.IsCycleWaiting()) return Defer(std::move(command));
  WaitingPod* waiting = scheduler_.waiting_pods_.Get(Symbol::Find(command.uid));
  if (waiting == nullptr) {
    ++ignored_;
    return;
  }
  Symbol plugin(command.plugin);
  if (command.is_allowed) {
    waiting->Allow(plugin);
  } else {
    waiting->Reject(plugin, command.message);
  }
  ++applied_;
}

// The answer to a call that nobody waits for any more is no fault: it came too late.
void BatchReceiver::OnCompletion(CompletionItem item) {
  Completion completion{CallFaultOf(item.error), std::move(item.message), item.status,
                        std::move(item.body)};
  auto call = static_cast<uint64_t>(item.call);
  bool is_wanted =
      item.call > 0 &&
      (scheduler_.cycle_loop_.IsWaitingFor(call) ? scheduler_.cycle_loop_ : scheduler_.loop_)
          .Complete(call, std::move(completion));
  ++(is_wanted ? applied_ : ignored_);
}

// What is known of an object that cannot be read stays: the list that has it does not say that it
// is gone.
void BatchReceiver::OnUnread(UnreadObject unread) {
  if (scheduler_.IsCycleWaiting()) {
    scheduler_.inbox_.emplace_back(std::move(unread));
  } else if (!unread.kind) {
    scheduler_.sync_.MentionUnnamed();
  } else if (unread.key.name.empty()) {
    scheduler_.sync_.MentionUnnamed(*unread.kind);
  } else {
    scheduler_.sync_.Mention(*unread.kind, unread.key);
  }
}

void BatchReceiver::OnError(InputError error) {
  if (error.code != InputErrorCode::kUnknownKind) {
    const std::vector<Symbol>& others = scheduler_.options_.limits.other_resources;
    std::optional<KindInfo> info = FindKind(error.api_version, error.kind, others);
    if (info) {
      ObjectKey key{Symbol(error.namespace_), Symbol(error.name)};
      OnUnread({FindKindKey(info->resource, others), std::move(key)});
    } else if (error.kind.empty() && IsOfWholeObject(error.field)) {
      OnUnread({});
    }
    errors_.push_back(std::move(error));
    return;
  }
  ++ignored_;
  std::string kind = fmt::format("{}, Kind={}", error.api_version, error.kind);
  if (scheduler_.reported_kinds_.insert(kind).second) unknown_kinds_.push_back(std::move(kind));
}

void BatchReceiver::FinishInbox() {
  for (const InputError& error : errors_) scheduler_.records_.WriteInputError(error);
}

void BatchReceiver::Finish(std::string* out) {
  JsonWriter json(out);
  json.BeginObject().IntMember("applied", applied_).IntMember("ignored", ignored_);
  WriteIfSet("resourceVersion", resource_version_, &json);
  if (!status_.empty()) json.Key("status").Raw(status_);
  json.Key("errors").BeginArray();
  for (const InputError& error : errors_) {
    json.BeginObject();
    WriteInputError(error, &json);
    json.EndObject();
  }
  json.EndArray().Key("unknownKinds").BeginArray();
  for (const std::string& kind : unknown_kinds_) json.String(kind);
  json.EndArray().EndObject();
}

void WriteInputError(const InputError& error, JsonWriter* json) {
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

void Scheduler::Apply(Instant now, std::string_view bytes, BatchFormat format, std::string* out) {
  SetNow(now);
  BatchReceiver receiver(*this);
  DecodeBatch(bytes, format, options_.limits, receiver);
  receiver.Finish(out);
}

void Scheduler::DrainInbox() {
  std::vector<InboxItem> items = std::exchange(inbox_, {});
  BatchReceiver receiver(*this);
  for (InboxItem& item : items) {
    if (auto* changed = std::get_if<ObjectChange>(&item)) {
      receiver.OnObject(changed->change, std::move(changed->object));
    } else if (auto* unread = std::get_if<UnreadObject>(&item)) {
      receiver.OnUnread(std::move(*unread));
    } else if (auto* mark = std::get_if<SyncMark>(&item)) {
      receiver.OnSync(std::move(*mark));
    } else if (auto* activate = std::get_if<ActivateCommand>(&item)) {
      receiver.OnActivate(std::move(*activate));
    } else if (auto* waiting = std::get_if<WaitingPodCommand>(&item)) {
      receiver.OnWaitingPod(std::move(*waiting));
    } else {
      receiver.OnScheduleOne(std::move(std::get<ScheduleOneCommand>(item)));
    }
  }
  receiver.FinishInbox();
}

}  // namespace stowage
