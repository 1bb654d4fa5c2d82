// Which volumes a claim could get (spec plugins/volume-binding.md, "PV matching rules").
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

// The name of the resource that volumes have and claims ask for.
const Symbol& StorageResource();

// What the volume holds and the claim asks for; 0 when it does not say.
Quantity StorageCapacityOf(const PersistentVolume& volume);
Quantity StorageRequestOf(const PersistentVolumeClaim& claim);

// A volume that a claim could get, on the nodes that its affinity selects.
class VolumeCandidate {
 public:
  explicit VolumeCandidate(PersistentVolumeRef volume) : volume_(std::move(volume)) {}

  const PersistentVolumeRef& volume() const { return volume_; }
  bool IsReachedFrom(const Node& node) const;

 private:
  PersistentVolumeRef volume_;
  // Read at the first question: most candidates get none.
  mutable bool is_affinity_read_ = false;
  mutable std::optional<NodeSelectorMatcher> affinity_;
};

// The volumes of a class, which all claims of a pod share.
struct ClassVolumes {
  explicit ClassVolumes(std::vector<VolumeCandidate> volumes);

  // Those that are set aside for the claim and suit it, by name.
  std::vector<const VolumeCandidate*> SetAsideFor(const PersistentVolumeClaim& claim,
                                                  const Quantity& request) const;

  std::vector<VolumeCandidate> candidates;  // smallest first, then by name
  // Those that are set aside for a claim, by its key: places in `candidates`, by name.
  std::unordered_map<ObjectKey, std::vector<size_t>, ObjectKeyHash> set_aside;
};

// The free volumes that claims which ask for the same could get: those of the class from some size
// on. Which of them suit is found when a node is asked about.
class FreeVolumes {
 public:
  FreeVolumes(std::shared_ptr<const ClassVolumes> volumes, PersistentVolumeClaimRef claim,
              Quantity request, Selector selector);

  const ClassVolumes& volumes() const { return *volumes_; }
  // The place of the smallest that is large enough.
  size_t first() const { return first_; }
  // Whether the claims can get the one at this place, on nodes that reach it.
  bool Suits(size_t place) const;

 private:
  enum class Known : uint8_t { kNo, kSuits, kDoesNot };

  std::shared_ptr<const ClassVolumes> volumes_;
  PersistentVolumeClaimRef claim_;  // one of them
  Quantity request_;
  Selector selector_;
  size_t first_;
  mutable std::vector<Known> known_;  // from `first_` on
};

// What claims have in common that the same free volumes suit: all that decides, but for the
// selector, as a text.
std::string WishOf(const PersistentVolumeClaim& claim, const Quantity& request);

}  // namespace stowage
