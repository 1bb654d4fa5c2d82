// ResourceList maps resource names to exact quantities (v1.ResourceList), sorted by name.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/api/quantity.h"
#include "core/api/shared.h"
#include "core/api/sorted_entries.h"
#include "core/base/symbol.h"

namespace stowage {

class ResourceList {
 public:
  using Entry = std::pair<Symbol, Quantity>;

  // The entry of `name`, added as 0 if absent.
  Quantity& operator[](const Symbol& name) {
    std::vector<Entry>& entries = entries_.Mutable();
    auto place = std::lower_bound(
        entries.begin(), entries.end(), name,
        [](const Entry& entry, const Symbol& other) { return entry.first < other; });
    if (place == entries.end() || place->first != name) place = entries.insert(place, {name, {}});
    return place->second;
  }

  // Sets all of `entries`, given in any order, and clears it; for equal names the last one counts.
  void SetAll(std::vector<Entry>* entries) {
    if (!entries->empty()) MergeEntries(entries, &entries_.Mutable());
  }

  // Null if absent.
  const Quantity* Find(const Symbol& name) const { return FindEntry(entries_, name); }

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  void clear() { entries_.clear(); }

  // Whether both are the same list; equal lists may differ.
  bool IsSame(const ResourceList& other) const { return entries_.IsSame(other.entries_); }
  friend bool operator==(const ResourceList&, const ResourceList&) = default;

 private:
  SharedList<Entry> entries_;
};

}  // namespace stowage
