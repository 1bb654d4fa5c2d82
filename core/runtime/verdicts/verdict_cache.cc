#include "core/runtime/verdicts/verdict_cache.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/api/pod_template.h"
#include "core/base/cold.h"

namespace stowage {
namespace {

constexpr size_t kMaxSeenOnce = 100'000;
constexpr size_t kMaxTemplates = 1024;

}  // namespace

const VerdictEntry* VerdictCache::Find(const Pod& pod) {
  if (options_.mode == VerdictCacheMode::kOff) return nullptr;
  SizedEntry* entry = Lookup(pod);
  if (entry == nullptr) return nullptr;
  bool is_usable = entry->entry.Refresh(pod);
  Count(entry);
  if (bytes_ > options_.max_bytes) Evict();
  return is_usable ? &entry->entry : nullptr;
}

void VerdictCache::Count(SizedEntry* entry) {
  bytes_ -= entry->bytes;
  entry->bytes = entry->entry.bytes();
  bytes_ += entry->bytes;
}

// The entry used last may have grown since it was counted. To be called before another one is used.
void VerdictCache::CountLast() {
  if (!entries_.empty()) Count(&entries_.front());
}

STOWAGE_COLD void VerdictCache::Forget() {
  templates_.clear();
  by_signature_.clear();
  seen_once_.clear();
  entries_.clear();
  bytes_ = 0;
}

bool VerdictCache::Template::Serves(const Pod& other, const FragmentSources& now) const {
  return sources == now && AreOfOneTemplate(pod, other);
}

VerdictCache::SizedEntry* VerdictCache::Lookup(const Pod& pod) {
  FragmentSources sources = framework_.FragmentSourcesFor(pod);
  size_t hash = HashOfTemplate(pod);
  auto known = templates_.find(hash);
  if (known != templates_.end() && known->second.Serves(pod, sources)) {
    Entries::iterator entry = known->second.entry;
    if (entry != entries_.begin()) {
      CountLast();
      entries_.splice(entries_.begin(), entries_, entry);
    }
    return &*entry;
  }
  CountLast();
  PodSignature signature;
  UncachedPlugins uncached = framework_.AppendAllFragments(pod, &signature);
  SizedEntry* entry = LookupSignature(std::move(signature), uncached);
  // A signature that occurs only once gets no template and usually shares no bases, nor do pods
  // whose claims differ.
  if (entry == nullptr || uncached.reads_devices) return entry;
  bool is_met_again = entry->bytes > 0;
  if (!entry->entry.shares_bases() && (is_met_again || HasBasesOfContainers(pod))) {
    entry->entry.ShareBases(BasesFor(pod, uncached));
  }
  if (is_met_again) {
    if (templates_.size() >= kMaxTemplates) templates_.clear();
    templates_.insert_or_assign(hash, Template{pod, sources, entries_.begin()});
  }
  return entry;
}

STOWAGE_COLD VerdictCache::SizedEntry* VerdictCache::LookupSignature(PodSignature signature,
                                                                     UncachedPlugins uncached) {
  auto found = by_signature_.find(signature);
  if (found != by_signature_.end() && options_.refills) {
    Erase(found->second);
  } else if (found != by_signature_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    return &*found->second;
  }
  // Devices take long to allocate on every node, and claims are often unlike all others.
  if (options_.mode == VerdictCacheMode::kSecondUse || uncached.reads_devices) {
    if (seen_once_.size() >= kMaxSeenOnce) seen_once_.clear();
    if (seen_once_.try_emplace(signature).second) return nullptr;
    seen_once_.erase(signature);
  }
  entries_.emplace_front(framework_, signature, uncached, &buffers_);
  by_signature_.emplace(std::move(signature), entries_.begin());
  if (entries_.size() > 1 && bytes_ + entries_.back().bytes > options_.max_bytes) {
    entries_.front().entry.TakeMemoryOf(&entries_.back().entry);
    Erase(std::prev(entries_.end()));
  }
  return &entries_.front();
}

// Whether there may be bases for the pod: those of a pod with the same containers.
bool VerdictCache::HasBasesOfContainers(const Pod& pod) const {
  return std::ranges::any_of(known_bases_, [&pod](const KnownBases& known) {
    return pod.spec.containers.IsSame(known.containers);
  });
}

STOWAGE_COLD std::shared_ptr<BaseScores> VerdictCache::BasesFor(const Pod& pod,
                                                                UncachedPlugins uncached) {
  PodSignature signature;
  framework_.AppendBaseFragments(pod, uncached, &signature);
  KnownBases& known = known_bases_[signature.Hash() % kKnownBases];
  std::shared_ptr<BaseScores> bases;
  if (known.signature == signature) bases = known.bases.lock();
  if (bases == nullptr) {
    bases = std::make_shared<BaseScores>();
    known = {std::move(signature), pod.spec.containers, bases};
  }
  return bases;
}

STOWAGE_COLD void VerdictCache::Erase(Entries::iterator entry) {
  templates_.clear();  // any of them may refer to that entry
  bytes_ -= entry->bytes;
  by_signature_.erase(entry->entry.signature());
  entries_.erase(entry);
}

// The most recently used entry always stays.
STOWAGE_COLD void VerdictCache::Evict() {
  while (bytes_ > options_.max_bytes && entries_.size() > 1) Erase(std::prev(entries_.end()));
}

}  // namespace stowage
