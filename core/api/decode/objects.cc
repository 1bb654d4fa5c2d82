#include "core/api/decode/objects.h"

#include <fmt/format.h>

#include <utility>

#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_types.h"
#include "core/api/decode/source.h"
#include "core/api/encode/utf8.h"
#include "core/api/field_error.h"
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

// Objects are kept by namespace and name, nodes by name alone: both must tell the same ones apart.
void ForbidNamespace(const Symbol& namespace_, std::vector<FieldError>* errors) {
  if (namespace_.empty()) return;
  FieldError error;
  error.code = InputErrorCode::kFieldValueInvalid;
  error.field = "metadata.namespace";
  error.value = ToValidUtf8(namespace_.view(), InputError::kValueBytesMax);
  error.message = InvalidValue(error.field, error.value, "not allowed on this kind");
  errors->push_back(std::move(error));
}

template <typename T>
constexpr auto kFieldsOfDeleted = Fields(FieldAs<&T::metadata>("metadata", &kMetaOfDeleted));
template <typename T>
constexpr TypeInfo kDeletedType = ObjectTypeInfo(kFieldsOfDeleted<T>);

struct Decoding {
  std::string_view text;
  const KindInfo& info;
  bool is_deleted;
  DecodeOptions options;
  bool has_source = false;
};

template <typename T>
ObjectDecoding DecodeAs(const TypeInfo& type, const Decoding& input) {
  auto object = std::make_shared<T>();
  DecodeReport report = DecodeJson(input.text, input.options,
                                   input.is_deleted ? kDeletedType<T> : type, object.get());
  ObjectDecoding decoding;
  decoding.syntax_error = std::move(report.syntax_error);
  decoding.field_errors = std::move(report.field_errors);
  if (decoding.syntax_error.has_value() || !decoding.field_errors.empty()) return decoding;
  const ObjectMeta& metadata = object->metadata;
  RequireField("metadata.name", metadata.name, &decoding.field_errors);
  if (input.info.is_namespaced) {
    RequireField("metadata.namespace", metadata.namespace_, &decoding.field_errors);
  } else {
    ForbidNamespace(metadata.namespace_, &decoding.field_errors);
  }
  RequireField("metadata.uid", metadata.uid, &decoding.field_errors);
  if (decoding.field_errors.empty()) {
    if (input.has_source) {
      object->metadata.source = std::make_shared<const std::string>(SourceOf(input.text));
    }
    decoding.object = AnyObject(std::shared_ptr<const T>(std::move(object)));
  }
  return decoding;
}

ObjectDecoding DecodeAnyKind(const Decoding& input) {
  switch (input.info.kind) {
    case ObjectKind::kPod:
      return DecodeAs<Pod>(PodType(), input);
    case ObjectKind::kNode:
      return DecodeAs<Node>(NodeType(), input);
    case ObjectKind::kNamespace:
      return DecodeAs<Namespace>(NamespaceType(), input);
    case ObjectKind::kService:
      return DecodeAs<Service>(ServiceType(), input);
    case ObjectKind::kReplicationController:
      return DecodeAs<ReplicationController>(ReplicationControllerType(), input);
    case ObjectKind::kReplicaSet:
      return DecodeAs<ReplicaSet>(ReplicaSetType(), input);
    case ObjectKind::kStatefulSet:
      return DecodeAs<StatefulSet>(StatefulSetType(), input);
    case ObjectKind::kPodDisruptionBudget:
      return DecodeAs<PodDisruptionBudget>(PodDisruptionBudgetType(), input);
  }
  CHECK(false);
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

ObjectDecoding DecodeObject(std::string_view text, ObjectKind kind, size_t depth_max,
                            bool has_source) {
  Decoding input{text, InfoOf(kind), false, DecodeOptions()};
  input.options.depth_max = depth_max;
  input.has_source = has_source && (kind == ObjectKind::kPod || kind == ObjectKind::kNode);
  return DecodeAnyKind(input);
}

ObjectDecoding DecodeDeletedObject(std::string_view text, ObjectKind kind) {
  Decoding input{text, InfoOf(kind), true, DecodeOptions()};
  input.options.depth_max = text.size();
  return DecodeAnyKind(input);
}

}  // namespace stowage
