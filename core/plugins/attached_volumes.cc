#include "core/plugins/attached_volumes.h"

#include <algorithm>
#include <utility>

#include "core/plugins/csi_translation.h"

namespace stowage {
namespace {

bool Concerns(const StorageChange& change, const VolumeSources& sources) {
  switch (change.kind) {
    case ObjectKind::kPersistentVolumeClaim:
      return std::ranges::find(sources.claims, change.key) != sources.claims.end();
    case ObjectKind::kPersistentVolume:
      return std::ranges::find(sources.volumes, change.key.name) != sources.volumes.end();
    case ObjectKind::kStorageClass:
      return true;
    default:
      return false;
  }
}

bool IsCurrent(const Listers& listers, uint64_t version, const VolumeSources& sources) {
  if (version == listers.storage_version()) return true;
  std::optional<std::span<const StorageChange>> changes = listers.StorageChangesSince(version);
  if (!changes) return false;
  return std::ranges::none_of(
      *changes, [&sources](const StorageChange& change) { return Concerns(change, sources); });
}

}  // namespace

std::optional<size_t> AttachedVolumes::AtMost(const NodeInfo& node) {
  if (node.pods_with_attachable_volumes().empty()) return 0;
  const Named& named = *slots_[SlotOf(node)].named;
  return named.may_fail ? std::nullopt : std::optional(named.count);
}

Status AttachedVolumes::Read(const Listers& listers, const NodeInfo& node, const CsiNode& csi_node,
                             const AttachableVolumes** volumes) {
  static const auto* none = new AttachableVolumes;
  *volumes = none;
  if (node.pods_with_attachable_volumes().empty()) return Status::Success();
  size_t place = SlotOf(node);
  const Slot& slot = slots_[place];
  bool is_known = slot.known != nullptr && !slot.named->may_fail;
  if (!is_known || !IsCurrent(listers, slot.storage_version, slot.known->sources)) {
    auto known = std::make_shared<Known>();
    for (const PodInfoRef& existing : node.pods_with_attachable_volumes()) {
      Status status = CollectAttachable(listers, *existing->pod, &csi_node, false, &known->volumes,
                                        &known->sources);
      if (!status.IsSuccess()) return status;
    }
    slots_.Mutable(place).known = std::move(known);
  }
  if (slots_[place].storage_version != listers.storage_version()) {
    slots_.Mutable(place).storage_version = listers.storage_version();
  }
  *volumes = &slots_[place].known->volumes;
  return Status::Success();
}

// The index of a slot whose `named` is current.
size_t AttachedVolumes::SlotOf(const NodeInfo& node) {
  size_t place = node.row();
  if (place >= slots_.size()) {
    SharedArray<Slot> larger(std::max(place + 1, 2 * slots_.size()));
    for (size_t row = 0; row < slots_.size(); ++row) larger.Mutable(row) = slots_[row];
    slots_ = std::move(larger);
  }
  const std::shared_ptr<const Named>& named = slots_[place].named;
  if (named == nullptr || named->pods != node.pods_with_attachable_volumes()) {
    slots_.Mutable(place) = {NameVolumes(node), nullptr, 0};
  }
  return place;
}

std::shared_ptr<const AttachedVolumes::Named> AttachedVolumes::NameVolumes(const NodeInfo& node) {
  auto named = std::make_shared<Named>();
  named->pods = node.pods_with_attachable_volumes();
  for (const PodInfoRef& pod : named->pods) {
    for (const Volume& volume : pod->pod->spec.volumes) {
      const auto& claim = volume.persistent_volume_claim;
      named->count += IsClaim(volume) || volume.source ? 1 : 0;
      bool is_plain = claim ? !claim->claim_name.empty() && !volume.is_ephemeral()
                            : !volume.is_ephemeral() && !IsInlineMigratable(volume);
      named->may_fail = named->may_fail || !is_plain;
    }
  }
  return named;
}

}  // namespace stowage
