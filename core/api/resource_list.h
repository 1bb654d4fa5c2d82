// ResourceList maps resource names to exact quantities (v1.ResourceList), sorted by name.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/api/quantity.h"
#include "core/api/sorted_entries.h"
#include "core/base/symbol.h"

namespace stowage {

class ResourceList {
 public:
  using Entry = std::pair<Symbol, Quantity>;

  // The entry of `name`, added as 0 when absent.
  Quantity& operator[](const Symbol& name) {
    auto place = std::lower_bound(
        entries_.begin(), entries_.end(), name,
        [](const Entry& entry, const Symbol& other) { return entry.first < other; });
    if (place == entries_.end() || place->first != name) place = entries_.insert(place, {name, {}});
    return place->second;
  }

  // Sets all of `entries`, whose order is free, and empties it; of equal names the last counts.
  void SetAll(std::vector<Entry>* entries) { MergeEntries(entries, &entries_); }

  // Null when absent.
  const Quantity* Find(const Symbol& name) const {
    for (const Entry& entry : entries_) {
      if (entry.first == name) return &entry.second;
    }
    return nullptr;
  }

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  void clear() { entries_.clear(); }

  friend bool operator==(const ResourceList&, const ResourceList&) = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace stowage
