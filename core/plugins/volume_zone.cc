#include "core/plugins/volume_zone.h"

#include <algorithm>
#include <utility>

#include "core/api/encode/json_writer.h"
#include "core/api/topology_labels.h"
#include "core/api/volume_helpers.h"
#include "core/base/format.h"
#include "core/base/split.h"
#include "core/framework/signers.h"
#include "core/plugins/volume_zone_state.h"

namespace stowage {
namespace {

constexpr std::string_view kWaitForFirstConsumer = "WaitForFirstConsumer";

struct PreFilterState {
  VolumeTopologies topologies;
};

// nullopt if the label contains an empty zone, which makes it invalid.
std::optional<std::set<Symbol>> ZonesOf(std::string_view label) {
  std::set<Symbol> zones;
  for (std::string_view part : Split(label, kLabelMultiZoneDelimiter)) {
    std::string_view zone = TrimSpace(part);
    if (zone.empty()) return std::nullopt;
    zones.insert(Symbol(zone));
  }
  return zones;
}

void AppendTopologies(const LabelMap& labels, VolumeTopologies* topologies) {
  const TopologyLabels& names = TopologyLabels::Get();
  for (const Symbol& key : {names.beta_zone, names.beta_region, names.zone, names.region}) {
    const Symbol* label = labels.Find(key);
    if (label == nullptr) continue;
    std::optional<std::set<Symbol>> zones = ZonesOf(label->view());
    if (zones) topologies->push_back({key, std::move(*zones)});
  }
}

VolumeTopologies TopologiesOf(const PersistentVolume& volume) {
  VolumeTopologies topologies;
  AppendTopologies(volume.metadata.labels, &topologies);
  return topologies;
}

// A claim without a volume is accepted only if it waits for its first pod.
Status CheckUnbound(const PersistentVolumeClaim& claim, const Listers& listers) {
  Symbol name = StorageClassOf(claim);
  if (name.empty()) {
    return Status::UnschedulableAndUnresolvable(
        "PersistentVolumeClaim had no pv name and storageClass name");
  }
  StorageClassRef storage_class = listers.GetStorageClass(name);
  if (storage_class == nullptr) {
    return Status::UnschedulableAndUnresolvable(
        NotFoundMessage("storageclass.storage.k8s.io", name));
  }
  if (!storage_class->volume_binding_mode) {
    return Status::UnschedulableAndUnresolvable(
        Format("VolumeBindingMode not set for StorageClass \"{}\"", name.view()));
  }
  if (*storage_class->volume_binding_mode == kWaitForFirstConsumer) return Status::Success();
  return Status::UnschedulableAndUnresolvable("PersistentVolume had no name");
}

}  // namespace

Status CollectTopologies(const Pod& pod, const Listers& listers, VolumeTopologies* topologies) {
  for (const Volume& volume : pod.spec.volumes) {
    if (!volume.persistent_volume_claim) continue;
    const Symbol& claim_name = volume.persistent_volume_claim->claim_name;
    if (claim_name.empty()) {
      return Status::UnschedulableAndUnresolvable("PersistentVolumeClaim had no name");
    }
    PersistentVolumeClaimRef claim =
        listers.GetPersistentVolumeClaim(pod.metadata.namespace_, claim_name);
    if (claim == nullptr) {
      return Status::UnschedulableAndUnresolvable(
          NotFoundMessage("persistentvolumeclaim", claim_name));
    }
    const Symbol& volume_name = claim->spec.volume_name;
    if (volume_name.empty()) {
      Status status = CheckUnbound(*claim, listers);
      if (!status.IsSuccess()) return status;
      continue;
    }
    PersistentVolumeRef persistent_volume = listers.GetPersistentVolume(volume_name);
    if (persistent_volume == nullptr) {
      return Status::UnschedulableAndUnresolvable(NotFoundMessage("persistentvolume", volume_name));
    }
    AppendTopologies(persistent_volume->metadata.labels, topologies);
  }
  return Status::Success();
}

namespace {

bool HasTopologyLabel(const LabelMap& labels) {
  const TopologyLabels& names = TopologyLabels::Get();
  return labels.Has(names.beta_zone) || labels.Has(names.beta_region) || labels.Has(names.zone) ||
         labels.Has(names.region);
}

// The node's value for a volume's key; falls back to the new name of a beta key.
const Symbol* NodeValueOf(const LabelMap& labels, const Symbol& key) {
  const TopologyLabels& names = TopologyLabels::Get();
  const Symbol* value = labels.Find(key);
  if (value != nullptr) return value;
  if (key == names.beta_zone) return labels.Find(names.zone);
  return key == names.beta_region ? labels.Find(names.region) : nullptr;
}

bool IsMet(const VolumeTopology& topology, const LabelMap& labels) {
  const Symbol* value = NodeValueOf(labels, topology.key);
  return value != nullptr && topology.values.contains(*value);
}

Status Match(const VolumeTopologies& topologies, const LabelMap& labels) {
  static const Status kConflict = Status::UnschedulableAndUnresolvable(VolumeZone::kReasonConflict);
  if (!HasTopologyLabel(labels)) return Status::Success();
  for (const VolumeTopology& topology : topologies) {
    if (!IsMet(topology, labels)) return kConflict;
  }
  return Status::Success();
}

void WriteUnmet(const VolumeTopology& topology, const LabelMap& labels, JsonWriter* json) {
  json->StringMember("key", topology.key.view()).Key("values").BeginArray();
  for (const Symbol& value : topology.values) json->String(value.view());
  json->EndArray().Key("value");
  const Symbol* value = NodeValueOf(labels, topology.key);
  value == nullptr ? json->Null() : json->String(value->view());
}

QueueingHint IsSchedulableAfterStorageClassAdded(const Pod&, const EventObjects& objects) {
  auto classes = objects.As<StorageClass>();
  if (!classes || classes->new_object == nullptr) return QueueingHint::kQueue;
  const std::optional<Symbol>& mode = classes->new_object->volume_binding_mode;
  return QueueIf(mode && *mode == kWaitForFirstConsumer);
}

QueueingHint IsSchedulableAfterPersistentVolumeClaimChange(const Pod& pod,
                                                           const EventObjects& objects) {
  auto claims = objects.As<PersistentVolumeClaim>();
  if (!claims || claims->new_object == nullptr) return QueueingHint::kQueue;
  const ObjectMeta& claim = claims->new_object->metadata;
  if (claim.namespace_ != pod.metadata.namespace_) return QueueingHint::kQueueSkip;
  return QueueIf(
      std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(), [&claim](const Volume& volume) {
        return volume.persistent_volume_claim &&
               volume.persistent_volume_claim->claim_name == claim.name;
      }));
}

QueueingHint IsSchedulableAfterPersistentVolumeChange(const Pod&, const EventObjects& objects) {
  auto volumes = objects.As<PersistentVolume>();
  if (!volumes || !volumes->IsUpdate()) return QueueingHint::kQueue;
  return QueueIf(TopologiesOf(*volumes->old_object) != TopologiesOf(*volumes->new_object));
}

constexpr ActionType kAddOrUpdate = action::kAdd | action::kUpdate;

}  // namespace

Status VolumeZone::PreFilter(CycleState& state, const Pod& pod, NodeList, PreFilterResult*) const {
  PreFilterState data;
  Status status = CollectTopologies(pod, handle_.listers(), &data.topologies);
  if (!status.IsSuccess()) return status;
  if (data.topologies.empty()) return Status::Skip();
  state.Write(std::move(data));
  return Status::Success();
}

Status VolumeZone::Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const {
  if (pod.spec.volumes.empty()) return Status::Success();
  const LabelMap& labels = node.node()->metadata.labels;
  if (const auto* data = state.Read<PreFilterState>()) return Match(data->topologies, labels);
  VolumeTopologies topologies;
  Status status = CollectTopologies(pod, handle_.listers(), &topologies);
  return status.IsSuccess() ? Match(topologies, labels) : status;
}

std::vector<ClusterEventWithHint> VolumeZone::EventsToRegister() const {
  return {
      {{EventResource::kStorageClass, action::kAdd}, IsSchedulableAfterStorageClassAdded},
      {{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel}},
      {{EventResource::kPersistentVolumeClaim, kAddOrUpdate},
       IsSchedulableAfterPersistentVolumeClaimChange},
      {{EventResource::kPersistentVolume, kAddOrUpdate}, IsSchedulableAfterPersistentVolumeChange},
  };
}

// Writes the volume of each claim that the node cannot reach, with what the volume requires.
void VolumeZone::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  const LabelMap& labels = refusal.node.node()->metadata.labels;
  const Listers& listers = handle_.listers();
  json->Key("volumes").BeginArray();
  for (const Volume& volume : refusal.pod.spec.volumes) {
    if (!volume.persistent_volume_claim) continue;
    const Symbol& name = volume.persistent_volume_claim->claim_name;
    PersistentVolumeClaimRef claim =
        listers.GetPersistentVolumeClaim(refusal.pod.metadata.namespace_, name);
    PersistentVolumeRef bound =
        claim == nullptr ? nullptr : listers.GetPersistentVolume(claim->spec.volume_name);
    if (bound == nullptr) continue;
    for (const VolumeTopology& topology : TopologiesOf(*bound)) {
      if (IsMet(topology, labels)) continue;
      json->BeginObject().StringMember("claim", name.view());
      json->StringMember("volume", bound->metadata.name.view());
      WriteUnmet(topology, labels, json);
      json->EndObject();
    }
  }
  json->EndArray();
}

void VolumeZone::SignPod(const Pod& pod, PodSignature* signature) const {
  SignVolumes(pod, signature);
}

}  // namespace stowage
