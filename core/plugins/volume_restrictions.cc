#include "core/plugins/volume_restrictions.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "core/api/volume_helpers.h"
#include "core/framework/signers.h"
#include "core/plugins/shared_claims.h"

namespace stowage {
namespace {

constexpr std::string_view kReadWriteOncePod = "ReadWriteOncePod";

struct PreFilterState final : public StateData {
  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<PreFilterState>(*this);
  }

  std::set<Symbol> read_write_once_pod_claims;  // of the pod, by name
  int64_t conflicting_references = 0;
};

bool NeedsCheck(const Volume& volume) {
  const VolumeSource* source = volume.source.get();
  return source != nullptr && (source->gce_persistent_disk || source->aws_elastic_block_store ||
                               source->rbd || source->iscsi);
}

bool NeedsCheck(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                     [](const Volume& volume) { return NeedsCheck(volume); });
}

bool Overlap(const std::vector<Symbol>& a, const std::vector<Symbol>& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

// Disks that may be read by many and written by one.
template <typename Disk>
bool AreReadOnly(const Disk& a, const Disk& b) {
  return a.read_only && b.read_only;
}

bool IsVolumeConflict(const VolumeSource& a, const VolumeSource& b) {
  if (a.gce_persistent_disk && b.gce_persistent_disk &&
      a.gce_persistent_disk->pd_name == b.gce_persistent_disk->pd_name &&
      !AreReadOnly(*a.gce_persistent_disk, *b.gce_persistent_disk)) {
    return true;
  }
  if (a.aws_elastic_block_store && b.aws_elastic_block_store &&
      a.aws_elastic_block_store->volume_id == b.aws_elastic_block_store->volume_id) {
    return true;
  }
  if (a.iscsi && b.iscsi && a.iscsi->iqn == b.iscsi->iqn && !AreReadOnly(*a.iscsi, *b.iscsi)) {
    return true;
  }
  return a.rbd && b.rbd && Overlap(a.rbd->monitors, b.rbd->monitors) &&
         a.rbd->pool == b.rbd->pool && a.rbd->image == b.rbd->image && !AreReadOnly(*a.rbd, *b.rbd);
}

bool HasVolumeConflict(const Pod& pod, const Pod& other) {
  for (const Volume& volume : pod.spec.volumes) {
    if (!NeedsCheck(volume)) continue;
    for (const Volume& existing : other.spec.volumes) {
      if (existing.source != nullptr && IsVolumeConflict(*volume.source, *existing.source)) {
        return true;
      }
    }
  }
  return false;
}

bool UsesNamedClaim(const Pod& pod, const Symbol& name) {
  return std::any_of(
      pod.spec.volumes.begin(), pod.spec.volumes.end(), [&name](const Volume& volume) {
        return volume.persistent_volume_claim && volume.persistent_volume_claim->claim_name == name;
      });
}

bool ShareClaim(const Pod& a, const Pod& b) {
  return std::any_of(a.spec.volumes.begin(), a.spec.volumes.end(), [&b](const Volume& volume) {
    return volume.persistent_volume_claim &&
           UsesNamedClaim(b, volume.persistent_volume_claim->claim_name);
  });
}

// Whether some pod on a node uses the claim.
bool IsUsedByPods(const Snapshot& snapshot, const Symbol& namespace_, const Symbol& name) {
  for (const NodeInfo* node : snapshot.nodes()) {
    for (const PodInfoRef& existing : node->pods_with_attachable_volumes()) {
      const Pod& pod = *existing->pod;
      if (pod.metadata.namespace_ == namespace_ && UsesNamedClaim(pod, name)) return true;
    }
  }
  return false;
}

// Claims are compared by name alone: a pod of another namespace counts as well.
void Count(const Pod& changed, int64_t by, CycleState* state) {
  auto* data = state->MutableData<PreFilterState>();
  if (data == nullptr) return;
  for (const Volume& volume : changed.spec.volumes) {
    if (!volume.persistent_volume_claim) continue;
    const Symbol& name = volume.persistent_volume_claim->claim_name;
    if (data->read_write_once_pod_claims.contains(name)) data->conflicting_references += by;
  }
}

QueueingHint IsSchedulableAfterPodDeleted(const Pod& pod, const EventObjects& objects) {
  auto pods = objects.As<Pod>();
  if (!pods || pods->old_object == nullptr) return QueueingHint::kQueue;
  const Pod& deleted = *pods->old_object;
  if (deleted.metadata.namespace_ != pod.metadata.namespace_) return QueueingHint::kQueueSkip;
  return QueueIf(HasVolumeConflict(pod, deleted) || ShareClaim(pod, deleted));
}

QueueingHint IsSchedulableAfterPersistentVolumeClaimAdded(const Pod& pod,
                                                          const EventObjects& objects) {
  auto claims = objects.As<PersistentVolumeClaim>();
  if (!claims || claims->new_object == nullptr) return QueueingHint::kQueue;
  const ObjectMeta& claim = claims->new_object->metadata;
  return QueueIf(claim.namespace_ == pod.metadata.namespace_ && UsesNamedClaim(pod, claim.name));
}

}  // namespace

Status VolumeRestrictions::PreFilter(CycleState& state, const Pod& pod, NodeList,
                                     PreFilterResult*) const {
  auto data = std::make_unique<PreFilterState>();
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
  for (const Symbol& name : data->read_write_once_pod_claims) {
    if (IsUsedByPods(handle_.snapshot(), namespace_, name)) ++data->conflicting_references;
  }
  if (!NeedsCheck(pod) && data->conflicting_references == 0) return Status::Skip();
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
  static const Status kClaimConflict = Status::Unschedulable(kReasonReadWriteOncePodConflict);
  for (const PodInfoRef& existing : node.pods_with_attachable_volumes()) {
    if (HasVolumeConflict(pod, *existing->pod)) return kDiskConflict;
  }
  const auto* data = state.ReadData<PreFilterState>();
  if (data == nullptr) {
    return Status::Error("cannot read \"PreFilterVolumeRestrictions\" from cycleState");
  }
  return data->conflicting_references > 0 ? kClaimConflict : Status::Success();
}

std::vector<ClusterEventWithHint> VolumeRestrictions::EventsToRegister() const {
  return {
      {{EventResource::kPod, action::kDelete}, IsSchedulableAfterPodDeleted},
      {{EventResource::kNode, action::kAdd}},
      {{EventResource::kPersistentVolumeClaim, action::kAdd},
       IsSchedulableAfterPersistentVolumeClaimAdded},
  };
}

// Claims for one pod are no shared ones.
bool VolumeRestrictions::AppendFragment(const Pod& pod, PodSignature* signature) const {
  return !NeedsCheck(pod) && AppendSharedClaims(pod, handle_.listers(), signature);
}

void VolumeRestrictions::SignPod(const Pod& pod, PodSignature* signature) const {
  SignVolumes(pod, signature);
}

}  // namespace stowage
