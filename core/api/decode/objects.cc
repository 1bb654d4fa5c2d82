#include "core/api/decode/objects.h"

#include <fmt/format.h>

#include <utility>

#include "core/api/decode/object_types.h"
#include "core/base/check.h"

namespace stowage {
namespace {

constexpr KindInfo kKinds[] = {
    {ObjectKind::kPod, "v1", "Pod", "pods", true},
    {ObjectKind::kNode, "v1", "Node", "nodes", false},
    {ObjectKind::kNamespace, "v1", "Namespace", "namespaces", false},
    {ObjectKind::kService, "v1", "Service", "services", true},
    {ObjectKind::kReplicationController, "v1", "ReplicationController", "replicationcontrollers",
     true},
    {ObjectKind::kReplicaSet, "apps/v1", "ReplicaSet", "replicasets", true},
    {ObjectKind::kStatefulSet, "apps/v1", "StatefulSet", "statefulsets", true},
    {ObjectKind::kPodDisruptionBudget, "policy/v1", "PodDisruptionBudget", "poddisruptionbudgets",
     true},
};

void RequireField(std::string_view field, const Symbol& value, std::vector<FieldError>* errors) {
  if (!value.empty()) return;
  FieldError error;
  error.code = InputErrorCode::kFieldValueRequired;
  error.field = field;
  error.message = fmt::format("{}: Required value", field);
  errors->push_back(std::move(error));
}

template <typename T>
ObjectDecoding DecodeAs(std::string_view text, const TypeInfo& type, const DecodeOptions& options,
                        const KindInfo& info) {
  auto object = std::make_shared<T>();
  DecodeReport report = DecodeJson(text, options, type, object.get());
  ObjectDecoding decoding;
  decoding.syntax_error = std::move(report.syntax_error);
  decoding.field_errors = std::move(report.field_errors);
  if (decoding.syntax_error.has_value() || !decoding.field_errors.empty()) return decoding;
  const ObjectMeta& metadata = object->metadata;
  RequireField("metadata.name", metadata.name, &decoding.field_errors);
  if (info.is_namespaced) {
    RequireField("metadata.namespace", metadata.namespace_, &decoding.field_errors);
  }
  RequireField("metadata.uid", metadata.uid, &decoding.field_errors);
  if (decoding.field_errors.empty()) {
    decoding.object = AnyObject(std::shared_ptr<const T>(std::move(object)));
  }
  return decoding;
}

}  // namespace

ObjectKind KindOf(const AnyObject& object) { return static_cast<ObjectKind>(object.index()); }

const ObjectMeta& MetadataOf(const AnyObject& object) {
  return std::visit([](const auto& ref) -> const ObjectMeta& { return ref->metadata; }, object);
}

const KindInfo& InfoOf(ObjectKind kind) {
  const KindInfo& info = kKinds[static_cast<size_t>(kind)];
  CHECK(info.kind == kind);
  return info;
}

const KindInfo* FindKind(std::string_view api_version, std::string_view name) {
  for (const KindInfo& info : kKinds) {
    if (info.name == name && info.api_version == api_version) return &info;
  }
  return nullptr;
}

const KindInfo* FindKindByResource(std::string_view resource) {
  for (const KindInfo& info : kKinds) {
    if (info.resource == resource) return &info;
  }
  return nullptr;
}

ObjectDecoding DecodeObject(std::string_view text, ObjectKind kind, size_t depth_max) {
  DecodeOptions options;
  options.depth_max = depth_max;
  const KindInfo& info = InfoOf(kind);
  switch (kind) {
    case ObjectKind::kPod:
      return DecodeAs<Pod>(text, PodType(), options, info);
    case ObjectKind::kNode:
      return DecodeAs<Node>(text, NodeType(), options, info);
    case ObjectKind::kNamespace:
      return DecodeAs<Namespace>(text, NamespaceType(), options, info);
    case ObjectKind::kService:
      return DecodeAs<Service>(text, ServiceType(), options, info);
    case ObjectKind::kReplicationController:
      return DecodeAs<ReplicationController>(text, ReplicationControllerType(), options, info);
    case ObjectKind::kReplicaSet:
      return DecodeAs<ReplicaSet>(text, ReplicaSetType(), options, info);
    case ObjectKind::kStatefulSet:
      return DecodeAs<StatefulSet>(text, StatefulSetType(), options, info);
    case ObjectKind::kPodDisruptionBudget:
      return DecodeAs<PodDisruptionBudget>(text, PodDisruptionBudgetType(), options, info);
  }
  CHECK(false);
}

}  // namespace stowage
