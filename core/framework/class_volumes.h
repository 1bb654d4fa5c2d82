// ClassVolumes holds the volumes of a storage class in the two ways in which claims look for them:
// free volumes by their size, and other volumes by the claim that they are reserved for (claimRef).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/api/object_key.h"
#include "core/api/persistent_volume.h"
#include "core/base/hash_map.h"

namespace stowage {

class ClassVolumes {
 public:
  using List = std::vector<PersistentVolumeRef>;

  // There must be no volume of its name.
  void Add(const PersistentVolumeRef& volume);
  // `volume` is one that was added.
  void Remove(const PersistentVolume& volume);
  bool empty() const { return size_ == 0; }

  // The volumes without a claimRef, smallest first, then by name. Later changes make a new list if
  // the returned one is still held.
  std::shared_ptr<const List> Free() const;
  // The volumes whose claimRef has this namespace and name, by name.
  const List& ReservedFor(const ObjectKey& claim) const;
  // The node labels by which volumes are, or once were, reached.
  const std::vector<Symbol>& node_labels() const { return node_labels_; }

 private:
  void OwnFree() const;
  void SortAdded() const;

  mutable std::shared_ptr<List> free_ = std::make_shared<List>();
  mutable List added_;  // free volumes that free_ lacks: a batch of them is sorted once
  HashMap<ObjectKey, List, ObjectKeyNumber> reserved_;
  std::vector<Symbol> node_labels_;
  size_t size_ = 0;
};

// The index of the first volume of a list by size that has this capacity.
size_t FirstOfSize(const ClassVolumes::List& volumes, const Quantity& capacity);

}  // namespace stowage
