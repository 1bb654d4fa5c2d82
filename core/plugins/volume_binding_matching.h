// The volumes that a claim could be bound to (spec plugins/volume-binding.md, "PV matching rules").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/api/meta.h"
#include "core/api/node_affinity.h"
#include "core/api/persistent_volume.h"
#include "core/api/quantity.h"
#include "core/api/selector.h"
#include "core/api/storage.h"
#include "core/framework/assume_cache.h"
#include "core/framework/class_volumes.h"

namespace stowage {

using PersistentVolumeCache = AssumeCache<PersistentVolume>;
using PersistentVolumeClaimCache = AssumeCache<PersistentVolumeClaim>;

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

// The conditions for any volume of the claim, reserved or free.
bool IsSuitable(const PersistentVolume& volume, const PersistentVolumeClaim& claim,
                const Quantity& request);

// The free volumes for claims with the same requirements: those of the class from a minimum size
// on. Whether one of them matches is computed when first needed.
class FreeVolumes {
 public:
  // `assumed` must outlive it.
  FreeVolumes(std::shared_ptr<const ClassVolumes::List> volumes,
              const PersistentVolumeCache& assumed, PersistentVolumeClaimRef claim,
              Quantity request, Selector selector);

  // The class's free volumes; claims of one pod share the list.
  const ClassVolumes::List* of_class() const { return volumes_.get(); }
  // Indexes of the list: from the smallest volume that is large enough.
  size_t first() const { return first_; }
  size_t end() const { return volumes_->size(); }
  // The volume at this index, until the next call; null if it does not match the claims.
  const VolumeCandidate* At(size_t place) const;

 private:
  bool Suits(const PersistentVolume& volume) const;

  static constexpr uint32_t kUnknown = 0;
  static constexpr uint32_t kDoesNotSuit = 1;
  static constexpr uint32_t kFirstSuitable = 2;  // from here on: an index of `suitable_`

  std::shared_ptr<const ClassVolumes::List> volumes_;
  const PersistentVolumeCache& assumed_;
  PersistentVolumeClaimRef claim_;  // any one of the claims
  Quantity request_;
  Selector selector_;
  size_t first_;
  // From the first place that was asked about, or from `first_` on. A pod may have many claims with
  // requirements of their own, each of which needs few of the volumes.
  mutable std::vector<uint32_t> known_;
  mutable size_t known_from_ = 0;
  mutable std::vector<VolumeCandidate> suitable_;
};

// A text of everything that determines which free volumes match a claim, except its selector.
// Claims with equal texts share a FreeVolumes.
std::string RequirementsOf(const PersistentVolumeClaim& claim, const Quantity& request);

}  // namespace stowage
