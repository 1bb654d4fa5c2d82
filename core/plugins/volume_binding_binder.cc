#include "core/plugins/volume_binding_binder.h"

#include <algorithm>
#include <memory>
#include <numeric>
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
    for (const VolumeCandidate* candidate : delayed.bound_volumes) {
      if (set_aside_.contains(candidate)) continue;
      if (!candidate->IsReachedFrom(node_)) return nullptr;
      set_aside_.insert(candidate);
      return candidate->volume();
    }
    return delayed.free_volumes == nullptr ? nullptr : ChooseFree(*delayed.free_volumes);
  }

 private:
  PersistentVolumeRef ChooseFree(const FreeVolumes& free) {
    const std::vector<VolumeCandidate>& candidates = free.volumes().candidates;
    std::vector<size_t>& next = next_[&free.volumes()];
    size_t& begin = begin_.try_emplace(&free, free.first()).first->second;
    while (true) {
      begin = NextUnchosen(begin, &next);
      if (begin >= candidates.size()) return nullptr;
      size_t place = begin++;
      if (!free.Suits(place) || !candidates[place].IsReachedFrom(node_)) continue;
      if (next.empty()) {
        next.resize(candidates.size());
        std::iota(next.begin(), next.end(), size_t{0});
      }
      next[place] = place + 1;
      return candidates[place].volume();
    }
  }
  // The first index from `place` on that is not chosen. `next` links chosen indexes to a later one;
  // this shortens the links.
  static size_t NextUnchosen(size_t place, std::vector<size_t>* next) {
    while (place < next->size() && (*next)[place] != place) {
      size_t after = (*next)[place];
      if (after < next->size()) (*next)[place] = (*next)[after];
      place = after;
    }
    return place;
  }

  const Node& node_;
  std::unordered_set<const VolumeCandidate*> set_aside_;
  std::unordered_map<const ClassVolumes*, std::vector<size_t>> next_;
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
