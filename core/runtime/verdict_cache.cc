#include "core/runtime/verdict_cache.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

constexpr size_t kMaxSeenOnce = 100'000;

}  // namespace

const VerdictEntry* VerdictCache::Find(const Pod& pod) {
  if (options_.mode == VerdictCacheMode::kOff) return nullptr;
  PodSignature signature;
  Vouching vouching = framework_.AppendAllFragments(pod, &signature);
  VerdictEntry* entry = Lookup(std::move(signature), vouching);
  if (entry == nullptr) return nullptr;
  bool is_usable = entry->Refresh(pod);
  Evict();
  return is_usable ? entry : nullptr;
}

VerdictEntry* VerdictCache::Lookup(PodSignature signature, Vouching vouching) {
  auto found = by_signature_.find(signature);
  if (found != by_signature_.end() && options_.refills) {
    entries_.erase(found->second);
    by_signature_.erase(found);
  } else if (found != by_signature_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    return &*found->second;
  }
  if (options_.mode == VerdictCacheMode::kSecondUse) {
    if (seen_once_.size() >= kMaxSeenOnce) seen_once_.clear();
    if (seen_once_.try_emplace(signature).second) return nullptr;
    seen_once_.erase(signature);
  }
  entries_.emplace_front(framework_, signature, vouching);
  by_signature_.emplace(std::move(signature), entries_.begin());
  return &entries_.front();
}

// Entries are of one size while the number of nodes stays; the newest always stays.
void VerdictCache::Evict() {
  size_t capacity = std::max<size_t>(1, options_.max_bytes / entries_.front().bytes());
  while (entries_.size() > capacity) {
    by_signature_.erase(entries_.back().signature());
    entries_.pop_back();
  }
}

}  // namespace stowage
