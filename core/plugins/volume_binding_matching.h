// The volumes that a claim could be bound to (spec plugins/volume-binding.md, "PV matching rules").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/meta.h"
#include "core/api/node_affinity.h"
#include "core/api/object_key.h"
#include "core/api/persistent_volume.h"
#include "core/api/quantity.h"
#include "core/api/selector.h"
#include "core/api/storage.h"

namespace stowage {

// The resource name of the capacity of volumes and of the request of claims.
const Symbol& StorageResource();

// The capacity of the volume, and the request of the claim; 0 if not specified.
Quantity StorageCapacityOf(const PersistentVolume& volume);
Quantity StorageRequestOf(const PersistentVolumeClaim& claim);

// A volume that a claim could be bound to, on the nodes that its affinity selects.
class VolumeCandidate {
 public:
  explicit VolumeCandidate(PersistentVolumeRef volume) : volume_(std::move(volume)) {}

  const PersistentVolumeRef& volume() const { return volume_; }
  bool IsReachedFrom(const Node& node) const;

 private:
  PersistentVolumeRef volume_;
  // The affinity is parsed on first use: most candidates never need it.
  mutable bool is_affinity_read_ = false;
  mutable std::optional<NodeSelectorMatcher> affinity_;
};

// The volumes of a storage class, shared by all claims of a pod.
struct ClassVolumes {
  explicit ClassVolumes(std::vector<VolumeCandidate> volumes);

  // The volumes that are reserved for the claim (claimRef) and match it, by name.
  std::vector<const VolumeCandidate*> ReservedFor(const PersistentVolumeClaim& claim,
                                                  const Quantity& request) const;

  std::vector<VolumeCandidate> candidates;  // smallest first, then by name
  // Volumes that are reserved for a claim, by the claim's key: indexes of `candidates`, by volume
  // name.
  std::unordered_map<ObjectKey, std::vector<size_t>, ObjectKeyHash> reserved;
};

// The free volumes for claims with the same requirements: the class's volumes from a minimum size
// on. Whether one of them matches is computed when first needed.
class FreeVolumes {
 public:
  FreeVolumes(std::shared_ptr<const ClassVolumes> volumes, PersistentVolumeClaimRef claim,
              Quantity request, Selector selector);

  const ClassVolumes& volumes() const { return *volumes_; }
  // The index of the smallest volume that is large enough.
  size_t first() const { return first_; }
  // Whether the volume at this index matches the claims, on nodes that can reach it.
  bool Suits(size_t place) const;

 private:
  enum class Known : uint8_t { kNo, kSuits, kDoesNot };

  std::shared_ptr<const ClassVolumes> volumes_;
  PersistentVolumeClaimRef claim_;  // any one of the claims
  Quantity request_;
  Selector selector_;
  size_t first_;
  mutable std::vector<Known> known_;  // from `first_` on
};

// A text of everything that determines which free volumes match a claim, except its selector.
// Claims with equal texts share a FreeVolumes.
std::string RequirementsOf(const PersistentVolumeClaim& claim, const Quantity& request);

}  // namespace stowage
