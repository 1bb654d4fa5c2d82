#include "core/plugins/node_volume_limits.h"

#include <algorithm>
#include <unordered_map>

#include "core/api/volume_helpers.h"
#include "core/base/format.h"
#include "core/framework/signers.h"
#include "core/plugins/csi_translation.h"

namespace stowage {
namespace {

bool IsClaim(const Volume& volume) {
  return volume.persistent_volume_claim.has_value() || volume.is_ephemeral();
}

bool Matters(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(), [](const Volume& volume) {
    return IsClaim(volume) || IsInlineMigratable(volume);
  });
}

bool IsMigrationOn(const InTreePlugin& plugin, const CsiNode* csi_node) {
  return csi_node != nullptr && plugin.is_migration_on;
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

bool HasLimits(const CsiNode& csi_node) {
  return std::any_of(
      csi_node.spec.drivers.begin(), csi_node.spec.drivers.end(),
      [](const CsiNodeDriver& driver) { return driver.allocatable && driver.allocatable->count; });
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

size_t NodeVolumeLimits::AttachableVolumeHash::operator()(const AttachableVolume& volume) const {
  SymbolHash hash;
  return (hash(volume.driver) * 31 + hash(volume.handle)) * 31 + hash(volume.claim_namespace);
}

void NodeVolumeLimits::AttachableVolumes::Add(AttachableVolume volume) {
  if (known_.insert(volume).second) list_.push_back(std::move(volume));
}

Status NodeVolumeLimits::PreFilter(CycleState&, const Pod& pod, NodeList, PreFilterResult*) const {
  return Matters(pod) ? Status::Success() : Status::Skip();
}

Status NodeVolumeLimits::Filter(const CycleState&, const Pod& pod, const NodeInfo& node) const {
  if (pod.spec.volumes.empty()) return Status::Success();
  CsiNodeRef csi_node = handle_.listers().GetCsiNode(node.name());
  AttachableVolumes wanted;
  Status status = CollectAttachable(pod, csi_node.get(), true, &wanted);
  if (!status.IsSuccess() || wanted.list().empty()) return status;
  if (features_.volume_limit_scaling) {
    status = CheckDriversInstalled(wanted, csi_node.get());
    if (!status.IsSuccess()) return status;
  }
  if (csi_node == nullptr || !HasLimits(*csi_node)) return Status::Success();
  return CheckLimits(wanted, *csi_node, node);
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
  std::vector<DriverUse> uses;
  Status status = CountUses(wanted, csi_node, node, &uses);
  if (!status.IsSuccess()) return status;
  for (const DriverUse& use : uses) {
    if (use.is_exceeded()) return kExceeded;
  }
  return Status::Success();
}

// Counts for the drivers that the node limits and that would attach another volume.
Status NodeVolumeLimits::CountUses(const AttachableVolumes& wanted, const CsiNode& csi_node,
                                   const NodeInfo& node, std::vector<DriverUse>* uses) const {
  AttachableVolumes attached;
  for (const PodInfoRef& existing : node.pods_with_attachable_volumes()) {
    Status status = CollectAttachable(*existing->pod, &csi_node, false, &attached);
    if (!status.IsSuccess()) return status;
  }
  std::unordered_map<Symbol, int64_t, SymbolHash> counts;  // by driver
  for (const AttachableVolume& volume : wanted.list()) {
    if (!attached.Has(volume)) ++counts[volume.driver];
  }
  // Attachments without a pod on the node count too, but do not replace a requested volume.
  for (const VolumeAttachmentRef& attachment : handle_.listers().VolumeAttachmentsOf(node.name())) {
    const VolumeAttachmentSpec& spec = attachment->spec;
    if (spec.attacher.empty() || !spec.source.persistent_volume_name) continue;
    PersistentVolumeRef volume =
        handle_.listers().GetPersistentVolume(*spec.source.persistent_volume_name);
    if (volume == nullptr || !volume->spec.source.csi) continue;
    attached.Add({spec.attacher, volume->spec.source.csi->volume_handle});
  }
  std::unordered_map<Symbol, int64_t, SymbolHash> attached_counts;
  for (const AttachableVolume& volume : attached.list()) {
    if (counts.contains(volume.driver)) ++attached_counts[volume.driver];
  }
  // For duplicate drivers the first entry counts.
  for (const CsiNodeDriver& driver : csi_node.spec.drivers) {
    auto count = counts.find(driver.name);
    if (count == counts.end()) continue;
    if (driver.allocatable && driver.allocatable->count) {
      uses->push_back(
          {driver.name, *driver.allocatable->count, attached_counts[driver.name], count->second});
    }
    counts.erase(count);
  }
  return Status::Success();
}

// A missing object is an obstacle for a new pod; pods that run are counted without it.
Status NodeVolumeLimits::CollectAttachable(const Pod& pod, const CsiNode* csi_node, bool is_new_pod,
                                           AttachableVolumes* volumes) const {
  for (const Volume& volume : pod.spec.volumes) {
    if (IsClaim(volume)) {
      Status status = CollectClaim(pod, volume, csi_node, is_new_pod, volumes);
      if (!status.IsSuccess()) return status;
      continue;
    }
    const InTreePlugin* plugin = volume.source ? InTreePluginOf(*volume.source) : nullptr;
    if (plugin == nullptr || !IsMigrationOn(*plugin, csi_node)) continue;
    Result<CsiVolume, std::string> translated = TranslateInlineVolume(*volume.source);
    if (!translated.ok()) {
      return Status::Error(Format("converting volume({}) from inline to csi: {}",
                                  volume.name.view(), translated.fault()));
    }
    volumes->Add({translated->driver, translated->handle});
  }
  return Status::Success();
}

Status NodeVolumeLimits::CollectClaim(const Pod& pod, const Volume& volume, const CsiNode* csi_node,
                                      bool is_new_pod, AttachableVolumes* volumes) const {
  Symbol name = *ClaimNameOf(pod, volume);
  if (name.empty()) return Status::Error("PersistentVolumeClaim had no name");
  const Symbol& namespace_ = pod.metadata.namespace_;
  PersistentVolumeClaimRef claim = handle_.listers().GetPersistentVolumeClaim(namespace_, name);
  if (claim == nullptr && !is_new_pod) return Status::Success();
  if (claim == nullptr) {
    return Status::UnschedulableAndUnresolvable(
        Format("looking up PVC {}/{}: {}", namespace_.view(), name.view(),
               NotFoundMessage("persistentvolumeclaim", name)));
  }
  if (volume.is_ephemeral() && !IsControlledBy(*claim, pod)) {
    return Status::Error(NotOwnerMessage(*claim, pod));
  }
  AttachableVolume attachable = DriverInfoOf(*claim, csi_node);
  if (!attachable.driver.empty() && !attachable.handle.empty()) {
    volumes->Add(std::move(attachable));
  }
  return Status::Success();
}

NodeVolumeLimits::AttachableVolume NodeVolumeLimits::DriverInfoOf(
    const PersistentVolumeClaim& claim, const CsiNode* csi_node) const {
  PersistentVolumeRef volume;
  if (!claim.spec.volume_name.empty()) {
    volume = handle_.listers().GetPersistentVolume(claim.spec.volume_name);
  }
  if (volume == nullptr) return DriverInfoOfClass(claim, csi_node);
  const VolumeSource& source = volume->spec.source;
  if (source.csi) return {source.csi->driver, source.csi->volume_handle};
  const InTreePlugin* plugin = InTreePluginOf(source);
  if (plugin == nullptr || !IsMigrationOn(*plugin, csi_node)) return {};
  Result<CsiVolume, std::string> translated = TranslatePersistentVolume(*volume);
  if (!translated.ok()) return {};
  return {translated->driver, translated->handle};
}

NodeVolumeLimits::AttachableVolume NodeVolumeLimits::DriverInfoOfClass(
    const PersistentVolumeClaim& claim, const CsiNode* csi_node) const {
  Symbol name = StorageClassOf(claim);
  StorageClassRef storage_class = name.empty() ? nullptr : handle_.listers().GetStorageClass(name);
  if (storage_class == nullptr) return {};
  Symbol driver = storage_class->provisioner;
  if (const InTreePlugin* plugin = FindInTreePlugin(driver.view())) {
    if (!IsMigrationOn(*plugin, csi_node)) return {};
    driver = Symbol(plugin->driver);
  }
  return {std::move(driver), claim.metadata.name, claim.metadata.namespace_};
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
