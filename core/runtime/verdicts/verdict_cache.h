// VerdictCache remembers what a profile's plugins said about every node for pods of one signature,
// and looks again only at nodes that changed.
//
// It may change speed, never a decision: the plain form in core/scheduler/plain_cycle.cc is
// the reference, and tests/core/runtime/verdicts/verdict_cache_test.cc proves both equal.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>

#include "core/api/pod.h"
#include "core/framework/pod_signature.h"
#include "core/runtime/verdicts/verdict_entry.h"

namespace stowage {

// When a signature gets an entry. Tests run every mode; kFirstUse is what runs.
enum class VerdictCacheMode : uint8_t { kOff, kFirstUse, kSecondUse };

struct VerdictCacheOptions {
  VerdictCacheMode mode = VerdictCacheMode::kFirstUse;
  size_t max_bytes = size_t{64} << 20;
  bool refills = false;  // tests alone: every use begins with nothing, as with a log that ran over
};

class VerdictCache {
 public:
  VerdictCache(const Framework& framework, VerdictCacheOptions options)
      : framework_(framework), options_(options) {}

  // The refreshed entry for this pod, or null when it has to be decided plainly.
  const VerdictEntry* Find(const Pod& pod);

  // After a question that was refused midway: what an entry has read may be incomplete.
  void Forget();

  size_t size() const { return entries_.size(); }

 private:
  struct Kept {
    Kept(const Framework& framework, PodSignature signature, Vouching vouching)
        : entry(framework, std::move(signature), vouching) {}

    VerdictEntry entry;
    size_t bytes = 0;  // of the entry, when it was counted last
  };
  // Most recently used first.
  using Entries = std::list<Kept>;
  // A pod whose entry was found by its signature: others of its template have the same one for as
  // long as what fragments read besides pods stays.
  struct Template {
    Pod pod;
    FragmentSources sources;
    Entries::iterator entry;
  };

  Kept* Lookup(const Pod& pod);
  Kept* LookupSignature(PodSignature signature, Vouching vouching);
  void Count(Kept* kept);
  void Erase(Entries::iterator entry);
  void Evict();

  const Framework& framework_;
  VerdictCacheOptions options_;
  Entries entries_;
  size_t bytes_ = 0;                                // of all entries, as they were counted
  std::unordered_map<size_t, Template> templates_;  // by hash
  std::unordered_map<PodSignature, Entries::iterator, PodSignatureHash> by_signature_;
  std::unordered_map<PodSignature, bool, PodSignatureHash> seen_once_;
};

}  // namespace stowage
