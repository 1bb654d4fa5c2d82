// The volumes of pods that CSI drivers attach to nodes, as NodeVolumeLimits counts them.
#pragma once

#include <cstddef>
#include <unordered_set>
#include <vector>

#include "core/framework/listers.h"
#include "core/framework/status.h"

namespace stowage {

// A volume that a driver attaches. A claim without a volume stands for its future volume.
struct AttachableVolume {
  Symbol driver;
  Symbol handle;  // or the claim's name, without a volume
  Symbol claim_namespace = {};

  friend bool operator==(const AttachableVolume&, const AttachableVolume&) = default;
};

// Distinct volumes in the order in which they were added.
class AttachableVolumes {
 public:
  void Add(AttachableVolume volume);
  bool Has(const AttachableVolume& volume) const { return known_.contains(volume); }
  const std::vector<AttachableVolume>& list() const { return list_; }

 private:
  struct Hash {
    size_t operator()(const AttachableVolume& volume) const;
  };

  std::vector<AttachableVolume> list_;
  std::unordered_set<AttachableVolume, Hash> known_;
};

// Whether the volume is a claim, or is created as one.
bool IsClaim(const Volume& volume);

// Adds the pod's volumes to `volumes`, and the claims and PersistentVolumes that it reads for them
// to `sources`, unless null.
// `csi_node` is the node's, or null. A missing object is an obstacle for a new pod; pods that run
// are counted without it.
Status CollectAttachable(const Listers& listers, const Pod& pod, const CsiNode* csi_node,
                         bool is_new_pod, AttachableVolumes* volumes,
                         std::vector<ObjectKey>* sources = nullptr);

}  // namespace stowage
