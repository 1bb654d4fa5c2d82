// JsPlugin's extension points outside of the scheduling cycle: those of the queue, Permit, and
// those of the binding cycle.

#include <utility>

#include "core/api/decode/source.h"
#include "core/base/format.h"
#include "wasm/js_plugin.h"

namespace stowage {
namespace {

void WriteMetadataOf(const AnyObject& object, JsonWriter* json) {
  const auto* other = object.Get<OtherObject>();
  json->BeginObject();
  if (other != nullptr) {
    json->StringMember("apiVersion", other->api_version.view());
    json->StringMember("kind", other->kind_name.view());
  } else {
    const KindInfo& info = InfoOf(object.kind());
    json->StringMember("apiVersion", info.api_version).StringMember("kind", info.name);
  }
  const ObjectMeta& metadata = object.metadata();
  json->Key("metadata").BeginObject().StringMember("name", metadata.name.view());
  if (!metadata.namespace_.empty()) {
    json->StringMember("namespace", metadata.namespace_.view());
  }
  json->StringMember("uid", metadata.uid.view());
  json->StringMember("resourceVersion", metadata.resource_version);
  json->Key("labels").BeginObject();
  for (const auto& [key, value] : metadata.labels) json->StringMember(key.view(), value.view());
  json->EndObject().EndObject().EndObject();
}

// Writes the whole pod if its source is kept, otherwise its metadata.
void WriteObject(std::string_view key, const std::optional<AnyObject>& object, JsonWriter* json) {
  json->Key(key);
  if (!object) {
    json->Null();
  } else if (const auto* pod = object->Get<Pod>()) {
    json->Raw(PodJson(*pod));
  } else if (const auto* node = object->Get<Node>()) {
    json->Raw(NodeJson(*node));
  } else {
    WriteMetadataOf(*object, json);
  }
}

}  // namespace

Status JsPlugin::PreEnqueue(const Pod& pod) const {
  auto write = [&pod](JsonWriter* json) { json->Key("pod").Raw(PodJson(pod)); };
  return host_->Call(Callee("preEnqueue"), write).status;
}

std::vector<ClusterEventWithHint> JsPlugin::EventsToRegister() const {
  std::vector<ClusterEventWithHint> events;
  for (size_t index = 0; index < declaration_.events->size(); ++index) {
    const PluginEventDeclaration& declared = (*declaration_.events)[index];
    ClusterEventWithHint registered;
    std::optional<EventResource> resource =
        EventResourceOfText(declared.resource, &registered.event.other);
    // The options were validated when they were decoded.
    CHECK(resource.has_value());
    registered.event.resource = *resource;
    registered.event.action = 0;
    for (const std::string& text : declared.action_types) {
      std::optional<ActionType> action = ActionOfText(text);
      CHECK(action.has_value());
      registered.event.action |= *action;
    }
    if (declared.has_hint) {
      registered.hint = [this, index](const Pod& pod, const EventObjects& objects) {
        return HintOf(index, pod, objects);
      };
    }
    events.push_back(std::move(registered));
  }
  return events;
}

QueueingHint JsPlugin::HintOf(size_t event, const Pod& pod, const EventObjects& objects) const {
  auto write = [&](JsonWriter* json) {
    json->IntMember("event", event).Key("pod").Raw(PodJson(pod));
    WriteObject("oldObject", objects.old_object, json);
    WriteObject("newObject", objects.new_object, json);
  };
  JsAnswer answer = host_->Call(Callee("queueingHint"), write);
  return answer.is_queue_skip ? QueueingHint::kQueueSkip : QueueingHint::kQueue;
}

Status JsPlugin::Permit(CycleState& state, const Pod& pod, const Symbol& node,
                        int64_t* timeout_us) {
  auto request = RequestFor("permit", state, pod);
  request.json().StringMember("nodeName", node.view());
  JsAnswer answer = request.Send();
  *timeout_us = answer.timeout_us;
  return answer.status;
}

Task<Status> JsPlugin::CallOut(std::string_view verb, const CycleState& state, const Pod& pod,
                               const Symbol& node) {
  Background* background = handle_.background();
  CHECK(background != nullptr);
  Call call;
  call.kind = "plugin";
  call.target = declaration_.name;
  call.verb = verb;
  call.pod = Format("{}/{}", pod.metadata.namespace_.view(), pod.metadata.name.view());
  JsonWriter json(&call.body);
  json.BeginObject().StringMember("profile", handle_.profile_name().view());
  host_->WriteCalledOut(state, &json);
  json.Key("pod").Raw(PodJson(pod));
  json.StringMember("nodeName", node.view()).EndObject();
  uint64_t id = background->calls.Send(std::move(call));
  Completion completion = co_await background->calls.Answer(id);
  co_return JsPluginHost::StatusOfCompletion(completion);
}

Task<Status> JsPlugin::PreBind(CycleState& state, const Pod& pod, const Symbol& node) {
  return CallOut("preBind", state, pod, node);
}

Task<Status> JsPlugin::Bind(CycleState& state, const Pod& pod, const Symbol& node) {
  return CallOut("bind", state, pod, node);
}

Task<void> JsPlugin::PostBind(CycleState& state, const Pod& pod, const Symbol& node) {
  co_await CallOut("postBind", state, pod, node);
}

}  // namespace stowage
