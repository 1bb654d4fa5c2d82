#include "core/api/decode/objects.h"

#include <iterator>
#include <type_traits>
#include <utility>

#include "core/api/decode/device_schema.h"
#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_types.h"
#include "core/api/decode/pod_texts.h"
#include "core/api/decode/schema_decoder.h"
#include "core/api/decode/shared_parts.h"
#include "core/api/decode/source.h"
#include "core/api/decode/volume_schema.h"
#include "core/api/encode/utf8.h"
#include "core/api/field_error.h"
#include "core/api/resource_text.h"
#include "core/base/check.h"
#include "core/base/deferred_code.h"
#include "core/base/format.h"

namespace stowage {
namespace {

constexpr KindScope kCluster = KindScope::kCluster;
constexpr KindScope kNamespaced = KindScope::kNamespaced;

constexpr KindInfo kKinds[] = {
    {ObjectKind::kPod, "v1", "Pod", "pods", kNamespaced},
    {ObjectKind::kNode, "v1", "Node", "nodes", kCluster},
    {ObjectKind::kNamespace, "v1", "Namespace", "namespaces", kCluster},
    {ObjectKind::kService, "v1", "Service", "services", kNamespaced},
    {ObjectKind::kReplicationController, "v1", "ReplicationController", "replicationcontrollers",
     kNamespaced},
    {ObjectKind::kReplicaSet, "apps/v1", "ReplicaSet", "replicasets", kNamespaced},
    {ObjectKind::kStatefulSet, "apps/v1", "StatefulSet", "statefulsets", kNamespaced},
    {ObjectKind::kPodDisruptionBudget, "policy/v1", "PodDisruptionBudget", "poddisruptionbudgets",
     kNamespaced},
    {ObjectKind::kPersistentVolume, "v1", "PersistentVolume", "persistentvolumes", kCluster},
    {ObjectKind::kPersistentVolumeClaim, "v1", "PersistentVolumeClaim", "persistentvolumeclaims",
     kNamespaced},
    {ObjectKind::kStorageClass, "storage.k8s.io/v1", "StorageClass", "storageclasses", kCluster},
    {ObjectKind::kCsiNode, "storage.k8s.io/v1", "CSINode", "csinodes", kCluster},
    {ObjectKind::kCsiDriver, "storage.k8s.io/v1", "CSIDriver", "csidrivers", kCluster},
    {ObjectKind::kCsiStorageCapacity, "storage.k8s.io/v1", "CSIStorageCapacity",
     "csistoragecapacities", kNamespaced},
    {ObjectKind::kVolumeAttachment, "storage.k8s.io/v1", "VolumeAttachment", "volumeattachments",
     kCluster},
    {ObjectKind::kResourceClaim, "resource.k8s.io/v1", "ResourceClaim", "resourceclaims",
     kNamespaced},
    {ObjectKind::kResourceSlice, "resource.k8s.io/v1", "ResourceSlice", "resourceslices", kCluster},
    {ObjectKind::kDeviceClass, "resource.k8s.io/v1", "DeviceClass", "deviceclasses", kCluster},
    {ObjectKind::kDeviceTaintRule, "resource.k8s.io/v1beta2", "DeviceTaintRule", "devicetaintrules",
     kCluster},
    {ObjectKind::kPodGroup, "scheduling.k8s.io/v1alpha2", "PodGroup", "podgroups", kNamespaced},
    {ObjectKind::kResourceClaimTemplate, "resource.k8s.io/v1", "ResourceClaimTemplate",
     "resourceclaimtemplates", kNamespaced},
};
// Later versions of PodGroup have all fields that are read.
constexpr std::string_view kLaterPodGroups[] = {"scheduling.k8s.io/v1alpha3",
                                                "scheduling.k8s.io/v1beta1"};
static_assert(std::size(kKinds) == static_cast<size_t>(ObjectKind::kOther));

void RequireField(std::string_view field, const Symbol& value, std::vector<FieldError>* errors) {
  if (!value.empty()) return;
  FieldError error;
  error.code = InputErrorCode::kFieldValueRequired;
  error.field = field;
  error.message = Format("{}: Required value", field);
  errors->push_back(std::move(error));
}

// Objects are stored by namespace and name, nodes by name only. With a namespace, a cluster-scoped
// object could be two in one place and one in the other.
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
constexpr auto kSpecFieldsOfDeleted = Fields(Field<&PodSpec::node_name>("nodeName"));
constexpr TypeInfo kSpecOfDeleted = ObjectTypeInfo(kSpecFieldsOfDeleted);
template <>
constexpr auto kFieldsOfDeleted<Pod> = Fields(FieldAs<&Pod::metadata>("metadata", &kMetaOfDeleted),
                                              FieldAs<&Pod::spec>("spec", &kSpecOfDeleted));
template <typename T>
constexpr TypeInfo kDeletedType = ObjectTypeInfo(kFieldsOfDeleted<T>);

struct Decoding {
  std::string_view text;
  const KindInfo& info;
  bool is_deleted;
  DecodeOptions options;
  bool has_source = false;
  bool shows_source = false;
  const StartedObject* started = nullptr;  // set: the text is not read
};

DecodeReport Decode(const Decoding& input, const TypeInfo& type, void* object) {
  if (input.started == nullptr) return DecodeJson(input.text, input.options, type, object);
  JsonReader* reader = input.started->reader;
  DecodeReport report;
  Pod* pod = input.info.kind == ObjectKind::kPod ? static_cast<Pod*>(object) : nullptr;
  PodTexts& known = PodTexts::Get(input.is_deleted);
  if (pod != nullptr && known.Read(reader, pod, &report.has_managed_fields)) return report;
  PodTexts::Place place{reader->offset(), reader->depth(), std::string(input.started->key)};
  SchemaDecoder decoder(reader, input.options, &report);
  if (!decoder.ReadRest(type, object, {"apiVersion", "kind"}, place.key)) {
    report.syntax_error.emplace();
  } else if (pod != nullptr && report.field_errors.empty()) {
    known.Add(*reader, place, *pod, report.has_managed_fields);
  }
  return report;
}

std::string_view TextOf(const Decoding& input) {
  if (input.started == nullptr) return input.text;
  return input.started->reader->TextSince(input.started->begin);
}

// A deleted pod must be removed even if its node name is invalid.
void DropSpecErrors(Pod* pod, std::vector<FieldError>* errors) {
  auto is_in_spec = [](const FieldError& error) { return error.field.starts_with("spec"); };
  if (std::erase_if(*errors, is_in_spec) > 0) pod->spec.node_name = Symbol();
}

void SetKind(const KindInfo& info, OtherObject* object) {
  object->kind = info.kind;
  object->api_version = Symbol(info.api_version);
  object->kind_name = Symbol(info.name);
  if (info.kind == ObjectKind::kOther) object->resource = Symbol(info.resource);
}

void CheckIdentity(const KindInfo& info, const ObjectMeta& metadata,
                   std::vector<FieldError>* errors) {
  RequireField("metadata.name", metadata.name, errors);
  if (info.scope == kNamespaced) {
    RequireField("metadata.namespace", metadata.namespace_, errors);
  } else if (info.scope == kCluster) {
    ForbidNamespace(metadata.namespace_, errors);
  }
  // Pods are identified by uid, other objects by name.
  if (info.kind == ObjectKind::kPod) RequireField("metadata.uid", metadata.uid, errors);
}

// Whether the engine uses objects of this kind only with its deferred code.
bool NeedsDeferredCode(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kResourceClaim:
    case ObjectKind::kResourceClaimTemplate:
    case ObjectKind::kResourceSlice:
    case ObjectKind::kDeviceClass:
    case ObjectKind::kDeviceTaintRule:
    case ObjectKind::kPodGroup:
      return true;
    default:
      return false;
  }
}

// Loads the deferred code, or reports that the field needs it.
void RequireDeferredCode(std::string_view field, std::vector<FieldError>* errors) {
  std::string fault = LoadDeferredCode();
  if (fault.empty()) return;
  FieldError error;
  error.code = InputErrorCode::kModuleMissing;
  error.field = field;
  error.message = Format("{}: {}", field, fault);
  errors->push_back(std::move(error));
}

// `object` is of `type`, and `metadata` is its own. Returns true if there is no error.
bool DecodeInto(const Decoding& input, const TypeInfo& type, void* object, ObjectMeta* metadata,
                ObjectDecoding* decoding) {
  DecodeReport report = Decode(input, type, object);
  decoding->syntax_error = std::move(report.syntax_error);
  decoding->field_errors = std::move(report.field_errors);
  if (decoding->syntax_error.has_value()) return false;
  if (input.info.kind == ObjectKind::kPod) {
    Pod* pod = static_cast<Pod*>(object);
    input.is_deleted ? DropSpecErrors(pod, &decoding->field_errors)
                     : ReadVolumeSources(pod, &decoding->field_errors);
    if (!pod->spec.resource_claims.empty()) {
      RequireDeferredCode("spec.resourceClaims", &decoding->field_errors);
    }
  }
  if (input.info.kind == ObjectKind::kResourceSlice) {
    SortNamedValues(static_cast<ResourceSlice*>(object));
  }
  if (!decoding->field_errors.empty()) return false;
  CheckIdentity(input.info, *metadata, &decoding->field_errors);
  if (!decoding->field_errors.empty()) return false;
  if (input.has_source) {
    std::string_view text = TextOf(input);
    metadata->source = std::make_shared<const std::string>(
        report.has_managed_fields ? SourceOf(text) : std::string(text));
    metadata->shows_source = input.shows_source;
  }
  return true;
}

template <typename T>
ObjectDecoding DecodeAs(const TypeInfo& type, const Decoding& input) {
  auto object = std::make_shared<T>();
  ObjectDecoding decoding;
  const TypeInfo& read = input.is_deleted ? kDeletedType<T> : type;
  if (DecodeInto(input, read, object.get(), &object->metadata, &decoding)) {
    if constexpr (std::is_same_v<T, OtherObject>) SetKind(input.info, object.get());
    if constexpr (std::is_same_v<T, Pod>) {
      if (!input.is_deleted) ShareParts(object);
    }
    decoding.object = AnyObject(std::shared_ptr<const T>(std::move(object)));
  }
  return decoding;
}

ObjectDecoding DecodeAnyKind(const Decoding& input) {
  if (NeedsDeferredCode(input.info.kind)) {
    ObjectDecoding refused;
    RequireDeferredCode("kind", &refused.field_errors);
    if (!refused.field_errors.empty()) return refused;
  }
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
    case ObjectKind::kPersistentVolume:
      return DecodeAs<PersistentVolume>(PersistentVolumeType(), input);
    case ObjectKind::kPersistentVolumeClaim:
      return DecodeAs<PersistentVolumeClaim>(PersistentVolumeClaimType(), input);
    case ObjectKind::kStorageClass:
      return DecodeAs<StorageClass>(StorageClassType(), input);
    case ObjectKind::kCsiNode:
      return DecodeAs<CsiNode>(CsiNodeType(), input);
    case ObjectKind::kCsiDriver:
      return DecodeAs<CsiDriver>(CsiDriverType(), input);
    case ObjectKind::kCsiStorageCapacity:
      return DecodeAs<CsiStorageCapacity>(CsiStorageCapacityType(), input);
    case ObjectKind::kVolumeAttachment:
      return DecodeAs<VolumeAttachment>(VolumeAttachmentType(), input);
    case ObjectKind::kResourceClaim:
      return DecodeAs<ResourceClaim>(ResourceClaimType(), input);
    case ObjectKind::kResourceSlice:
      return DecodeAs<ResourceSlice>(ResourceSliceType(), input);
    case ObjectKind::kDeviceClass:
      return DecodeAs<DeviceClass>(DeviceClassType(), input);
    case ObjectKind::kDeviceTaintRule:
      return DecodeAs<DeviceTaintRule>(DeviceTaintRuleType(), input);
    case ObjectKind::kPodGroup:
      return DecodeAs<PodGroup>(PodGroupType(), input);
    default:
      return DecodeAs<OtherObject>(OtherObjectType(), input);
  }
}

bool KeepsSource(ObjectKind kind, KeptSources sources) {
  switch (kind) {
    case ObjectKind::kPersistentVolume:
    case ObjectKind::kPersistentVolumeClaim:
    case ObjectKind::kResourceClaim:
    case ObjectKind::kResourceClaimTemplate:
      return true;
    case ObjectKind::kPod:
    case ObjectKind::kNode:
      return sources != KeptSources::kVolumes;
    default:
      return sources == KeptSources::kAll || sources == KeptSources::kAllAndShown;
  }
}

bool ShowsSource(KeptSources sources) { return sources >= KeptSources::kShown; }

}  // namespace

const TypeInfo& DeletedPodType() { return kDeletedType<Pod>; }

KindKey KindKeyOf(const AnyObject& object) {
  if (object.kind() != ObjectKind::kOther) return object.kind();
  return KindKey::Other(object.Get<OtherObject>()->resource);
}

const KindInfo& InfoOf(ObjectKind kind) {
  CHECK(kind != ObjectKind::kOther);
  const KindInfo& info = kKinds[static_cast<size_t>(kind)];
  CHECK(info.kind == kind);
  return info;
}

const KindInfo* FindKindByName(std::string_view name) {
  for (const KindInfo& info : kKinds) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

const KindInfo* FindKind(std::string_view api_version, std::string_view name) {
  for (const KindInfo& info : kKinds) {
    if (info.name == name && info.api_version == api_version) return &info;
  }
  for (std::string_view later : kLaterPodGroups) {
    if (later == api_version && name == "PodGroup") return &InfoOf(ObjectKind::kPodGroup);
  }
  return nullptr;
}

const KindInfo* FindKindByResource(std::string_view resource) {
  bool is_full = resource.find('.') != std::string_view::npos;
  for (const KindInfo& info : kKinds) {
    bool is_it = is_full ? ResourceTextOf(info.api_version, info.name) == resource
                         : info.resource == resource;
    if (is_it) return &info;
  }
  return nullptr;
}

std::optional<KindInfo> FindKind(std::string_view api_version, std::string_view name,
                                 const std::vector<Symbol>& other_resources) {
  if (const KindInfo* info = FindKind(api_version, name)) return *info;
  if (other_resources.empty()) return std::nullopt;
  std::string text = ResourceTextOf(api_version, name);
  for (const Symbol& resource : other_resources) {
    if (resource != text) continue;
    return KindInfo{ObjectKind::kOther, api_version, name, resource.view(), KindScope::kUnknown};
  }
  return std::nullopt;
}

std::optional<KindKey> FindKindKey(std::string_view resource,
                                   const std::vector<Symbol>& other_resources) {
  if (const KindInfo* info = FindKindByResource(resource)) return KindKey(info->kind);
  for (const Symbol& other : other_resources) {
    if (other == resource) return KindKey::Other(other);
  }
  return std::nullopt;
}

ObjectDecoding DecodeObject(std::string_view text, const KindInfo& info, size_t depth_max,
                            KeptSources sources) {
  Decoding input{text, info, false, DecodeOptions()};
  input.options.depth_max = depth_max;
  input.has_source = KeepsSource(info.kind, sources);
  input.shows_source = ShowsSource(sources);
  return DecodeAnyKind(input);
}

std::optional<AnyObject> DecodeStartedObject(const StartedObject& object, const KindInfo& info,
                                             bool is_deleted, KeptSources sources) {
  Decoding input{{}, info, is_deleted, DecodeOptions()};
  input.has_source = !is_deleted && KeepsSource(info.kind, sources);
  input.shows_source = ShowsSource(sources);
  input.started = &object;
  return DecodeAnyKind(input).object;
}

ObjectDecoding DecodeDeletedObject(std::string_view text, const KindInfo& info) {
  Decoding input{text, info, true, DecodeOptions()};
  input.options.depth_max = text.size();
  return DecodeAnyKind(input);
}

}  // namespace stowage
