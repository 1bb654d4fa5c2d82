#include "core/scheduler/simulated_volumes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/api/decode/envelope.h"
#include "core/api/decode/source.h"
#include "core/api/encode/json_writer.h"
#include "core/api/parse_int.h"
#include "core/api/topology_labels.h"
#include "core/api/volume_helpers.h"
#include "core/base/format.h"

namespace stowage {
namespace {

constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
constexpr std::string_view kWaitForFirstConsumer = "WaitForFirstConsumer";
constexpr size_t kDepthMax = 64;

// The names that kube-controller-manager uses.
struct Controllers {
  Symbol persistent_volume{"persistentvolume-binder-controller"};
  Symbol ephemeral_volume{"ephemeral-volume-controller"};

  static const Controllers& Get() {
    static const Controllers* controllers = new Controllers;
    return *controllers;
  }
};

void CopyMember(std::string_view name, std::string_view json, JsonWriter* writer) {
  if (!json.empty()) writer->Key(name).Raw(json);
}

std::string_view ModeOf(const std::optional<Symbol>& volume_mode) {
  return volume_mode ? volume_mode->view() : "Filesystem";
}

bool OffersModes(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  const std::vector<Symbol>& offered = volume.spec.access_modes;
  const std::vector<Symbol>& wanted = claim.spec.access_modes;
  return std::all_of(wanted.begin(), wanted.end(), [&](const Symbol& mode) {
    return std::find(offered.begin(), offered.end(), mode) != offered.end();
  });
}

// The labels that describe from where a volume provisioned for a pod on the node can be reached.
LabelMap TopologyOf(const Node& node, const CsiNode* csi_node, const Symbol& driver) {
  LabelMap topology;
  const LabelMap& labels = node.metadata.labels;
  auto add = [&](const Symbol& key) {
    if (const Symbol* value = labels.Find(key)) topology.Set(key, *value);
  };
  if (csi_node != nullptr) {
    for (const CsiNodeDriver& entry : csi_node->spec.drivers) {
      if (entry.name != driver) continue;
      for (const Symbol& key : entry.topology_keys) add(key);
    }
  }
  if (topology.empty()) add(TopologyLabels::Get().zone);
  return topology;
}

void WriteNodeAffinity(const LabelMap& topology, JsonWriter* json) {
  if (topology.empty()) return;
  json->Key("nodeAffinity").BeginObject().Key("required").BeginObject();
  json->Key("nodeSelectorTerms").BeginArray().BeginObject();
  json->Key("matchExpressions").BeginArray();
  for (const auto& [key, value] : topology) {
    json->BeginObject().StringMember("key", key.view()).StringMember("operator", "In");
    json->Key("values").BeginArray().String(value.view()).EndArray().EndObject();
  }
  json->EndArray().EndObject().EndArray().EndObject().EndObject();
}

std::string ClaimReferenceText(const PersistentVolumeClaim& claim) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject().StringMember("kind", "PersistentVolumeClaim").StringMember("apiVersion", "v1");
  json.StringMember("namespace", claim.metadata.namespace_.view());
  json.StringMember("name", claim.metadata.name.view());
  json.StringMember("uid", claim.metadata.uid.view()).EndObject();
  return text;
}

}  // namespace

void SimulatedVolumes::Observe(const AnyObject& object) {
  std::optional<int64_t> version = ParseInt64(object.metadata().resource_version);
  if (version) latest_version_ = std::max(latest_version_, *version);
  switch (object.kind()) {
    case ObjectKind::kPersistentVolume:
      if (const auto& reference = object.Get<PersistentVolume>()->spec.claim_ref) {
        PersistentVolumeClaimRef claim =
            store_.GetPersistentVolumeClaim(reference->namespace_, reference->name);
        if (claim != nullptr) NoteChanged(*claim);
      }
      changed_claims_.merge(waiting_claims_);
      return;
    case ObjectKind::kPersistentVolumeClaim:
      NoteChanged(*object.Get<PersistentVolumeClaim>());
      return;
    case ObjectKind::kStorageClass:
    case ObjectKind::kNode:
      changed_claims_.merge(waiting_claims_);
      return;
    case ObjectKind::kPod: {
      PodRef pod = object.Ref<Pod>();
      const SharedList<Volume>& volumes = pod->spec.volumes;
      auto is_ephemeral = [](const Volume& volume) { return volume.is_ephemeral(); };
      if (std::any_of(volumes.begin(), volumes.end(), is_ephemeral)) {
        pods_with_ephemeral_volumes_.push_back(pod);
      }
      return;
    }
    default:
      return;
  }
}

// The controllers have nothing to do for a bound claim. When it changes, Observe sees it again.
void SimulatedVolumes::NoteChanged(const PersistentVolumeClaim& claim) {
  if (!IsFullyBound(claim)) changed_claims_.insert(ObjectKey::Of(claim.metadata));
}

void SimulatedVolumes::Sync() {
  if (pods_with_ephemeral_volumes_.empty() && changed_claims_.empty()) return;
  for (const PodRef& pod : std::exchange(pods_with_ephemeral_volumes_, {})) {
    MakeEphemeralClaims(*pod);
  }
  for (const ObjectKey& key : std::exchange(changed_claims_, {})) {
    PersistentVolumeClaimRef claim = store_.GetPersistentVolumeClaim(key.namespace_, key.name);
    if (claim != nullptr) SyncClaim(*claim);
  }
}

std::optional<std::string> SimulatedVolumes::Update(ObjectKind kind, std::string text) {
  ObjectDecoding decoding = DecodeObject(text, InfoOf(kind), kDepthMax);
  if (!decoding.object) return std::nullopt;
  const ObjectMeta& metadata = decoding.object->metadata();
  const ObjectMeta* stored = nullptr;
  PersistentVolumeRef volume;
  PersistentVolumeClaimRef claim;
  if (kind == ObjectKind::kPersistentVolume) {
    volume = store_.GetPersistentVolume(metadata.name);
    if (volume != nullptr) stored = &volume->metadata;
  } else {
    claim = store_.GetPersistentVolumeClaim(metadata.namespace_, metadata.name);
    if (claim != nullptr) stored = &claim->metadata;
  }
  bool is_current = stored != nullptr && stored->resource_version == metadata.resource_version;
  return is_current ? Put(kind, std::move(text)) : std::nullopt;
}

std::optional<std::string> SimulatedVolumes::Put(ObjectKind kind, std::string text) {
  SetStringAt({"metadata", "resourceVersion"}, Format("{}", latest_version_ + 1), &text);
  ObjectDecoding decoding = DecodeObject(text, InfoOf(kind), kDepthMax);
  if (!decoding.object) return std::nullopt;
  watch_.OnObjectPut(std::move(*decoding.object));
  return text;
}

void SimulatedVolumes::MakeEphemeralClaims(const Pod& pod) {
  for (const Volume& volume : pod.spec.volumes) {
    if (!volume.is_ephemeral()) continue;
    Symbol name = *ClaimNameOf(pod, volume);
    const Symbol& namespace_ = pod.metadata.namespace_;
    if (store_.GetPersistentVolumeClaim(namespace_, name) != nullptr) continue;
    std::string_view ephemeral = volume.other.json.view();
    std::string text;
    JsonWriter json(&text);
    json.BeginObject().StringMember("apiVersion", "v1");
    json.StringMember("kind", "PersistentVolumeClaim").Key("metadata").BeginObject();
    json.StringMember("name", name.view()).StringMember("namespace", namespace_.view());
    json.StringMember("uid", Format("{}-{}", pod.metadata.uid.view(), volume.name.view()));
    for (std::string_view member : {"labels", "annotations"}) {
      CopyMember(member, MemberText(ephemeral, {"volumeClaimTemplate", "metadata", member}), &json);
    }
    json.Key("ownerReferences").BeginArray().BeginObject().StringMember("apiVersion", "v1");
    json.StringMember("kind", "Pod").StringMember("name", pod.metadata.name.view());
    json.StringMember("uid", pod.metadata.uid.view()).BoolMember("controller", true);
    json.EndObject().EndArray().EndObject();
    CopyMember("spec", MemberText(ephemeral, {"volumeClaimTemplate", "spec"}), &json);
    json.Key("status").BeginObject().StringMember("phase", "Pending").EndObject().EndObject();
    Symbol default_class = DefaultClass();
    if (MemberText(text, {"spec", "storageClassName"}).empty() && !default_class.empty()) {
      SetStringAt({"spec", "storageClassName"}, default_class.view(), &text);
    }
    Put(ObjectKind::kPersistentVolumeClaim, std::move(text));
    created_objects_[{{namespace_, name}, Symbol()}] = Controllers::Get().ephemeral_volume;
  }
}

// The newest class that is marked as default; among equally old ones, the first by name.
Symbol SimulatedVolumes::DefaultClass() const {
  static const Symbol kIsDefault("storageclass.kubernetes.io/is-default-class");
  StorageClassRef newest;
  for (const ObjectKey& key : store_.Keys(ObjectKind::kStorageClass)) {
    StorageClassRef one = store_.GetStorageClass(key.name);
    const Symbol* is_default = one->metadata.annotations.Find(kIsDefault);
    if (is_default == nullptr || *is_default != "true") continue;
    bool is_newer =
        newest == nullptr || one->metadata.creation_timestamp > newest->metadata.creation_timestamp;
    if (is_newer) newest = one;
  }
  return newest == nullptr ? Symbol() : newest->metadata.name;
}

void SimulatedVolumes::SyncClaim(const PersistentVolumeClaim& claim) {
  if (IsFullyBound(claim) || claim.metadata.deletion_timestamp) return;
  const Symbol& binder = Controllers::Get().persistent_volume;
  if (PersistentVolumeRef volume = FindVolume(claim)) return Bind(claim, *volume, binder);
  waiting_claims_.insert(ObjectKey::Of(claim.metadata));
  if (!claim.spec.volume_name.empty()) return;
  StorageClassRef storage_class = store_.GetStorageClass(StorageClassOf(claim));
  const std::optional<Symbol> none;
  const auto& mode = storage_class == nullptr ? none : storage_class->volume_binding_mode;
  const Symbol* selected = claim.metadata.annotations.Find(Annotations().selected_node);
  bool is_delayed = mode && *mode == kWaitForFirstConsumer;
  if (is_delayed && selected == nullptr) {
    waiting_claims_.erase(ObjectKey::Of(claim.metadata));
    return;
  }
  if (!is_delayed) {
    if (PersistentVolumeRef volume = FindFreeVolume(claim)) return Bind(claim, *volume, binder);
  }
  if (storage_class == nullptr) return;
  const Symbol& provisioner = storage_class->provisioner;
  if (provisioner.empty() || provisioner == kNoProvisioner) return;
  NodeRef node = selected == nullptr ? nullptr : store_.GetNode(*selected);
  if (selected != nullptr && node == nullptr) return;
  Provision(claim, *storage_class, node.get());
}

// The volume that already refers to the claim; null if there is none.
PersistentVolumeRef SimulatedVolumes::FindVolume(const PersistentVolumeClaim& claim) const {
  if (!claim.spec.volume_name.empty()) {
    PersistentVolumeRef volume = store_.GetPersistentVolume(claim.spec.volume_name);
    bool is_free = volume != nullptr && (!volume->spec.claim_ref || IsBoundToClaim(*volume, claim));
    return is_free ? volume : nullptr;
  }
  const ClassVolumes& volumes = store_.VolumesOfClass(StorageClassOf(claim));
  for (const PersistentVolumeRef& volume : volumes.ReservedFor(ObjectKey::Of(claim.metadata))) {
    if (IsBoundToClaim(*volume, claim)) return volume;
  }
  return nullptr;
}

// The smallest matching volume; among equal ones, the first by name.
PersistentVolumeRef SimulatedVolumes::FindFreeVolume(const PersistentVolumeClaim& claim) const {
  Selector selector;
  if (claim.spec.selector) {
    Result<Selector, FieldErrors> made = Selector::Make(claim.spec.selector);
    if (!made.ok()) return nullptr;
    selector = made.Take();
  }
  std::shared_ptr<const ClassVolumes::List> free =
      store_.VolumesOfClass(StorageClassOf(claim)).Free();
  size_t place = FirstOfSize(*free, StorageIn(claim.spec.resources.requests));
  for (; place < free->size(); ++place) {
    const PersistentVolume& volume = *(*free)[place];
    bool is_available = volume.status.phase == "Available" &&
                        ModeOf(volume.spec.volume_mode) == ModeOf(claim.spec.volume_mode);
    bool is_found =
        is_available && OffersModes(volume, claim) && selector.Matches(volume.metadata.labels);
    if (is_found) return (*free)[place];
  }
  return nullptr;
}

void SimulatedVolumes::Bind(const PersistentVolumeClaim& claim, const PersistentVolume& volume,
                            const Symbol& by) {
  waiting_claims_.erase(ObjectKey::Of(claim.metadata));
  created_objects_[{ObjectKey::Of(claim.metadata), volume.metadata.name}] = by;
  const VolumeAnnotations& names = Annotations();
  std::string text = *volume.metadata.source;
  bool has_reference = volume.spec.claim_ref && !volume.spec.claim_ref->uid.empty();
  if (!has_reference) SetJsonAt({"spec", "claimRef"}, ClaimReferenceText(claim), &text);
  if (!volume.spec.claim_ref) {
    SetStringAt({"metadata", "annotations", names.bound_by_controller.view()}, "yes", &text);
  }
  SetStringAt({"status", "phase"}, "Bound", &text);
  std::string capacity(MemberText(text, {"spec", "capacity"}));
  std::string modes(MemberText(text, {"spec", "accessModes"}));
  Put(ObjectKind::kPersistentVolume, std::move(text));

  text = *claim.metadata.source;
  for (const Symbol& name : {names.bind_completed, names.bound_by_controller}) {
    SetStringAt({"metadata", "annotations", name.view()}, "yes", &text);
  }
  SetStringAt({"spec", "volumeName"}, volume.metadata.name.view(), &text);
  SetStringAt({"status", "phase"}, "Bound", &text);
  if (!capacity.empty()) SetJsonAt({"status", "capacity"}, capacity, &text);
  if (!modes.empty()) SetJsonAt({"status", "accessModes"}, modes, &text);
  Put(ObjectKind::kPersistentVolumeClaim, std::move(text));
}

void SimulatedVolumes::Provision(const PersistentVolumeClaim& claim,
                                 const StorageClass& storage_class, const Node* node) {
  const ObjectMeta& metadata = claim.metadata;
  std::string name = metadata.uid.empty()
                         ? Format("pvc-{}-{}", metadata.namespace_.view(), metadata.name.view())
                         : Format("pvc-{}", metadata.uid.view());
  const Symbol& driver = storage_class.provisioner;
  std::string_view spec = MemberText(*claim.metadata.source, {"spec"});
  LabelMap topology;
  if (node != nullptr) {
    CsiNodeRef csi_node = store_.GetCsiNode(node->metadata.name);
    topology = TopologyOf(*node, csi_node.get(), driver);
  }
  std::string text;
  JsonWriter json(&text);
  json.BeginObject().StringMember("apiVersion", "v1").StringMember("kind", "PersistentVolume");
  json.Key("metadata").BeginObject().StringMember("name", name).StringMember("uid", name);
  json.EndObject().Key("spec").BeginObject();
  CopyMember("capacity", MemberText(spec, {"resources", "requests"}), &json);
  CopyMember("accessModes", MemberText(spec, {"accessModes"}), &json);
  CopyMember("volumeMode", MemberText(spec, {"volumeMode"}), &json);
  json.StringMember("storageClassName", storage_class.metadata.name.view());
  json.Key("claimRef").Raw(ClaimReferenceText(claim)).Key("csi").BeginObject();
  json.StringMember("driver", driver.view()).StringMember("volumeHandle", name).EndObject();
  WriteNodeAffinity(topology, &json);
  json.EndObject().Key("status").BeginObject().StringMember("phase", "Bound").EndObject();
  json.EndObject();
  Put(ObjectKind::kPersistentVolume, std::move(text));
  Bind(claim, *store_.GetPersistentVolume(Symbol(name)), driver);
}

std::map<std::pair<ObjectKey, Symbol>, Symbol> SimulatedVolumes::CreatedObjects() const {
  std::map<std::pair<ObjectKey, Symbol>, Symbol> created_objects = created_objects_;
  for (auto it = created_objects.begin(); it != created_objects.end();) {
    const auto& [key, volume] = it->first;
    PersistentVolumeClaimRef claim = store_.GetPersistentVolumeClaim(key.namespace_, key.name);
    bool is_there = claim != nullptr && (volume.empty() || claim->spec.volume_name == volume);
    it = is_there ? std::next(it) : created_objects.erase(it);
  }
  return created_objects;
}

}  // namespace stowage
