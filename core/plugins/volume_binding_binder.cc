#include "core/plugins/volume_binding_binder.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/api/volume_helpers.h"

namespace stowage {
namespace {

// The volumes chosen so far for the claims of a pod on one node. Indexes of a class that are chosen
// or do not match are skipped once, not once for each claim.
class ChosenVolumes {
 public:
  explicit ChosenVolumes(const Node& node) : node_(node) {}

  // Null if there is no volume for the claim. A volume that is reserved for the claim is the only
  // one that it can get, on this node or elsewhere.
  PersistentVolumeRef Choose(const DelayedClaim& delayed) {
    for (const VolumeCandidate& candidate : delayed.bound_volumes) {
      const PersistentVolumeRef& volume = candidate.volume();
      if (set_aside_.contains(volume.get())) continue;
      if (!candidate.IsReachedFrom(node_)) return nullptr;
      set_aside_.insert(volume.get());
      return volume;
    }
    return delayed.free_volumes == nullptr ? nullptr : ChooseFree(*delayed.free_volumes);
  }

 private:
  // From each chosen index of a class to a later one.
  using Links = std::unordered_map<size_t, size_t>;

  PersistentVolumeRef ChooseFree(const FreeVolumes& free) {
    Links& next = next_[free.of_class()];
    size_t& begin = begin_.try_emplace(&free, free.first()).first->second;
    while (true) {
      begin = NextUnchosen(begin, &next);
      if (begin >= free.end()) return nullptr;
      size_t place = begin++;
      const VolumeCandidate* candidate = free.At(place);
      if (candidate == nullptr || !candidate->IsReachedFrom(node_)) continue;
      next[place] = place + 1;
      return candidate->volume();
    }
  }
  // The first index from `place` on that is not chosen. This shortens the links.
  static size_t NextUnchosen(size_t place, Links* next) {
    auto link = next->find(place);
    while (link != next->end()) {
      place = link->second;
      auto after = next->find(place);
      if (after != next->end()) link->second = after->second;
      link = after;
    }
    return place;
  }

  const Node& node_;
  std::unordered_set<const PersistentVolume*> set_aside_;
  std::unordered_map<const ClassVolumes::List*, Links> next_;
  std::unordered_map<const FreeVolumes*, size_t>
      begin_;  // indexes before this do not match or are taken
};

bool IsAllowed(const ProvisionRule& rule, const LabelMap& labels) {
  if (!rule.allowed_topologies) return true;
  const std::vector<Selector>& terms = *rule.allowed_topologies;
  return std::any_of(terms.begin(), terms.end(),
                     [&labels](const Selector& term) { return term.Matches(labels); });
}

// Checks the claims in order; the first that cannot be provisioned determines the result.
Result<VolumeConflicts, std::string> CheckVolumeProvisions(
    const std::vector<const DelayedClaim*>& claims, const Node& node, PodVolumes* volumes) {
  for (const DelayedClaim* delayed : claims) {
    const ProvisionRule& rule = delayed->provision;
    const LabelMap& labels = node.metadata.labels;
    if (!rule.fault.empty()) return rule.fault;
    if (!rule.has_provisioner || !IsAllowed(rule, labels)) return kBindConflict;
    CsiStorageCapacityRef capacity;
    if (rule.pools) {
      auto pool = std::find_if(rule.pools->begin(), rule.pools->end(),
                               [&labels](const auto& one) { return one.nodes.Matches(labels); });
      if (pool == rule.pools->end()) return kNotEnoughSpace;
      capacity = pool->capacity;
    }
    volumes->dynamic_provisions.push_back({delayed->claim, std::move(capacity)});
  }
  return VolumeConflicts{0};
}

}  // namespace

VolumeBinder::VolumeBinder(Handle& handle, int64_t bind_timeout_us)
    : handle_(handle),
      bind_timeout_us_(bind_timeout_us),
      volumes_("persistentvolumes",
               [&handle](const ObjectKey& key) {
                 return handle.listers().GetPersistentVolume(key.name);
               }),
      claims_("persistentvolumeclaims", [&handle](const ObjectKey& key) {
        return handle.listers().GetPersistentVolumeClaim(key.namespace_, key.name);
      }) {}

Result<PodVolumeClaims, std::string> VolumeBinder::GetPodVolumeClaims(const Pod& pod) const {
  return PodVolumeClaimsReader(handle_.listers(), volumes_, claims_).Read(pod);
}

Result<VolumeConflicts, std::string> VolumeBinder::FindPodVolumes(const PodVolumeClaims& claims,
                                                                  const Node& node,
                                                                  PodVolumes* volumes) const {
  volumes->static_bindings.clear();
  volumes->dynamic_provisions.clear();
  Result<VolumeConflicts, std::string> bound = CheckBoundClaims(claims, node);
  if (!bound.ok()) return bound;
  Result<VolumeConflicts, std::string> delayed = FindDelayed(claims, node, volumes);
  if (!delayed.ok()) return delayed;
  return static_cast<VolumeConflicts>(*bound | *delayed);
}

Result<VolumeConflicts, std::string> VolumeBinder::CheckBoundClaims(const PodVolumeClaims& claims,
                                                                    const Node& node) const {
  for (const std::optional<BoundVolumeAffinity>& affinity : claims.bound) {
    if (!affinity) return kVolumeNotExist;
    CsiNodeRef csi_node;
    if (affinity->IsInTree()) csi_node = handle_.listers().GetCsiNode(node.metadata.name);
    Result<AffinityFault, std::string> fault = affinity->Check(node, csi_node.get());
    if (!fault.ok()) return fault.fault();
    if (*fault) return kNodeConflict;
  }
  return VolumeConflicts{0};
}

Result<VolumeConflicts, std::string> VolumeBinder::FindDelayed(const PodVolumeClaims& claims,
                                                               const Node& node,
                                                               PodVolumes* volumes) const {
  std::vector<const DelayedClaim*> to_provision;
  for (const DelayedClaim& delayed : claims.delayed) {
    if (!delayed.selected_node) break;
    if (*delayed.selected_node != node.metadata.name) return kBindConflict;
    to_provision.push_back(&delayed);
  }
  ChosenVolumes chosen(node);
  for (size_t index = to_provision.size(); index < claims.delayed.size(); ++index) {
    const DelayedClaim& delayed = claims.delayed[index];
    if (!delayed.match_fault.empty()) return delayed.match_fault;
    PersistentVolumeRef volume = chosen.Choose(delayed);
    if (volume == nullptr) {
      to_provision.push_back(&delayed);
    } else {
      volumes->static_bindings.push_back({std::move(volume), delayed.claim});
    }
  }
  return CheckVolumeProvisions(to_provision, node, volumes);
}

bool VolumeBinder::ArePodVolumesBound(const Pod& pod) const {
  for (const Volume& volume : pod.spec.volumes) {
    std::optional<Symbol> name = ClaimNameOf(pod, volume);
    if (!name) continue;
    PersistentVolumeClaimRef claim = claims_.Get({pod.metadata.namespace_, *name});
    if (claim == nullptr || !IsFullyBound(*claim)) return false;
    if (volume.is_ephemeral() && !IsControlledBy(*claim, pod)) return false;
  }
  return true;
}

}  // namespace stowage
