#include "core/plugins/volume_restrictions.h"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/api/encode/json_writer.h"
#include "core/api/volume_helpers.h"
#include "core/framework/signers.h"

namespace stowage {
namespace {

bool NeedsCheck(const Volume& volume) {
  const VolumeSource* source = volume.source.get();
  return source != nullptr && (source->gce_persistent_disk || source->aws_elastic_block_store ||
                               source->rbd || source->iscsi);
}

// A pod's in-tree disks, indexed so that another pod's disks can be looked up: both pods may have
// any number of them.
class Disks {
 public:
  explicit Disks(const Pod& pod) {
    for (const Volume& volume : pod.spec.volumes) {
      if (volume.source == nullptr) continue;
      ForEachPart(*volume.source, [this](Part part, bool is_read_only) {
        bool& has_writer = has_writer_[std::move(part)];
        has_writer = has_writer || !is_read_only;
      });
    }
  }

  // Whether the pods share a disk that is not read-only in both.
  bool ConflictWith(const Pod& other) const {
    return std::any_of(other.spec.volumes.begin(), other.spec.volumes.end(),
                       [this](const Volume& volume) { return ConflictsWith(volume); });
  }

 private:
  enum class Kind : uint8_t { kGce, kAws, kIscsi, kRbd };
  // Two disks are the same if they share a part.
  struct Part {
    Kind kind;
    Symbol name;
    Symbol pool = {};
    Symbol monitor = {};
    friend bool operator==(const Part&, const Part&) = default;
  };
  struct PartHash {
    size_t operator()(const Part& part) const {
      SymbolHash hash;
      return ((hash(part.name) * 31 + hash(part.pool)) * 31 + hash(part.monitor)) * 4 +
             static_cast<size_t>(part.kind);
    }
  };

  template <typename Found>
  static void ForEachPart(const VolumeSource& source, Found found) {
    if (const auto& disk = source.gce_persistent_disk) {
      found(Part{Kind::kGce, disk->pd_name}, disk->read_only);
    }
    // Not even two read-only users may share it.
    if (const auto& disk = source.aws_elastic_block_store) {
      found(Part{Kind::kAws, disk->volume_id}, false);
    }
    if (const auto& disk = source.iscsi) found(Part{Kind::kIscsi, disk->iqn}, disk->read_only);
    if (const auto& disk = source.rbd) {
      for (const Symbol& monitor : disk->monitors) {
        found(Part{Kind::kRbd, disk->image, disk->pool, monitor}, disk->read_only);
      }
    }
  }

  bool ConflictsWith(const Volume& volume) const {
    if (volume.source == nullptr) return false;
    bool conflicts = false;
    ForEachPart(*volume.source, [&](const Part& part, bool is_read_only) {
      auto own = has_writer_.find(part);
      conflicts = conflicts || (own != has_writer_.end() && (own->second || !is_read_only));
    });
    return conflicts;
  }

  std::unordered_map<Part, bool, PartHash> has_writer_;
};

struct PreFilterState final : public StateData {
  explicit PreFilterState(const Pod& pod) : disks(std::make_shared<const Disks>(pod)) {}

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<PreFilterState>(*this);
  }

  std::shared_ptr<const Disks> disks;           // of the pod
  std::set<Symbol> read_write_once_pod_claims;  // of the pod, by name
  int64_t conflicting_references = 0;
};

bool UsesNamedClaim(const Pod& pod, const Symbol& name) {
  return std::any_of(
      pod.spec.volumes.begin(), pod.spec.volumes.end(), [&name](const Volume& volume) {
        return volume.persistent_volume_claim && volume.persistent_volume_claim->claim_name == name;
      });
}

template <typename Found>
void ForEachNamedClaim(const Pod& pod, Found found) {
  for (const Volume& volume : pod.spec.volumes) {
    if (volume.persistent_volume_claim) found(volume.persistent_volume_claim->claim_name);
  }
}

bool ShareClaim(const Pod& a, const Pod& b) {
  std::set<Symbol> names;
  ForEachNamedClaim(a, [&names](const Symbol& name) { names.insert(name); });
  bool is_shared = false;
  ForEachNamedClaim(b, [&](const Symbol& name) { is_shared = is_shared || names.contains(name); });
  return is_shared;
}

// The number of these claims that some pod on a node uses.
int64_t NumUsedByPods(const Snapshot& snapshot, const Symbol& namespace_, std::set<Symbol> names) {
  size_t num_names = names.size();
  for (const NodeInfo* node : snapshot.nodes()) {
    if (names.empty()) break;
    for (const PodInfoRef& existing : node->pods_with_attachable_volumes()) {
      if (existing->pod->metadata.namespace_ != namespace_) continue;
      ForEachNamedClaim(*existing->pod, [&names](const Symbol& name) { names.erase(name); });
    }
  }
  return static_cast<int64_t>(num_names - names.size());
}

// Compares claims by name only, so pods of other namespaces count as well.
void Count(const Pod& changed, int64_t by, CycleState* state) {
  auto* data = state->MutableData<PreFilterState>();
  if (data == nullptr) return;
  for (const Volume& volume : changed.spec.volumes) {
    if (!volume.persistent_volume_claim) continue;
    const Symbol& name = volume.persistent_volume_claim->claim_name;
    if (data->read_write_once_pod_claims.contains(name)) data->conflicting_references += by;
  }
}

// Whether another pod uses one of the pod's claims that is in `names`.
bool HoldsOneOf(const std::set<Symbol>& names, const Pod& pod, const Pod& other) {
  if (other.metadata.namespace_ != pod.metadata.namespace_) return false;
  bool holds = false;
  ForEachNamedClaim(other, [&](const Symbol& name) { holds = holds || names.contains(name); });
  return holds;
}

QueueingHint IsSchedulableAfterPodDeleted(const Pod& pod, const EventObjects& objects) {
  auto pods = objects.As<Pod>();
  if (!pods || pods->old_object == nullptr) return QueueingHint::kQueue;
  const Pod& deleted = *pods->old_object;
  if (deleted.metadata.namespace_ != pod.metadata.namespace_) return QueueingHint::kQueueSkip;
  return QueueIf(Disks(pod).ConflictWith(deleted) || ShareClaim(pod, deleted));
}

QueueingHint IsSchedulableAfterPersistentVolumeClaimAdded(const Pod& pod,
                                                          const EventObjects& objects) {
  auto claims = objects.As<PersistentVolumeClaim>();
  if (!claims || claims->new_object == nullptr) return QueueingHint::kQueue;
  const ObjectMeta& claim = claims->new_object->metadata;
  return QueueIf(claim.namespace_ == pod.metadata.namespace_ && UsesNamedClaim(pod, claim.name));
}

}  // namespace

bool VolumeRestrictions::NeedsRestrictionsCheck(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                     [](const Volume& volume) { return NeedsCheck(volume); });
}

Status VolumeRestrictions::PreFilter(CycleState& state, const Pod& pod, NodeList,
                                     PreFilterResult*) const {
  auto data = std::make_unique<PreFilterState>(pod);
  const Symbol& namespace_ = pod.metadata.namespace_;
  for (const Volume& volume : pod.spec.volumes) {
    if (!volume.persistent_volume_claim) continue;
    const Symbol& name = volume.persistent_volume_claim->claim_name;
    PersistentVolumeClaimRef claim = handle_.listers().GetPersistentVolumeClaim(namespace_, name);
    if (claim == nullptr) {
      return Status::UnschedulableAndUnresolvable(NotFoundMessage("persistentvolumeclaim", name));
    }
    const std::vector<Symbol>& modes = claim->spec.access_modes;
    if (std::find(modes.begin(), modes.end(), kReadWriteOncePod) != modes.end()) {
      data->read_write_once_pod_claims.insert(name);
    }
  }
  data->conflicting_references =
      NumUsedByPods(handle_.snapshot(), namespace_, data->read_write_once_pod_claims);
  if (!NeedsRestrictionsCheck(pod) && data->conflicting_references == 0) return Status::Skip();
  state.WriteData(std::move(data));
  return Status::Success();
}

Status VolumeRestrictions::AddPod(CycleState& state, const Pod&, const PodInfo& pod_to_add,
                                  const NodeInfo&) const {
  Count(*pod_to_add.pod, 1, &state);
  return Status::Success();
}

Status VolumeRestrictions::RemovePod(CycleState& state, const Pod&, const PodInfo& pod_to_remove,
                                     const NodeInfo&) const {
  Count(*pod_to_remove.pod, -1, &state);
  return Status::Success();
}

Status VolumeRestrictions::Filter(const CycleState& state, const Pod& pod,
                                  const NodeInfo& node) const {
  static const Status kDiskConflict = Status::Unschedulable(kReasonDiskConflict);
  const auto* data = state.ReadData<PreFilterState>();
  auto disks = data != nullptr ? data->disks : std::make_shared<const Disks>(pod);
  for (const PodInfoRef& existing : node.pods_with_attachable_volumes()) {
    if (disks->ConflictWith(*existing->pod)) return kDiskConflict;
  }
  if (data == nullptr) {
    return Status::Error("cannot read \"PreFilterVolumeRestrictions\" from cycleState");
  }
  return data->conflicting_references > 0 ? claim_conflict_ : Status::Success();
}

std::vector<ClusterEventWithHint> VolumeRestrictions::EventsToRegister() const {
  return {
      {{EventResource::kPod, action::kDelete}, IsSchedulableAfterPodDeleted},
      {{EventResource::kNode, action::kAdd}},
      {{EventResource::kPersistentVolumeClaim, action::kAdd},
       IsSchedulableAfterPersistentVolumeClaimAdded},
  };
}

// Writes the pods that use a disk on the node, or a ReadWriteOncePod claim on any node.
void VolumeRestrictions::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  const auto* data = refusal.state.ReadData<PreFilterState>();
  if (data == nullptr) return;
  std::vector<const Pod*> holders;
  for (const PodInfoRef& existing : refusal.node.pods_with_attachable_volumes()) {
    if (data->disks->ConflictWith(*existing->pod)) holders.push_back(existing->pod.get());
  }
  if (holders.empty()) {
    for (const NodeInfo* node : handle_.snapshot().nodes()) {
      if (!handle_.steps().Spend(node->pods_with_attachable_volumes().size())) break;
      for (const PodInfoRef& existing : node->pods_with_attachable_volumes()) {
        if (HoldsOneOf(data->read_write_once_pod_claims, refusal.pod, *existing->pod)) {
          holders.push_back(existing->pod.get());
        }
      }
    }
  }
  if (holders.size() > kMaxPods) holders.resize(kMaxPods);
  json->Key("pods").BeginArray();
  for (const Pod* pod : holders) {
    json->NamespacedName(pod->metadata.namespace_.view(), pod->metadata.name.view());
  }
  json->EndArray();
}

void VolumeRestrictions::SignPod(const Pod& pod, PodSignature* signature) const {
  SignVolumes(pod, signature);
}

}  // namespace stowage
