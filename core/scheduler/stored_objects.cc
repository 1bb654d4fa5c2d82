// Inspect of objects: the cluster as the scheduler knows it, each object in its original text with
// the changes of the simulated API server.

#include <set>

#include "core/api/decode/envelope.h"
#include "core/api/decode/source.h"
#include "core/base/format.h"
#include "core/scheduler/pod_status_patch.h"
#include "core/scheduler/query.h"
#include "core/scheduler/scheduler.h"

namespace stowage {
namespace {

constexpr std::string_view kEveryKind = "*";

// Whether the pod has changed since it arrived: every change gives it a new resource version.
bool IsChanged(const Pod& pod, std::string_view source) {
  std::string_view version = MemberText(source, {"metadata", "resourceVersion"});
  std::optional<std::string> text;
  if (!version.empty()) text = ReadJsonString(version);
  return text.value_or("") != pod.metadata.resource_version;
}

void SetTimeAt(std::initializer_list<std::string_view> path, const std::optional<Instant>& time,
               std::string* json) {
  if (time) SetStringAt(path, time->ToRfc3339(), json);
}

std::string CurrentPodJson(const Pod& pod) {
  std::string json = PodJson(pod);
  SetStringAt({"metadata", "resourceVersion"}, pod.metadata.resource_version, &json);
  SetTimeAt({"metadata", "deletionTimestamp"}, pod.metadata.deletion_timestamp, &json);
  SetTimeAt({"status", "startTime"}, pod.status.start_time, &json);
  if (!pod.status.resource_claim_statuses.empty()) {
    SetJsonAt({"status", "resourceClaimStatuses"}, ResourceClaimStatusesText(pod.status), &json);
  }
  if (const auto& extended = pod.status.extended_resource_claim_status) {
    SetJsonAt({"status", "extendedResourceClaimStatus"}, ExtendedResourceClaimStatusText(*extended),
              &json);
  }
  const auto& taken = pod.status.node_allocatable_resource_claim_statuses;
  if (!taken.empty()) {
    SetJsonAt({"status", "nodeAllocatableResourceClaimStatuses"},
              NodeAllocatableResourceClaimStatusesText(taken), &json);
  }
  if (pod.status.conditions.empty()) return json;
  std::string conditions;
  JsonWriter writer(&conditions);
  writer.BeginArray();
  for (const PodCondition& condition : pod.status.conditions) WriteCondition(condition, &writer);
  writer.EndArray();
  SetJsonAt({"status", "conditions"}, conditions, &json);
  return json;
}

// Items of typed lists may lack apiVersion and kind; the output always has them.
void NameKind(std::string_view api_version, std::string_view kind, std::string* json) {
  if (MemberText(*json, {"kind"}).empty()) SetStringAt({"kind"}, kind, json);
  if (MemberText(*json, {"apiVersion"}).empty()) SetStringAt({"apiVersion"}, api_version, json);
}

std::string JsonOf(const AnyObject& object) {
  const std::string& source = *object.metadata().source;
  const Pod* pod = object.Get<Pod>();
  std::string json = pod != nullptr && IsChanged(*pod, source) ? CurrentPodJson(*pod) : source;
  if (object.kind() == ObjectKind::kOther) {
    const auto& other = *object.Get<OtherObject>();
    NameKind(other.api_version.view(), other.kind_name.view(), &json);
  } else {
    const KindInfo& info = InfoOf(object.kind());
    NameKind(info.api_version, info.name, &json);
  }
  return json;
}

// By kind, as "ReplicaSet", or by resource, as "replicasets" or "foos.v1.example.com".
std::optional<KindKey> KindOfText(std::string_view text, const std::vector<Symbol>& others) {
  if (const KindInfo* info = FindKindByName(text)) return KindKey(info->kind);
  return FindKindKey(text, others);
}

ObjectKey KeyOf(const KindKey& kind, std::string_view name) {
  ObjectKey key = KeyFromText(name);
  bool is_namespaced =
      kind.kind != ObjectKind::kOther && InfoOf(kind.kind).scope == KindScope::kNamespaced;
  if (is_namespaced && key.namespace_.empty()) key.namespace_ = Symbol::Find("default");
  return key;
}

}  // namespace

bool Scheduler::InspectObjects(std::string_view kind, std::string_view name,
                               std::string* out) const {
  if (!options_.keeps_objects) {
    return RefuseQuery(nullptr, InputErrorCode::kFieldValueInvalid, "objects",
                       "objects: the scheduler was created with keepObjects: false", out);
  }
  std::vector<KindKey> kinds;
  if (kind == kEveryKind) {
    kinds = store_.Kinds();
  } else if (std::optional<KindKey> key = KindOfText(kind, options_.limits.other_resources)) {
    kinds = {*key};
  } else {
    return RefuseQuery(nullptr, InputErrorCode::kUnknownKind, "objects",
                       Format("objects: the scheduler does not read the kind \"{}\"", kind), out);
  }
  JsonWriter json(out);
  json.BeginObject().Key("items").BeginArray();
  for (const KindKey& key : kinds) {
    if (name.empty()) {
      for (const AnyObject& object : ObjectsOf(key)) json.Raw(JsonOf(object));
    } else if (std::optional<AnyObject> object = store_.Get(key, KeyOf(key, name))) {
      json.Raw(JsonOf(*object));
    }
  }
  json.EndArray().EndObject();
  return true;
}

std::vector<AnyObject> Scheduler::ObjectsOf(const KindKey& kind) const {
  std::vector<AnyObject> objects;
  for (const ObjectKey& key : KeysInOrder(kind)) objects.push_back(*store_.Get(kind, key));
  return objects;
}

// An engine that receives the objects in this order visits its nodes and pops its pods in the same
// order as this engine; attempts, nominations and backoff are not carried over.
std::vector<ObjectKey> Scheduler::KeysInOrder(const KindKey& kind) const {
  std::vector<ObjectKey> first;
  if (kind.kind == ObjectKind::kNode) {
    for (const Symbol& name : cache_.NodeNames()) first.push_back({Symbol(), name});
  } else if (kind.kind == ObjectKind::kPod) {
    for (const auto& pods : {queue_->ActivePods(), queue_->BackoffPods(),
                             queue_->ErrorBackoffPods(), queue_->UnschedulablePodList()}) {
      for (const QueuedPodRef& pod : pods) first.push_back(ObjectKey::Of(pod->pod().metadata));
    }
  }
  std::vector<ObjectKey> keys;
  std::set<ObjectKey> seen;
  for (ObjectKey& key : first) {
    bool is_there = store_.Get(kind, key).has_value();
    if (is_there && seen.insert(key).second) keys.push_back(std::move(key));
  }
  for (ObjectKey& key : store_.Keys(kind)) {
    if (!seen.contains(key)) keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace stowage
