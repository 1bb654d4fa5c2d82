#include "core/plugins/default_binder.h"

#include <fmt/format.h>

#include "core/api/encode/json_writer.h"

namespace stowage {
namespace {

std::string BindingBody(const ObjectMeta& pod, const Symbol& node) {
  std::string body;
  JsonWriter json(&body);
  json.BeginObject();
  json.StringMember("apiVersion", "v1").StringMember("kind", "Binding");
  json.Key("metadata").BeginObject();
  json.StringMember("name", pod.name.view());
  json.StringMember("namespace", pod.namespace_.view());
  json.StringMember("uid", pod.uid.view());
  json.EndObject();
  json.Key("target").BeginObject();
  json.StringMember("kind", "Node").StringMember("name", node.view());
  json.EndObject().EndObject();
  return body;
}

}  // namespace

Status DefaultBinder::Bind(CycleState&, const Pod& pod, const Symbol& node, ApiCall* call) const {
  const ObjectMeta& meta = pod.metadata;
  call->verb = "bind";
  call->method = "POST";
  call->path = fmt::format("/api/v1/namespaces/{}/pods/{}/binding", meta.namespace_.view(),
                           meta.name.view());
  call->content_type = "application/json";
  call->body = BindingBody(meta, node);
  return Status::Success();
}

}  // namespace stowage
