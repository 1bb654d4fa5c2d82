#include "core/plugins/volume_binding_claims.h"

#include <map>
#include <utility>

#include "core/api/volume_helpers.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/plugins/csi_translation.h"

namespace stowage {
namespace {

constexpr std::string_view kWaitForFirstConsumer = "WaitForFirstConsumer";
constexpr std::string_view kNotSupportedProvisioner = "kubernetes.io/no-provisioner";

// Terms that do not parse select no node, like empty terms.
std::vector<Selector> TopologiesOf(const std::vector<TopologySelectorTerm>& terms) {
  std::vector<Selector> selectors;
  for (const TopologySelectorTerm& term : terms) {
    std::vector<Requirement> requirements;
    bool is_valid = !term.match_label_expressions.empty();
    for (const TopologySelectorLabelRequirement& wanted : term.match_label_expressions) {
      std::optional<Requirement> requirement =
          Requirement::Make({wanted.key, Symbol("In"), wanted.values}, SelectorOperator::kIn);
      is_valid = is_valid && requirement;
      if (is_valid) requirements.push_back(std::move(*requirement));
    }
    if (is_valid) selectors.emplace_back().Add(std::move(requirements));
  }
  return selectors;
}

// First the claims whose volume is being provisioned, in the pod's order; then the smallest.
bool IsBefore(const DelayedClaim& a, const DelayedClaim& b) {
  if (a.selected_node || b.selected_node) return a.selected_node && !b.selected_node;
  return a.request.Compare(b.request) < 0;
}

}  // namespace

AffinityFault CheckNodeAffinity(const std::optional<NodeSelectorMatcher>& affinity,
                                const Node& node) {
  if (!affinity) return std::nullopt;
  NodeSelectorMatch match = affinity->Match(node.metadata.labels, Symbol());
  if (match.matches) return std::nullopt;
  return match.parse_errors != nullptr ? match.parse_errors->Text()
                                       : std::string("no matching NodeSelectorTerms");
}

BoundVolumeAffinity::BoundVolumeAffinity(const PersistentVolume& volume)
    : plugin_(InTreePluginOf(volume.spec.source)),
      affinity_(NodeAffinityOf(volume.spec.node_affinity)) {
  if (plugin_ != nullptr && !plugin_->is_migration_on) plugin_ = nullptr;
  if (plugin_ == nullptr) return;
  Result<CsiVolume, std::string> translated = TranslatePersistentVolume(volume);
  if (!translated.ok()) translation_fault_ = translated.fault();
  translated_affinity_ = NodeAffinityOf(TranslateNodeAffinity(volume, *plugin_));
}

Result<AffinityFault, std::string> BoundVolumeAffinity::Check(const Node& node,
                                                              const CsiNode* csi_node) const {
  if (plugin_ == nullptr || !IsMigratedOnNode(*plugin_, csi_node)) {
    return CheckNodeAffinity(affinity_, node);
  }
  if (translation_fault_) return Format("could not translate pv: {}", *translation_fault_);
  return CheckNodeAffinity(translated_affinity_, node);
}

Result<PodVolumeClaims, std::string> PodVolumeClaimsReader::Read(const Pod& pod) {
  PodVolumeClaims read;
  for (const Volume& volume : pod.spec.volumes) {
    std::optional<Symbol> name = ClaimNameOf(pod, volume);
    if (!name) continue;
    ObjectKey key{pod.metadata.namespace_, *name};
    PersistentVolumeClaimRef claim = claims_.Get(key);
    if (claim == nullptr) {
      return Format("error getting PVC \"{}/{}\": {}", key.namespace_.view(), key.name.view(),
                    NotStoredMessage("persistentvolumeclaims", key));
    }
    if (volume.is_ephemeral() && !IsControlledBy(*claim, pod)) return NotOwnerMessage(*claim, pod);
    if (IsFullyBound(*claim)) {
      PersistentVolumeRef bound = volumes_.Get({Symbol(), claim->spec.volume_name});
      read.bound.push_back(bound == nullptr ? std::nullopt
                                            : std::optional<BoundVolumeAffinity>(*bound));
      continue;
    }
    Result<bool, std::string> is_delayed = IsDelayed(*claim);
    if (!is_delayed.ok()) return is_delayed.fault();
    if (*is_delayed && claim->spec.volume_name.empty()) {
      read.delayed.push_back(ReadDelayed(claim));
    } else {
      read.has_unbound_immediate = true;
    }
  }
  StableSort(&read.delayed, IsBefore);
  return read;
}

Result<bool, std::string> PodVolumeClaimsReader::IsDelayed(
    const PersistentVolumeClaim& claim) const {
  Symbol name = StorageClassOf(claim);
  StorageClassRef storage_class = name.empty() ? nullptr : listers_.GetStorageClass(name);
  if (storage_class == nullptr) return false;
  if (!storage_class->volume_binding_mode) {
    return Format("VolumeBindingMode not set for StorageClass \"{}\"", name.view());
  }
  return *storage_class->volume_binding_mode == kWaitForFirstConsumer;
}

DelayedClaim PodVolumeClaimsReader::ReadDelayed(const PersistentVolumeClaimRef& claim) {
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

// The volumes that are reserved for the claim and match it, by name; some are only assumed to be.
std::vector<VolumeCandidate> PodVolumeClaimsReader::ReservedFor(const PersistentVolumeClaim& claim,
                                                                const Quantity& request) const {
  Symbol storage_class = StorageClassOf(claim);
  auto is_reserved = [&](const PersistentVolume& volume) {
    return IsBoundToClaim(volume, claim) && StorageClassOf(volume) == storage_class &&
           IsSuitable(volume, claim, request);
  };
  std::map<Symbol, PersistentVolumeRef> by_name;
  const ClassVolumes& volumes = listers_.VolumesOfClass(storage_class);
  for (const PersistentVolumeRef& stored : volumes.ReservedFor(ObjectKey::Of(claim.metadata))) {
    PersistentVolumeRef volume = volumes_.Latest(stored);
    if (is_reserved(*volume)) by_name[volume->metadata.name] = volume;
  }
  for (PersistentVolumeRef& volume : volumes_.AssumedWith(is_reserved)) {
    by_name[volume->metadata.name] = std::move(volume);
  }
  std::vector<VolumeCandidate> reserved;
  for (auto& [name, volume] : by_name) reserved.emplace_back(std::move(volume));
  return reserved;
}

void PodVolumeClaimsReader::FindVolumes(DelayedClaim* delayed) {
  const PersistentVolumeClaim& claim = *delayed->claim;
  Selector selector;
  if (claim.spec.selector) {
    Result<Selector, FieldErrors> made = Selector::Make(claim.spec.selector);
    if (!made.ok()) {
      delayed->match_fault =
          Format("error creating internal label selector for claim: {}/{}: {}",
                 claim.metadata.namespace_.view(), claim.metadata.name.view(), made.fault().Text());
      return;
    }
    selector = made.Take();
  }
  delayed->bound_volumes = ReservedFor(claim, delayed->request);
  std::shared_ptr<const FreeVolumes>& free =
      by_requirements_[RequirementsOf(claim, delayed->request) + selector.CanonicalKey()];
  if (free == nullptr) {
    free = std::make_shared<const FreeVolumes>(
        listers_.VolumesOfClass(StorageClassOf(claim)).Free(), volumes_, delayed->claim,
        delayed->request, std::move(selector));
  }
  delayed->free_volumes = free;
}

ProvisionRule PodVolumeClaimsReader::ReadProvisionRule(const PersistentVolumeClaim& claim) const {
  ProvisionRule rule;
  Symbol name = StorageClassOf(claim);
  if (name.empty()) {
    rule.fault = Format("no class for claim \"{}/{}\"", claim.metadata.namespace_.view(),
                        claim.metadata.name.view());
    return rule;
  }
  StorageClassRef storage_class = listers_.GetStorageClass(name);
  if (storage_class == nullptr) {
    rule.fault = Format("failed to find storage class \"{}\"", name.view());
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
  const Quantity* request = claim.spec.resources.requests.Find(StorageResource());
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
