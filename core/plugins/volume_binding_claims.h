// What a pod's claims demand of a node, worked out once for all nodes (spec
// plugins/volume-binding.md, "PreFilter", "PV matching rules").
//
// Of everything that the rules ask, only three things depend on the node: who can reach a volume,
// which volumes the pod's other claims take there, and the node's own labels.
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

using PersistentVolumeCache = AssumeCache<PersistentVolume>;
using PersistentVolumeClaimCache = AssumeCache<PersistentVolumeClaim>;

// A text that says what is wrong with nodes' access to a volume; nullopt: nothing.
using ReachFault = std::optional<std::string>;

// From which nodes a bound volume can be reached. A volume of an in-tree plugin has two answers:
// its own, and that of the driver which has taken over on some nodes.
class VolumeReach {
 public:
  explicit VolumeReach(const PersistentVolume& volume);

  // The fault is that of the translation. `csi_node` is the node's, or null.
  Result<ReachFault, std::string> Check(const Node& node, const CsiNode* csi_node) const;
  // Whether `csi_node` has a say.
  bool IsInTree() const { return plugin_ != nullptr; }

 private:
  const struct InTreePlugin* plugin_;  // whose migration is on; else null
  std::optional<NodeSelectorMatcher> affinity_;
  std::optional<std::string> translation_fault_;
  std::optional<NodeSelectorMatcher> translated_affinity_;
};

// What is wrong with a node as one of those that an affinity selects.
ReachFault CheckNodeAffinity(const std::optional<NodeSelectorMatcher>& affinity, const Node& node);

// Where a new volume could be made for a claim.
struct ProvisionRule {
  struct Pool {
    CsiStorageCapacityRef capacity;
    Selector nodes;
  };

  std::string fault;  // empty unless nobody can tell
  bool has_provisioner = false;
  // Terms of the node's labels, ORed; nullopt: any node will do.
  std::optional<std::vector<Selector>> allowed_topologies;
  // Those that are large enough; nullopt: nobody asks.
  std::optional<std::vector<Pool>> pools;
};

// A claim that gets its volume with its first pod.
struct DelayedClaim {
  PersistentVolumeClaimRef claim;
  Quantity request;
  std::string match_fault;                            // of its selector; empty: none
  std::vector<const VolumeCandidate*> bound_volumes;  // set aside for it, by name
  std::shared_ptr<const FreeVolumes> free_volumes;    // null where none was looked for
  std::optional<Symbol> selected_node;                // where its volume is being made
  ProvisionRule provision;
};

struct PodVolumeClaims {
  // Of each bound claim; nullopt: its volume does not exist.
  std::vector<std::optional<VolumeReach>> bound;
  // Those whose volume is being made, in the pod's order, then the others, smallest first.
  std::vector<DelayedClaim> delayed;
  bool has_unbound_immediate = false;
};

class PodVolumeClaimsReader {
 public:
  // All of it outlives the reader.
  PodVolumeClaimsReader(const Listers& listers, const PersistentVolumeCache& volumes,
                        const PersistentVolumeClaimCache& claims)
      : listers_(listers), volumes_(volumes), claims_(claims) {}

  // The fault is the text of an Error.
  Result<PodVolumeClaims, std::string> Read(const Pod& pod);

 private:
  Result<bool, std::string> IsDelayed(const PersistentVolumeClaim& claim) const;
  DelayedClaim ReadDelayed(const PersistentVolumeClaimRef& claim);
  void FindVolumes(DelayedClaim* delayed);
  const std::shared_ptr<const ClassVolumes>& VolumesOf(const Symbol& storage_class);
  ProvisionRule ReadProvisionRule(const PersistentVolumeClaim& claim) const;
  void ReadPools(const PersistentVolumeClaim& claim, const StorageClass& storage_class,
                 ProvisionRule* rule) const;

  const Listers& listers_;
  const PersistentVolumeCache& volumes_;
  const PersistentVolumeClaimCache& claims_;
  std::unordered_map<Symbol, std::shared_ptr<const ClassVolumes>, SymbolHash> by_class_;
  std::unordered_map<std::string, std::shared_ptr<const FreeVolumes>> by_wish_;
};

}  // namespace stowage
