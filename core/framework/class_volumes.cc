#include "core/framework/class_volumes.h"

#include <algorithm>
#include <iterator>

#include "core/api/volume_helpers.h"
#include "core/base/check.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

bool IsSmaller(const PersistentVolume& a, const PersistentVolume& b) {
  int order = StorageIn(a.spec.capacity).Compare(StorageIn(b.spec.capacity));
  return order == 0 ? a.metadata.name < b.metadata.name : order < 0;
}

bool IsSmallerRef(const PersistentVolumeRef& a, const PersistentVolumeRef& b) {
  return IsSmaller(*a, *b);
}

bool IsNamedBefore(const PersistentVolumeRef& volume, const Symbol& name) {
  return volume->metadata.name < name;
}

}  // namespace

void ClassVolumes::Add(const PersistentVolumeRef& volume) {
  ++size_;
  AppendNodeLabels(*volume, &node_labels_);
  const auto& claim = volume->spec.claim_ref;
  if (!claim) return added_.push_back(volume);
  List& list = reserved_[{claim->namespace_, claim->name}];
  list.insert(std::lower_bound(list.begin(), list.end(), volume->metadata.name, IsNamedBefore),
              volume);
}

void ClassVolumes::Remove(const PersistentVolume& volume) {
  --size_;
  if (const auto& claim = volume.spec.claim_ref) {
    ObjectKey key{claim->namespace_, claim->name};
    List& list = reserved_[key];
    std::erase_if(list,
                  [&](const auto& one) { return one->metadata.name == volume.metadata.name; });
    if (list.empty()) reserved_.erase(key);
    return;
  }
  SortAdded();
  OwnFree();
  auto place = std::partition_point(free_->begin(), free_->end(),
                                    [&volume](const auto& one) { return IsSmaller(*one, volume); });
  CHECK(place != free_->end());
  CHECK((*place)->metadata.name == volume.metadata.name);
  free_->erase(place);
}

std::shared_ptr<const ClassVolumes::List> ClassVolumes::Free() const {
  SortAdded();
  return free_;
}

const ClassVolumes::List& ClassVolumes::ReservedFor(const ObjectKey& claim) const {
  static const auto* none = new List;
  auto found = reserved_.find(claim);
  return found == reserved_.end() ? *none : found->second;
}

void ClassVolumes::OwnFree() const {
  if (free_.use_count() > 1) free_ = std::make_shared<List>(*free_);
}

void ClassVolumes::SortAdded() const {
  if (added_.empty()) return;
  OwnFree();
  StableSort(&added_, IsSmallerRef);
  auto num_sorted = static_cast<std::ptrdiff_t>(free_->size());
  std::ranges::move(added_, std::back_inserter(*free_));
  std::inplace_merge(free_->begin(), free_->begin() + num_sorted, free_->end(), IsSmallerRef);
  added_.clear();
}

size_t FirstOfSize(const ClassVolumes::List& volumes, const Quantity& capacity) {
  auto first = std::partition_point(volumes.begin(), volumes.end(), [&](const auto& volume) {
    return StorageIn(volume->spec.capacity).Compare(capacity) < 0;
  });
  return static_cast<size_t>(first - volumes.begin());
}

}  // namespace stowage
