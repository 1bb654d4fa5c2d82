#include "core/plugins/volume_binding_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/api/volume_helpers.h"
#include "core/plugins/csi_translation.h"

namespace stowage {
namespace {

constexpr std::string_view kWaitForFirstConsumer = "WaitForFirstConsumer";
constexpr std::string_view kNotSupportedProvisioner = "kubernetes.io/no-provisioner";
constexpr std::string_view kAvailable = "Available";
constexpr std::string_view kFilesystem = "Filesystem";

const Symbol& Storage() {
  static const auto* name = new Symbol("storage");
  return *name;
}

const Quantity& StorageIn(const ResourceList& amounts) {
  static const auto* zero = new Quantity();
  const Quantity* amount = amounts.Find(Storage());
  return amount == nullptr ? *zero : *amount;
}

std::string_view ModeOf(const std::optional<Symbol>& volume_mode) {
  return volume_mode ? volume_mode->view() : kFilesystem;
}

bool OffersModes(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  const std::vector<Symbol>& offered = volume.spec.access_modes;
  const std::vector<Symbol>& wanted = claim.spec.access_modes;
  return std::all_of(wanted.begin(), wanted.end(), [&offered](const Symbol& mode) {
    return std::find(offered.begin(), offered.end(), mode) != offered.end();
  });
}

// What any volume for the claim must be, set aside for it or free.
bool Suits(const PersistentVolume& volume, const DelayedClaim& delayed) {
  const PersistentVolumeSpec& spec = volume.spec;
  const PersistentVolumeClaimSpec& wanted = delayed.claim->spec;
  if (spec.claim_ref && !IsBoundToClaim(volume, *delayed.claim)) return false;
  if (StorageIn(spec.capacity).Compare(delayed.request) < 0) return false;
  if (ModeOf(spec.volume_mode) != ModeOf(wanted.volume_mode)) return false;
  if (spec.volume_attributes_class_name.value_or(Symbol()) !=
      wanted.volume_attributes_class_name.value_or(Symbol())) {
    return false;
  }
  return !volume.metadata.deletion_timestamp.has_value();
}

// What a free one must be besides.
bool IsFreeFor(const PersistentVolume& volume, const DelayedClaim& delayed,
               const Selector& selector) {
  return volume.status.phase == kAvailable && selector.Matches(volume.metadata.labels) &&
         StorageClassOf(volume) == StorageClassOf(*delayed.claim) &&
         OffersModes(volume, *delayed.claim);
}

// Terms that do not parse, like those that say nothing, select no node.
std::vector<Selector> TopologiesOf(const std::vector<TopologySelectorTerm>& terms) {
  std::vector<Selector> selectors;
  for (const TopologySelectorTerm& term : terms) {
    Selector selector;
    bool is_valid = !term.match_label_expressions.empty();
    for (const TopologySelectorLabelRequirement& wanted : term.match_label_expressions) {
      std::optional<Requirement> requirement =
          Requirement::Make({wanted.key, Symbol("In"), wanted.values}, SelectorOperator::kIn);
      is_valid = is_valid && requirement;
      if (is_valid) selector.Add(std::move(*requirement));
    }
    if (is_valid) selectors.push_back(std::move(selector));
  }
  return selectors;
}

// Those whose volume is being made come first, in the pod's order; then the smallest.
bool IsBefore(const DelayedClaim& a, const DelayedClaim& b) {
  if (a.selected_node || b.selected_node) return a.selected_node && !b.selected_node;
  return a.request.Compare(b.request) < 0;
}

bool IsSmaller(const PersistentVolumeRef& a, const PersistentVolumeRef& b) {
  int order = StorageIn(a->spec.capacity).Compare(StorageIn(b->spec.capacity));
  return order == 0 ? a->metadata.name < b->metadata.name : order < 0;
}

}  // namespace

bool VolumeCandidate::IsReachedFrom(const Node& node) const {
  if (!is_affinity_read_) {
    affinity_ = NodeAffinityOf(volume_->spec.node_affinity);
    is_affinity_read_ = true;
  }
  return !affinity_ || affinity_->Match(node.metadata.labels, Symbol()).matches;
}

Quantity StorageCapacityOf(const PersistentVolume& volume) {
  return StorageIn(volume.spec.capacity);
}

Quantity StorageRequestOf(const PersistentVolumeClaim& claim) {
  return StorageIn(claim.spec.resources.requests);
}

ReachFault CheckNodeAffinity(const std::optional<NodeSelectorMatcher>& affinity, const Node& node) {
  if (!affinity) return std::nullopt;
  NodeSelectorMatch match = affinity->Match(node.metadata.labels, Symbol());
  if (match.matches) return std::nullopt;
  return match.parse_errors != nullptr ? match.parse_errors->Text()
                                       : std::string("no matching NodeSelectorTerms");
}

VolumeReach::VolumeReach(const PersistentVolume& volume)
    : plugin_(InTreePluginOf(volume.spec.source)),
      affinity_(NodeAffinityOf(volume.spec.node_affinity)) {
  if (plugin_ != nullptr && !plugin_->is_migration_on) plugin_ = nullptr;
  if (plugin_ == nullptr) return;
  Result<CsiVolume, std::string> translated = TranslatePersistentVolume(volume);
  if (!translated.ok()) translation_fault_ = translated.fault();
  translated_affinity_ = NodeAffinityOf(TranslateNodeAffinity(volume, *plugin_));
}

Result<ReachFault, std::string> VolumeReach::Check(const Node& node,
                                                   const CsiNode* csi_node) const {
  if (plugin_ == nullptr || !IsMigratedOnNode(*plugin_, csi_node)) {
    return CheckNodeAffinity(affinity_, node);
  }
  if (translation_fault_) return fmt::format("could not translate pv: {}", *translation_fault_);
  return CheckNodeAffinity(translated_affinity_, node);
}

Result<PodVolumeClaims, std::string> PodVolumeClaimsReader::Read(const Pod& pod) const {
  PodVolumeClaims read;
  for (const Volume& volume : pod.spec.volumes) {
    std::optional<Symbol> name = ClaimNameOf(pod, volume);
    if (!name) continue;
    ObjectKey key{pod.metadata.namespace_, *name};
    PersistentVolumeClaimRef claim = claims_.Get(key);
    if (claim == nullptr) {
      return fmt::format("error getting PVC \"{}/{}\": {}", key.namespace_.view(), key.name.view(),
                         NotStoredMessage("persistentvolumeclaims", key));
    }
    if (volume.is_ephemeral() && !IsControlledBy(*claim, pod)) return NotOwnerMessage(*claim, pod);
    if (IsFullyBound(*claim)) {
      PersistentVolumeRef bound = volumes_.Get({Symbol(), claim->spec.volume_name});
      read.bound.push_back(bound == nullptr ? std::nullopt : std::optional<VolumeReach>(*bound));
      continue;
    }
    Result<bool, std::string> is_delayed = IsDelayed(*claim);
    if (!is_delayed.ok()) return is_delayed.fault();
    if (*is_delayed && claim->spec.volume_name.empty()) {
      DelayedClaim delayed = ReadDelayed(claim);
      auto place = std::find_if(read.delayed.begin(), read.delayed.end(),
                                [&](const auto& other) { return IsBefore(delayed, other); });
      read.delayed.insert(place, std::move(delayed));
    } else {
      read.has_unbound_immediate = true;
    }
  }
  return read;
}

Result<bool, std::string> PodVolumeClaimsReader::IsDelayed(
    const PersistentVolumeClaim& claim) const {
  Symbol name = StorageClassOf(claim);
  StorageClassRef storage_class = name.empty() ? nullptr : listers_.GetStorageClass(name);
  if (storage_class == nullptr) return false;
  if (!storage_class->volume_binding_mode) {
    return fmt::format("VolumeBindingMode not set for StorageClass \"{}\"", name.view());
  }
  return *storage_class->volume_binding_mode == kWaitForFirstConsumer;
}

DelayedClaim PodVolumeClaimsReader::ReadDelayed(const PersistentVolumeClaimRef& claim) const {
  DelayedClaim delayed;
  delayed.claim = claim;
  delayed.request = StorageRequestOf(*claim);
  const Symbol* node = claim->metadata.annotations.Find(Annotations().selected_node);
  if (node != nullptr) {
    delayed.selected_node = *node;
  } else {
    FindVolumes(&delayed);
  }
  delayed.provision = ReadProvisionRule(*claim);
  return delayed;
}

void PodVolumeClaimsReader::FindVolumes(DelayedClaim* delayed) const {
  Selector selector;
  if (delayed->claim->spec.selector) {
    Result<Selector, FieldErrors> made = Selector::Make(delayed->claim->spec.selector);
    if (!made.ok()) {
      const ObjectMeta& metadata = delayed->claim->metadata;
      delayed->match_fault =
          fmt::format("error creating internal label selector for claim: {}/{}: {}",
                      metadata.namespace_.view(), metadata.name.view(), made.fault().Text());
      return;
    }
    selector = made.Take();
  }
  std::vector<PersistentVolumeRef> free_volumes;
  for (const PersistentVolumeRef& stored :
       listers_.PersistentVolumesOfClass(StorageClassOf(*delayed->claim))) {
    PersistentVolumeRef volume = volumes_.Latest(stored);
    if (!Suits(*volume, *delayed)) continue;
    if (IsBoundToClaim(*volume, *delayed->claim)) {
      delayed->bound_volumes.emplace_back(std::move(volume));
    } else if (IsFreeFor(*volume, *delayed, selector)) {
      free_volumes.push_back(std::move(volume));
    }
  }
  std::sort(free_volumes.begin(), free_volumes.end(), IsSmaller);
  for (PersistentVolumeRef& volume : free_volumes) {
    delayed->free_volumes.emplace_back(std::move(volume));
  }
}

ProvisionRule PodVolumeClaimsReader::ReadProvisionRule(const PersistentVolumeClaim& claim) const {
  ProvisionRule rule;
  Symbol name = StorageClassOf(claim);
  if (name.empty()) {
    rule.fault = fmt::format("no class for claim \"{}/{}\"", claim.metadata.namespace_.view(),
                             claim.metadata.name.view());
    return rule;
  }
  StorageClassRef storage_class = listers_.GetStorageClass(name);
  if (storage_class == nullptr) {
    rule.fault = fmt::format("failed to find storage class \"{}\"", name.view());
    return rule;
  }
  const Symbol& provisioner = storage_class->provisioner;
  rule.has_provisioner = !provisioner.empty() && provisioner != kNotSupportedProvisioner;
  if (!storage_class->allowed_topologies.empty()) {
    rule.allowed_topologies = TopologiesOf(storage_class->allowed_topologies);
  }
  ReadPools(claim, *storage_class, &rule);
  return rule;
}

void PodVolumeClaimsReader::ReadPools(const PersistentVolumeClaim& claim,
                                      const StorageClass& storage_class,
                                      ProvisionRule* rule) const {
  const Quantity* request = claim.spec.resources.requests.Find(Storage());
  if (request == nullptr) return;
  CsiDriverRef driver = listers_.GetCsiDriver(storage_class.provisioner);
  if (driver == nullptr || !driver->spec.storage_capacity.value_or(false)) return;
  rule->pools.emplace();
  int64_t size = request->Value();
  for (const CsiStorageCapacityRef& capacity : listers_.CsiStorageCapacities()) {
    const Quantity* limit = capacity->VolumeLimit();
    bool is_sufficient = capacity->storage_class_name == storage_class.metadata.name &&
                         limit != nullptr && limit->Value() >= size;
    if (!is_sufficient || !capacity->node_topology) continue;
    Result<Selector, FieldErrors> nodes = Selector::Make(capacity->node_topology);
    if (nodes.ok()) rule->pools->push_back({capacity, nodes.Take()});
  }
}

}  // namespace stowage
