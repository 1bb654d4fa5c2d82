// VerdictCache keeps the verdicts of a profile's plugins on every node for pods of one signature,
// and calls the plugins again only for nodes that changed.
//
// It affects speed only, never a decision: the plain form in core/scheduler/plain_cycle.cc is the
// reference, and tests/core/runtime/verdicts/verdict_cache_test.cc compares both.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/api/pod.h"
#include "core/framework/pod_signature.h"
#include "core/runtime/verdicts/verdict_entry.h"

namespace stowage {

// When a signature gets an entry. kFirstUse is the default; tests run every mode.
enum class VerdictCacheMode : uint8_t { kOff, kFirstUse, kSecondUse };

struct VerdictCacheOptions {
  VerdictCacheMode mode = VerdictCacheMode::kFirstUse;
  size_t max_bytes = size_t{64} << 20;
  bool refills = false;  // for tests: every use refills the entry, as after a log overflow
};

class VerdictCache {
 public:
  VerdictCache(const Framework& framework, VerdictCacheOptions options)
      : framework_(framework), options_(options) {}

  // The refreshed entry for this pod, or null if the plain form must decide.
  const VerdictEntry* Find(const Pod& pod);

  // Drops all entries. Call it after an evaluation that stopped midway: entries may be incomplete.
  void Forget();

  size_t size() const { return entries_.size(); }

 private:
  struct SizedEntry {
    SizedEntry(const Framework& framework, PodSignature signature, UncachedPlugins uncached,
               VerdictEntry::Buffers* buffers)
        : entry(framework, std::move(signature), uncached, buffers) {}

    VerdictEntry entry;
    size_t bytes = 0;  // size of the entry at the last Count
  };
  // Most recently used first.
  using Entries = std::list<SizedEntry>;
  // A pod whose entry was found by its signature. Pods of the same template have the same entry
  // until what fragments read besides pods changes.
  struct Template {
    Pod pod;
    FragmentSources sources;
    Entries::iterator entry;

    bool Serves(const Pod& other, const FragmentSources& now) const;
  };

  // Bases, and the fragments that they depend on.
  struct KnownBases {
    PodSignature signature;
    SharedList<Container> containers;  // of a pod that has these bases
    std::weak_ptr<BaseScores> bases;
  };
  static constexpr size_t kKnownBases = 64;

  SizedEntry* Lookup(const Pod& pod);
  SizedEntry* LookupSignature(PodSignature signature, UncachedPlugins uncached);
  bool HasBasesOfContainers(const Pod& pod) const;
  std::shared_ptr<BaseScores> BasesFor(const Pod& pod, UncachedPlugins uncached);
  void Count(SizedEntry* entry);
  void CountLast();
  void Erase(Entries::iterator entry);
  void Evict();

  const Framework& framework_;
  VerdictCacheOptions options_;
  VerdictEntry::Buffers buffers_;
  Entries entries_;
  size_t bytes_ = 0;                                // of all entries, as last counted
  std::unordered_map<size_t, Template> templates_;  // by hash
  std::unordered_map<PodSignature, Entries::iterator, PodSignatureHash> by_signature_;
  std::unordered_map<PodSignature, bool, PodSignatureHash> seen_once_;
  // Entries keep the bases. Each has a place by its signature, which others may take.
  std::vector<KnownBases> known_bases_ = std::vector<KnownBases>(kKnownBases);
};

}  // namespace stowage
