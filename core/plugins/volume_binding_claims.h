// What a pod's claims require of a node, computed once for all nodes (spec
// plugins/volume-binding.md, "PreFilter", "PV matching rules").
//
// Only three parts of the rules depend on the node: whether it can reach a volume, which volumes
// the pod's other claims take there, and its labels.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/api/node_affinity.h"
#include "core/api/persistent_volume.h"
#include "core/api/selector.h"
#include "core/api/storage.h"
#include "core/base/result.h"
#include "core/framework/assume_cache.h"
#include "core/framework/listers.h"
#include "core/plugins/volume_binding_matching.h"

namespace stowage {

// Why a node cannot reach a volume; nullopt: it can.
using AffinityFault = std::optional<std::string>;

// The nodes that can reach a bound volume. A volume of an in-tree plugin has two answers: its own,
// and that of the CSI driver on nodes that have migrated to it.
class BoundVolumeAffinity {
 public:
  explicit BoundVolumeAffinity(const PersistentVolume& volume);

  // The fault is an error of the translation. `csi_node` is the node's, or null.
  Result<AffinityFault, std::string> Check(const Node& node, const CsiNode* csi_node) const;
  // Whether Check reads `csi_node`.
  bool IsInTree() const { return plugin_ != nullptr; }

 private:
  const struct InTreePlugin* plugin_;  // set if the plugin is migrated; else null
  std::optional<NodeSelectorMatcher> affinity_;
  std::optional<std::string> translation_fault_;
  std::optional<NodeSelectorMatcher> translated_affinity_;
};

// Why the affinity does not match the node; nullopt: it does.
AffinityFault CheckNodeAffinity(const std::optional<NodeSelectorMatcher>& affinity,
                                const Node& node);

// Where a volume can be provisioned for a claim.
struct ProvisionRule {
  struct Pool {
    CsiStorageCapacityRef capacity;
    Selector nodes;
  };

  std::string fault;  // why the rule cannot be determined; empty: none
  bool has_provisioner = false;
  // Terms over node labels, ORed; nullopt: any node.
  std::optional<std::vector<Selector>> allowed_topologies;
  // The pools with enough capacity; nullopt: capacity is not checked.
  std::optional<std::vector<Pool>> pools;
};

// An unbound claim with delayed binding: it gets its volume with its first pod.
struct DelayedClaim {
  PersistentVolumeClaimRef claim;
  Quantity request;
  std::string match_fault;                          // error in its selector; empty: none
  std::vector<VolumeCandidate> bound_volumes;       // reserved for the claim, by name
  std::shared_ptr<const FreeVolumes> free_volumes;  // null if not searched
  std::optional<Symbol> selected_node;              // node that its volume is being provisioned for
  ProvisionRule provision;
};

struct PodVolumeClaims {
  // For each bound claim; nullopt: its volume does not exist.
  std::vector<std::optional<BoundVolumeAffinity>> bound;
  // First the claims whose volume is being provisioned, in the pod's order, then the others,
  // smallest first.
  std::vector<DelayedClaim> delayed;
  bool has_unbound_immediate = false;
};

class PodVolumeClaimsReader {
 public:
  // All arguments must outlive the reader.
  PodVolumeClaimsReader(const Listers& listers, const PersistentVolumeCache& volumes,
                        const PersistentVolumeClaimCache& claims)
      : listers_(listers), volumes_(volumes), claims_(claims) {}

  // The fault is the message of an Error.
  Result<PodVolumeClaims, std::string> Read(const Pod& pod);

 private:
  Result<bool, std::string> IsDelayed(const PersistentVolumeClaim& claim) const;
  DelayedClaim ReadDelayed(const PersistentVolumeClaimRef& claim);
  void FindVolumes(DelayedClaim* delayed);
  std::vector<VolumeCandidate> ReservedFor(const PersistentVolumeClaim& claim,
                                           const Quantity& request) const;
  ProvisionRule ReadProvisionRule(const PersistentVolumeClaim& claim) const;
  void ReadPools(const PersistentVolumeClaim& claim, const StorageClass& storage_class,
                 ProvisionRule* rule) const;

  const Listers& listers_;
  const PersistentVolumeCache& volumes_;
  const PersistentVolumeClaimCache& claims_;
  std::unordered_map<std::string, std::shared_ptr<const FreeVolumes>> by_requirements_;
};

}  // namespace stowage
