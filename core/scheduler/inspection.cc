// Inspect: the scheduler's state as JSON. Inspect changes nothing that a later answer shows.

#include <iterator>

#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/scheduler/explanation.h"
#include "core/scheduler/query.h"
#include "core/scheduler/records.h"
#include "core/scheduler/scheduler.h"
#include "core/table/node_info_json.h"

namespace stowage {

struct InspectDocument {
  std::string node;
  std::string pod;
  std::optional<int64_t> row;
  bool pods = false;
  bool cache = false;
  bool waiting = false;
  bool metrics = false;
  bool created_objects = false;
  std::string objects;
  std::string name;
};

template <>
struct Schema<InspectDocument> {
  static constexpr auto kFields =
      Fields(Field<&InspectDocument::node>("node"), Field<&InspectDocument::pod>("pod"),
             Field<&InspectDocument::row>("row"), Field<&InspectDocument::pods>("pods"),
             Field<&InspectDocument::cache>("cache"), Field<&InspectDocument::waiting>("waiting"),
             Field<&InspectDocument::metrics>("metrics"),
             Field<&InspectDocument::created_objects>("madeUp"),
             Field<&InspectDocument::objects>("objects"), Field<&InspectDocument::name>("name"));
};

namespace {

void WriteResource(std::string_view name, const Resource& resource, JsonWriter* json) {
  json->Key(name).BeginObject().IntMember("milliCPU", resource.milli_cpu);
  json->IntMember("memory", resource.memory);
  json->IntMember("ephemeralStorage", resource.ephemeral_storage);
  json->IntMember("allowedPodNumber", resource.allowed_pod_number);
  json->Key("scalarResources").BeginObject();
  for (const auto& [scalar, amount] : resource.scalars) json->IntMember(scalar.view(), amount);
  json->EndObject().EndObject();
}

void WriteNodeInfo(const NodeInfo& info, const ImageStates& images, JsonWriter* json) {
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
  for (const auto& [name, image] : images) {
    json->Key(name.view()).BeginObject().IntMember("sizeBytes", image.size);
    json->IntMember("numNodes", image.num_nodes).EndObject();
  }
  json->EndObject().IntMember("generation", info.generation());
}

// Writes why a pod is where it is in the queue, into the open object.
void WriteQueued(const QueuedPodInfo& pod, JsonWriter* json) {
  WriteNameSet("unschedulablePlugins", pod.unschedulable_plugins, json);
  WriteNameSet("pendingPlugins", pod.pending_plugins, json);
  if (pod.IsGated()) {
    json->BoolMember("gated", true).StringMember("gatingPlugin", pod.gating_plugin.view());
    json->StringMember("message", pod.gating_message);
  }
  if (!pod.last_move) return;
  const QueueMove& move = *pod.last_move;
  json->Key("lastMove").BeginObject().StringMember("event", move.event.view());
  if (!move.plugin.empty()) json->StringMember("plugin", move.plugin.view());
  if (!move.hint.empty()) json->StringMember("hint", move.hint);
  json->StringMember("queue", move.queue).StringMember("at", move.at.ToMicroTime()).EndObject();
}

void WritePodNames(std::string_view key, std::vector<std::string> names, JsonWriter* json) {
  StableSort(&names);
  json->Key(key).BeginArray();
  for (const std::string& name : names) json->String(name);
  json->EndArray();
}

void WriteQueues(SchedulingQueue& queue, JsonWriter* json) {
  json->Key("queues").BeginObject().Key("active").BeginArray();
  for (const QueuedPodRef& pod : queue.ActivePods()) json->String(PodText(pod->pod()));
  json->EndArray().Key("backoff").BeginArray();
  auto write_backoff = [&](const std::vector<QueuedPodRef>& pods, bool is_error) {
    for (const QueuedPodRef& pod : pods) {
      json->BeginObject().StringMember("pod", PodText(pod->pod()));
      json->StringMember("expiresAt", queue.BackoffExpirationOf(pod).ToMicroTime());
      if (is_error) json->BoolMember("error", true);
      WriteQueued(*pod, json);
      json->EndObject();
    }
  };
  write_backoff(queue.BackoffPods(), false);
  write_backoff(queue.ErrorBackoffPods(), true);
  json->EndArray().Key("unschedulable").BeginArray();
  for (const QueuedPodRef& pod : queue.UnschedulablePodList()) {
    json->BeginObject().StringMember("pod", PodText(pod->pod()));
    WriteQueued(*pod, json);
    json->EndObject();
  }
  json->EndArray().EndObject();
  std::vector<std::string> in_flight;
  for (const PodRef& pod : queue.InFlightPods()) in_flight.push_back(PodText(*pod));
  WritePodNames("inFlight", std::move(in_flight), json);
}

void WriteWaitingPods(const WaitingPods& waiting_pods, JsonWriter* json) {
  json->Key("waiting").BeginArray();
  for (const auto& [uid, waiting] : waiting_pods.pods()) {
    json->BeginObject().StringMember("pod", PodText(*waiting.pod()));
    json->StringMember("uid", uid.view());
    json->StringMember("node", waiting.pod()->spec.node_name.view()).Key("plugins").BeginArray();
    for (const WaitingPod::Pending& pending : waiting.pending()) {
      json->BeginObject().StringMember("plugin", pending.plugin.view());
      json->StringMember("deadline", pending.deadline.ToMicroTime()).EndObject();
    }
    json->EndArray().EndObject();
  }
  json->EndArray();
}

void WritePodGroups(const PodGroupStates& groups, const Listers& listers, JsonWriter* json) {
  json->Key("podGroups").BeginArray();
  for (const auto& [key, group] : groups.Sorted()) {
    json->BeginObject().StringMember("podGroup",
                                     Format("{}/{}", key.namespace_.view(), key.name.view()));
    PodGroupRef object = listers.GetPodGroup(key.namespace_, key.name);
    if (object != nullptr && object->spec.scheduling_policy.gang) {
      json->IntMember("minCount", object->spec.scheduling_policy.gang->min_count);
    }
    constexpr std::string_view kStages[] = {"unscheduled", "assumed", "assigned"};
    for (size_t stage = 0; stage < std::size(kStages); ++stage) {
      std::vector<std::string> names;
      for (const auto& [uid, member] : group->members) {
        if (static_cast<size_t>(member.stage) == stage) names.push_back(PodText(*member.pod));
      }
      WritePodNames(kStages[stage], std::move(names), json);
    }
    json->EndObject();
  }
  json->EndArray();
}

void WriteCreatedObjects(const SimulatedVolumes& volumes, JsonWriter* json) {
  for (const auto& [what, by] : volumes.CreatedObjects()) {
    const auto& [claim, volume] = what;
    json->BeginObject().StringMember("claim",
                                     Format("{}/{}", claim.namespace_.view(), claim.name.view()));
    json->Key("volume");
    if (volume.empty()) {
      json->Null();
    } else {
      json->String(volume.view());
    }
    json->StringMember("by", by.view()).EndObject();
  }
}

// Writes which pods count on which nodes, for known nodes or for ghosts.
void WritePodsOfNodes(std::string_view key, const std::vector<const NodeInfo*>& nodes,
                      bool has_ghosts, JsonWriter* json) {
  json->Key(key).BeginObject();
  for (const NodeInfo* info : nodes) {
    if ((info->node() == nullptr) != has_ghosts) continue;
    std::vector<std::string> names;
    for (const PodInfoRef& pod : info->pods()) names.push_back(PodText(*pod->pod));
    WritePodNames(info->name().view(), std::move(names), json);
  }
  json->EndObject();
}

}  // namespace

bool Scheduler::Inspect(std::string_view text, std::string* out) {
  InspectDocument query;
  if (!ReadQuery(text, &query, out)) return false;
  if (!query.node.empty()) return InspectNode(query.node, out);
  if (query.row) return InspectRow(*query.row, query.pods, out);
  if (!query.pod.empty()) return InspectPod(KeyFromText(query.pod), query.pod, out);
  if (!query.objects.empty()) return InspectObjects(query.objects, query.name, out);
  if (query.waiting) {
    JsonWriter json(out);
    json.BeginObject();
    WriteWaitingPods(waiting_pods_, &json);
    json.EndObject();
    return true;
  }
  if (query.created_objects) {
    JsonWriter json(out);
    json.BeginObject().Key("madeUp").BeginArray();
    if (simulated_volumes_ != nullptr) WriteCreatedObjects(*simulated_volumes_, &json);
    json.EndArray().EndObject();
    return true;
  }
  if (query.metrics) return InspectMetrics(out);
  InspectAll(query.cache, out);
  return true;
}

void Scheduler::InspectAll(bool has_cache, std::string* out) {
  JsonWriter json(out);
  json.BeginObject().StringMember("now", now_.ToMicroTime());
  WriteQueues(*queue_, &json);
  json.Key("nominated").BeginArray();
  for (const auto& [pod, node] : nominator_.Nominations()) {
    json.BeginObject().StringMember("pod", PodText(*pod->pod));
    json.StringMember("node", node.view()).EndObject();
  }
  json.EndArray();
  std::vector<std::string> assumed;
  for (const PodInfoRef& pod : cache_.AssumedPods()) assumed.push_back(PodText(*pod->pod));
  WritePodNames("assumed", std::move(assumed), &json);
  WriteWaitingPods(waiting_pods_, &json);
  if (features_.generic_workload) WritePodGroups(cache_.pod_groups(), store_, &json);
  json.Key("cache").BeginObject();
  if (has_cache) {
    std::vector<const NodeInfo*> nodes = cache_.NodeInfos();
    WritePodsOfNodes("nodes", nodes, false, &json);
    WritePodsOfNodes("ghostNodes", nodes, true, &json);
  } else {
    json.IntMember("nodes", cache_.NumNodes()).IntMember("pods", cache_.NumPods());
    json.IntMember("ghostNodes", cache_.NumNodeInfos() - cache_.NumNodes());
  }
  json.EndObject().StringMember("hash", records_.hash()).EndObject();
}

bool Scheduler::InspectMetrics(std::string* out) {
  if (!metrics_.is_enabled()) {
    return RefuseQuery(nullptr, InputErrorCode::kFieldValueInvalid, "metrics",
                       "metrics: the scheduler was created without them", out);
  }
  queue_->SetGauges();
  for (const auto& [name, profile] : profiles_) profile.framework->SetEvaluations();
  auto set_cache_size = [this](std::string_view type, size_t size) {
    metrics_.Set(Metric::kCacheSize, {type}, static_cast<int64_t>(size));
  };
  set_cache_size("nodes", cache_.NumNodeInfos());
  set_cache_size("pods", cache_.NumPods());
  set_cache_size("assumed_pods", cache_.NumAssumedPods());
  JsonWriter json(out);
  json.BeginObject().Key("metrics").BeginObject().Key("families");
  metrics_.Write(&json);
  json.EndObject().EndObject();
  return true;
}

bool Scheduler::InspectNode(const std::string& name, std::string* out) const {
  const NodeInfo* info = cache_.GetNodeInfo(Symbol::Find(name));
  if (info == nullptr) {
    return RefuseQuery(nullptr, InputErrorCode::kFieldValueInvalid, "node",
                       Format("node: Not found: \"{}\"", name), out);
  }
  JsonWriter json(out);
  json.BeginObject();
  // Before the first cycle only evaluations have counted images, and they must leave no trace.
  const ImageStates none;
  WriteNodeInfo(*info, cycles_->HasStarted() ? info->image_states() : none, &json);
  json.EndObject();
  return true;
}

// A row of the snapshot as plugins outside the core see it.
bool Scheduler::InspectRow(int64_t row, bool has_pods, std::string* out) const {
  bool is_row = row >= 0 && row < static_cast<int64_t>(snapshot_.NumNodes());
  const NodeInfo* info = nullptr;
  if (is_row) info = cache_.GetNodeInfo((*snapshot_.table().names())[static_cast<size_t>(row)]);
  // Outside of a cycle the node may be gone already.
  bool is_known = info != nullptr && info->node() != nullptr;
  if (!is_known || options_.limits.sources == KeptSources::kVolumes) {
    return RefuseQuery(nullptr, InputErrorCode::kFieldValueInvalid, "row",
                       Format("row: Not found: {}", row), out);
  }
  JsonWriter json(out);
  if (has_pods) {
    WritePods(*info, &json);
    return true;
  }
  json.BeginObject();
  WriteNodeInfoMembers(*info, &json);
  json.EndObject();
  return true;
}

bool Scheduler::InspectPod(const ObjectKey& key, std::string_view name, std::string* out) const {
  PodRef pod = store_.GetPod(key.namespace_, key.name);
  if (pod == nullptr) {
    return RefuseQuery(nullptr, InputErrorCode::kFieldValueInvalid, "pod",
                       Format("pod: Not found: \"{}\"", name), out);
  }
  PodInfoRef cached = cache_.GetPod(pod->metadata.uid);
  JsonWriter json(out);
  json.BeginObject().StringMember("pod", PodText(*pod));
  json.StringMember("uid", pod->metadata.uid.view());
  json.StringMember("schedulerName", pod->spec.scheduler_name.view());
  if (pod->spec.scheduling_group && features_.generic_workload) {
    json.StringMember("podGroup", PodGroupNameOf(*pod).view());
  }
  json.Key("node");
  if (cached == nullptr) {
    json.Null();
  } else {
    json.String(cached->pod->spec.node_name.view());
  }
  json.BoolMember("assumed", cache_.IsAssumedPod(pod->metadata.uid));
  json.BoolMember("terminating", pod->metadata.deletion_timestamp.has_value());
  json.StringMember("nominatedNodeName", nominator_.NodeOf(pod->metadata.uid).view());
  std::string_view queue;
  if (QueuedPodRef queued = queue_->Find(key, &queue); queued != nullptr) {
    json.StringMember("queue", queue).IntMember("attempts", queued->attempts);
    WriteQueued(*queued, &json);
  } else if (queue_->IsInFlight(pod->metadata.uid)) {
    json.StringMember("queue", "inFlight");
  }
  json.EndObject();
  return true;
}

}  // namespace stowage
