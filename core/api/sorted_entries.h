// Maps stored as a vector of (key, value) entries, sorted by key, with unique keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "core/base/stable_sort.h"
#include "core/base/symbol.h"

namespace stowage {

// FindEntry for many entries. Separate, so that FindEntry is small enough to be inlined.
template <typename Entries>
[[gnu::noinline]] auto FindAmongMany(const Entries& entries, const Symbol& key)
    -> decltype(&entries.begin()->second) {
  auto place = std::lower_bound(entries.begin(), entries.end(), key,
                                [](const auto& entry, const Symbol& k) { return entry.first < k; });
  return place != entries.end() && place->first == key ? &place->second : nullptr;
}

// The value of `key`; null if it is absent. With few entries, comparing all symbols by identity is
// faster than a search that compares texts.
template <typename Entries>
auto FindEntry(const Entries& entries, const Symbol& key) -> decltype(&entries.begin()->second) {
  constexpr size_t kFewEntries = 32;
  if (entries.size() > kFewEntries) return FindAmongMany(entries, key);
  for (const auto& entry : entries) {
    if (entry.first == key) return &entry.second;
  }
  return nullptr;
}

// Moves `added` into `entries`, whose keys are sorted and unique before and after. For equal keys
// the last one stays, where `added` comes after `entries`. All are added at once, because adding
// keys in descending order one by one would take quadratic time.
template <typename Entry>
void MergeEntries(std::vector<Entry>* added, std::vector<Entry>* entries) {
  if (entries->empty()) {
    entries->swap(*added);
  } else {
    std::move(added->begin(), added->end(), std::back_inserter(*entries));
    added->clear();
  }
  auto is_not_before = [](const Entry& a, const Entry& b) { return !(a.first < b.first); };
  if (std::adjacent_find(entries->begin(), entries->end(), is_not_before) == entries->end()) return;
  StableSort(entries, [](const Entry& a, const Entry& b) { return a.first < b.first; });
  // In reverse, the last of equal keys is the first one that unique keeps.
  auto kept = std::unique(entries->rbegin(), entries->rend(),
                          [](const Entry& a, const Entry& b) { return a.first == b.first; });
  entries->erase(entries->begin(), kept.base());
}

}  // namespace stowage
