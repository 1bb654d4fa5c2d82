// MergeEntries fills a map that is kept as a vector of entries (key, value), sorted by key, in one
// go: entry by entry, keys in falling order would take quadratic time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace stowage {

// Moves `added` into `entries`, which are sorted by key and keys unique, before and after. Of equal
// keys the last one counts, those of `added` after those that were there.
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
  std::stable_sort(entries->begin(), entries->end(),
                   [](const Entry& a, const Entry& b) { return a.first < b.first; });
  // Backwards, the last of equal keys is the first that unique meets.
  auto kept = std::unique(entries->rbegin(), entries->rend(),
                          [](const Entry& a, const Entry& b) { return a.first == b.first; });
  entries->erase(entries->begin(), kept.base());
}

}  // namespace stowage
