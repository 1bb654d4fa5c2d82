#include "core/plugins/node_volume_limits.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/api/volume_helpers.h"
#include "core/base/format.h"
#include "core/framework/signers.h"
#include "core/plugins/csi_translation.h"

namespace stowage {
namespace {

bool Matters(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(), [](const Volume& volume) {
    return IsClaim(volume) || IsInlineMigratable(volume);
  });
}

// The number of volumes that a driver may attach to the node; nullopt if there is no limit.
std::optional<int64_t> LimitOf(const CsiNode& csi_node, const Symbol& driver) {
  for (const CsiNodeDriver& entry : csi_node.spec.drivers) {
    if (entry.name != driver) continue;
    if (!entry.allocatable || !entry.allocatable->count) return std::nullopt;
    return *entry.allocatable->count;
  }
  return std::nullopt;
}

// The smallest of all limits of the node.
int64_t LeastLimitOf(const CsiNode& csi_node) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const CsiNodeDriver& driver : csi_node.spec.drivers) {
    if (driver.allocatable)
      least = std::min(least, int64_t{driver.allocatable->count.value_or(least)});
  }
  return least;
}

QueueingHint IsSchedulableAfterCsiNodeUpdated(const Pod&, const EventObjects& objects) {
  auto nodes = objects.As<CsiNode>();
  if (!nodes || !nodes->IsUpdate()) return QueueingHint::kQueue;
  auto count_of = [](const CsiNode& node, const Symbol& driver) {
    return LimitOf(node, driver).value_or(0);
  };
  for (const CsiNodeDriver& driver : nodes->new_object->spec.drivers) {
    int64_t count = count_of(*nodes->new_object, driver.name);
    if (count > count_of(*nodes->old_object, driver.name)) return QueueingHint::kQueue;
  }
  return QueueingHint::kQueueSkip;
}

QueueingHint IsSchedulableAfterPodDeleted(const Pod&, const EventObjects& objects) {
  auto pods = objects.As<Pod>();
  if (!pods || pods->old_object == nullptr) return QueueingHint::kQueue;
  const Pod& deleted = *pods->old_object;
  bool had_node = !deleted.spec.node_name.empty() || !deleted.status.nominated_node_name.empty();
  return QueueIf(had_node && Matters(deleted));
}

QueueingHint IsSchedulableAfterPersistentVolumeClaimAdded(const Pod& pod,
                                                          const EventObjects& objects) {
  auto claims = objects.As<PersistentVolumeClaim>();
  if (!claims || claims->new_object == nullptr) return QueueingHint::kQueue;
  return QueueIf(UsesClaim(pod, claims->new_object->metadata));
}

QueueingHint IsSchedulableAfterVolumeAttachmentDeleted(const Pod& pod,
                                                       const EventObjects& objects) {
  auto attachments = objects.As<VolumeAttachment>();
  if (!attachments || attachments->old_object == nullptr) return QueueingHint::kQueue;
  for (const Volume& volume : pod.spec.volumes) {
    if (volume.persistent_volume_claim) return QueueingHint::kQueue;
    if (!IsInlineMigratable(volume)) continue;
    const InTreePlugin& plugin = *InTreePluginOf(*volume.source);
    bool is_untranslatable = plugin.is_migration_on && !TranslateInlineVolume(*volume.source).ok();
    bool is_attacher = plugin.driver == attachments->old_object->spec.attacher.view();
    if (is_untranslatable || is_attacher) return QueueingHint::kQueue;
  }
  return QueueingHint::kQueueSkip;
}

}  // namespace

// The variants with and without a CSINode, of the last pod, as of a version of the storage.
struct NodeVolumeLimits::AskedState final : public StateData {
  std::unique_ptr<StateData> Clone() const override { return std::make_unique<AskedState>(); }

  struct {
    std::optional<Asked> asked;
    uint64_t storage_version;
    ObjectKey pod;
    Symbol uid;
  } variants[2];
};

Status NodeVolumeLimits::PreFilter(CycleState&, const Pod& pod, NodeList, PreFilterResult*) const {
  if (!Matters(pod)) return Status::Skip();
  FollowStorage();
  return Status::Success();
}

Status NodeVolumeLimits::Filter(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const {
  if (pod.spec.volumes.empty()) return Status::Success();
  CsiNodeRef csi_node = handle_.listers().GetCsiNode(node.name());
  const auto& [status, wanted] = AskedBy(state, pod, csi_node.get());
  if (!status.IsSuccess() || wanted.list().empty()) return status;
  if (features_.volume_limit_scaling) {
    Status installed = CheckDriversInstalled(wanted, csi_node.get());
    if (!installed.IsSuccess()) return installed;
  }
  if (csi_node == nullptr || !HasLimits(*csi_node)) return Status::Success();
  return CheckLimits(wanted, *csi_node, node);
}

const NodeVolumeLimits::Asked& NodeVolumeLimits::AskedBy(const CycleState& state, const Pod& pod,
                                                         const CsiNode* csi_node) const {
  auto& known = state.Lazily<AskedState>([] { return std::make_unique<AskedState>(); });
  auto& variant = known.variants[csi_node == nullptr ? 0 : 1];
  const Listers& listers = handle_.listers();
  ObjectKey key = ObjectKey::Of(pod.metadata);
  if (!variant.asked || variant.storage_version != listers.storage_version() ||
      variant.pod != key || variant.uid != pod.metadata.uid) {
    Asked asked;
    asked.status = CollectAttachable(listers, pod, csi_node, true, &asked.volumes);
    variant.asked = std::move(asked);
    variant.storage_version = listers.storage_version();
    variant.pod = std::move(key);
    variant.uid = pod.metadata.uid;
  }
  return *variant.asked;
}

Status NodeVolumeLimits::CheckDriversInstalled(const AttachableVolumes& volumes,
                                               const CsiNode* csi_node) const {
  for (const AttachableVolume& volume : volumes.list()) {
    CsiDriverRef driver = handle_.listers().GetCsiDriver(volume.driver);
    if (driver == nullptr) continue;
    if (features_.behaviour.missing_csi_driver_needs_opt_in &&
        !driver->spec.prevent_pod_scheduling_if_missing.value_or(false)) {
      continue;
    }
    auto is_it = [&volume](const CsiNodeDriver& entry) { return entry.name == volume.driver; };
    bool is_installed = csi_node != nullptr && std::any_of(csi_node->spec.drivers.begin(),
                                                           csi_node->spec.drivers.end(), is_it);
    if (is_installed) continue;
    return Status::Unschedulable(
        Format("{} CSI driver is not installed on the node", volume.driver.view()));
  }
  return Status::Success();
}

Status NodeVolumeLimits::CheckLimits(const AttachableVolumes& wanted, const CsiNode& csi_node,
                                     const NodeInfo& node) const {
  static const Status kExceeded = Status::Unschedulable(kReasonMaxVolumeCountExceeded);
  // Most nodes have room even if each volume that their pods name counts.
  if (std::optional<size_t> at_most = attached_.AtMost(handle_.listers(), node)) {
    size_t num_attachments = handle_.listers().VolumeAttachmentsOf(node.name()).size();
    size_t num_volumes = *at_most + num_attachments + wanted.list().size();
    if (static_cast<int64_t>(num_volumes) <= LeastLimitOf(csi_node)) return Status::Success();
  }
  std::vector<DriverUse> uses;
  Status status = CountUses(wanted, csi_node, node, &uses);
  if (!status.IsSuccess()) return status;
  return std::ranges::any_of(uses, &DriverUse::is_exceeded) ? kExceeded : Status::Success();
}

Status NodeVolumeLimits::CountUses(const AttachableVolumes& wanted, const CsiNode& csi_node,
                                   const NodeInfo& node, std::vector<DriverUse>* uses) const {
  const Listers& listers = handle_.listers();
  const AttachableVolumes* by_pods = nullptr;
  Status status = attached_.Read(listers, node, csi_node, &by_pods);
  if (!status.IsSuccess()) return status;
  const AttachableVolumes* attached = by_pods;
  // Attachments without a pod on the node count too, but do not replace a requested volume.
  AttachableVolumes with_attachments;
  for (const VolumeAttachmentRef& attachment : listers.VolumeAttachmentsOf(node.name())) {
    const VolumeAttachmentSpec& spec = attachment->spec;
    if (spec.attacher.empty() || !spec.source.persistent_volume_name) continue;
    PersistentVolumeRef volume = listers.GetPersistentVolume(*spec.source.persistent_volume_name);
    if (volume == nullptr || !volume->spec.source.csi) continue;
    if (attached == by_pods) {
      with_attachments = *by_pods;
      attached = &with_attachments;
    }
    with_attachments.Add({spec.attacher, volume->spec.source.csi->volume_handle});
  }
  auto count_of = [](const AttachableVolumes& volumes, const Symbol& driver, const auto& counts) {
    return std::ranges::count_if(volumes.list(), [&](const AttachableVolume& volume) {
      return volume.driver == driver && counts(volume);
    });
  };
  for (auto driver = csi_node.spec.drivers.begin(); driver != csi_node.spec.drivers.end();
       ++driver) {
    int64_t asked = count_of(wanted, driver->name,
                             [by_pods](const auto& volume) { return !by_pods->Has(volume); });
    if (asked == 0 || !driver->allocatable || !driver->allocatable->count) continue;
    // For duplicate drivers the first entry counts.
    auto first = std::ranges::find(csi_node.spec.drivers, driver->name, &CsiNodeDriver::name);
    if (first != driver) continue;
    int64_t num_attached = count_of(*attached, driver->name, [](const auto&) { return true; });
    uses->push_back({driver->name, *driver->allocatable->count, num_attached, asked});
  }
  return Status::Success();
}

std::vector<ClusterEventWithHint> NodeVolumeLimits::EventsToRegister() const {
  return {
      {{EventResource::kCsiNode, action::kAdd}},
      {{EventResource::kCsiNode, action::kUpdate}, IsSchedulableAfterCsiNodeUpdated},
      {{EventResource::kPod, action::kDelete}, IsSchedulableAfterPodDeleted},
      {{EventResource::kPersistentVolumeClaim, action::kAdd},
       IsSchedulableAfterPersistentVolumeClaimAdded},
      {{EventResource::kVolumeAttachment, action::kDelete},
       IsSchedulableAfterVolumeAttachmentDeleted},
  };
}

void NodeVolumeLimits::SignPod(const Pod& pod, PodSignature* signature) const {
  SignVolumes(pod, signature);
}

}  // namespace stowage
