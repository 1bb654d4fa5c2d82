#include "core/scheduler/apply_batch.h"

#include <utility>

#include "core/base/format.h"
#include "core/scheduler/query.h"
#include "core/scheduler/records.h"

namespace stowage {
namespace {

// An error without a kind that names any other field concerns a command.
bool IsOfWholeObject(std::string_view field) {
  return field.empty() || field == "object" || field == "kind" || field == "apiVersion";
}

}  // namespace

void BatchReceiver::OnObject(ChangeType change, AnyObject object) {
  const ObjectMeta& metadata = object.metadata();
  ObjectKey key = ObjectKey::Of(metadata);
  KindKey kind = KindKeyOf(object);
  resource_version_ = metadata.resource_version;
  if (parts_.cycles.IsWaiting()) return Defer(ObjectChange{change, std::move(object)});
  if (parts_.kept != nullptr) parts_.kept->push_back({change, object});
  if (change == ChangeType::kDeleted) {
    parts_.handlers.OnDelete(object);
    ++applied_;
    return;
  }
  bool is_listed = parts_.sync.IsListing(kind);
  parts_.sync.Mention(kind, key);
  if (const Pod* pod = object.Get<Pod>(); pod != nullptr) {
    if (Conflicts(*pod, is_listed)) return;
    if (parts_.simulated_api != nullptr) parts_.simulated_api->Observe(*pod);
  }
  if (parts_.simulated_volumes != nullptr) parts_.simulated_volumes->Observe(object);
  if (parts_.simulated_claims != nullptr) parts_.simulated_claims->Observe(object);
  if (is_listed) {
    parts_.handlers.OnListed(object);
  } else {
    parts_.handlers.OnPut(object);
  }
  ++applied_;
}

// Whether the pod contradicts known pods and must be refused. A list overrides what was known
// before it, but not what it has mentioned itself.
bool BatchReceiver::Conflicts(const Pod& pod, bool is_listed) {
  return HasOtherPodOfUid(pod, is_listed) || (!is_listed && HasOtherNode(pod));
}

// The cache identifies pods by uid: it cannot hold two pods with one uid.
bool BatchReceiver::HasOtherPodOfUid(const Pod& pod, bool is_listed) {
  const ObjectMeta& metadata = pod.metadata;
  const ObjectKey* found = parts_.store.FindPodByUid(metadata.uid);
  if (found == nullptr || *found == ObjectKey::Of(metadata)) return false;
  ObjectKey holder = *found;
  if (is_listed && !parts_.sync.HasMentioned(ObjectKind::kPod, holder)) {
    parts_.handlers.OnFinalStateUnknown(ObjectKind::kPod, holder);
    return false;
  }
  Refuse(InputErrorCode::kFieldValueDuplicate, metadata, "metadata.uid",
         Format("metadata.uid: Duplicate value: \"{}\": is the uid of pod {}/{}",
                metadata.uid.view(), holder.namespace_.view(), holder.name.view()));
  return true;
}

// A watch never moves a bound pod or unbinds it. kube-scheduler treats such an event as a corrupted
// cache and exits, to start again from a list. Here the event is refused, and informers list again.
bool BatchReceiver::HasOtherNode(const Pod& pod) {
  const ObjectMeta& metadata = pod.metadata;
  PodRef stored = parts_.store.GetPod(metadata.namespace_, metadata.name);
  if (stored == nullptr || stored->metadata.uid != metadata.uid) return false;
  const Symbol& from = stored->spec.node_name;
  const Symbol& to = pod.spec.node_name;
  if (from.empty() || from == to) return false;
  Refuse(InputErrorCode::kFieldValueInvalid, metadata, "spec.nodeName",
         Format("spec.nodeName: Invalid value: \"{}\": the pod is bound to node \"{}\"", to.view(),
                from.view()));
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
  parts_.inbox.Add(std::move(item));
  ++applied_;
}

void BatchReceiver::OnSync(SyncMark mark) {
  if (!mark.resource_version.empty()) resource_version_ = mark.resource_version;
  if (parts_.cycles.IsWaiting()) {
    parts_.inbox.Add(std::move(mark));
    return;
  }
  if (!mark.is_end) {
    parts_.sync.Begin(mark.kind);
    return;
  }
  for (const ObjectKey& key : parts_.sync.End(mark.kind, parts_.store.Keys(mark.kind))) {
    parts_.handlers.OnFinalStateUnknown(mark.kind, key);
  }
}

void BatchReceiver::OnScheduleOne(ScheduleOneCommand command) {
  if (parts_.cycles.IsWaiting()) return Defer(std::move(command));
  ObjectKey key{Symbol(command.namespace_), Symbol(command.name)};
  PodRef pod = parts_.store.GetPod(key.namespace_, key.name);
  ObjectMeta metadata;
  metadata.namespace_ = key.namespace_;
  metadata.name = key.name;
  if (pod == nullptr) {
    Refuse(InputErrorCode::kFieldValueInvalid, metadata, "pod", "pod: Not found");
  } else if (!pod->spec.node_name.empty()) {
    Refuse(InputErrorCode::kFieldValueInvalid, metadata, "pod",
           Format("pod: is bound to node \"{}\"", pod->spec.node_name.view()));
  } else if (!parts_.handlers.IsResponsibleFor(*pod)) {
    Refuse(InputErrorCode::kFieldValueInvalid, metadata, "spec.schedulerName",
           Format("spec.schedulerName: no profile has the name \"{}\"",
                  pod->spec.scheduler_name.view()));
  } else {
    parts_.commands.Add(std::move(key));
    ++applied_;
  }
}

// Unknown pods are ignored, as in kube-scheduler.
void BatchReceiver::OnActivate(ActivateCommand command) {
  if (parts_.cycles.IsWaiting()) return Defer(std::move(command));
  std::vector<PodRef> pods;
  for (const std::string& text : command.pods) {
    ObjectKey key = KeyFromText(text);
    PodRef pod = parts_.store.GetPod(key.namespace_, key.name);
    if (pod != nullptr) pods.push_back(std::move(pod));
  }
  parts_.queue.Activate(pods);
  ++applied_;
}

// A pod that no longer waits was allowed or rejected earlier.
void BatchReceiver::OnWaitingPod(WaitingPodCommand command) {
  if (parts_.cycles.IsWaiting()) return Defer(std::move(command));
  WaitingPod* waiting = parts_.waiting_pods.Get(Symbol::Find(command.uid));
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

// An answer to a call that has timed out is ignored, not an error.
void BatchReceiver::OnCompletion(CompletionItem item) {
  Completion completion{CallFaultOf(item.error), std::move(item.message), item.status,
                        std::move(item.body)};
  auto call = static_cast<uint64_t>(item.call);
  bool is_wanted =
      item.call > 0 && (parts_.cycle_loop.IsWaitingFor(call) ? parts_.cycle_loop : parts_.loop)
                           .Complete(call, std::move(completion));
  ++(is_wanted ? applied_ : ignored_);
}

// An object that cannot be read keeps its last known state: the list contains the object, so it is
// not gone.
void BatchReceiver::OnUnreadable(UnreadableObject unreadable) {
  if (parts_.cycles.IsWaiting()) {
    parts_.inbox.Add(std::move(unreadable));
  } else if (!unreadable.kind) {
    parts_.sync.MentionUnnamed();
  } else if (unreadable.key.name.empty()) {
    parts_.sync.MentionUnnamed(*unreadable.kind);
  } else {
    parts_.sync.Mention(*unreadable.kind, unreadable.key);
  }
}

void BatchReceiver::OnError(InputError error) {
  if (error.code != InputErrorCode::kUnknownKind) {
    const std::vector<Symbol>& others = parts_.limits.other_resources;
    std::optional<KindInfo> info = FindKind(error.api_version, error.kind, others);
    if (info) {
      ObjectKey key{Symbol(error.namespace_), Symbol(error.name)};
      OnUnreadable({FindKindKey(info->resource, others), std::move(key)});
    } else if (error.kind.empty() && IsOfWholeObject(error.field)) {
      OnUnreadable({});
    }
    errors_.push_back(std::move(error));
    return;
  }
  ++ignored_;
  std::string kind = Format("{}, Kind={}", error.api_version, error.kind);
  if (parts_.reported_kinds.insert(kind).second) unknown_kinds_.push_back(std::move(kind));
}

void BatchReceiver::FinishInbox() {
  for (const InputError& error : errors_) parts_.records.WriteInputError(error);
}

void BatchReceiver::Finish(std::string* out) {
  JsonWriter json(out);
  json.BeginObject().IntMember<"applied">(applied_).IntMember<"ignored">(ignored_);
  if (!resource_version_.empty()) json.StringMember("resourceVersion", resource_version_);
  if (!status_.empty()) json.Key("status").Raw(status_);
  json.Key<"errors">().BeginArray();
  for (const InputError& error : errors_) {
    json.BeginObject();
    WriteInputError(error, &json);
    json.EndObject();
  }
  json.EndArray().Key<"unknownKinds">().BeginArray();
  for (const std::string& kind : unknown_kinds_) json.String(kind);
  json.EndArray().EndObject();
}

void DrainInbox(const BatchReceiver::Parts& parts) {
  BatchReceiver receiver(parts);
  for (InboxItem& item : parts.inbox.Take()) {
    if (auto* changed = std::get_if<ObjectChange>(&item)) {
      receiver.OnObject(changed->change, std::move(changed->object));
    } else if (auto* unreadable = std::get_if<UnreadableObject>(&item)) {
      receiver.OnUnreadable(std::move(*unreadable));
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
