// SyncTracker follows lists between their SYNC_BEGIN and SYNC_END marks: what a list did not
// mention is gone, and nothing is scheduled before each kind that began has ended once.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/scheduler/object_store.h"

namespace stowage {

class SyncTracker {
 public:
  void Begin(const KindKey& kind) {
    seen_[kind].clear();
    if (!synced_.contains(kind)) waiting_.insert(kind);
  }

  void Mention(const KindKey& kind, const ObjectKey& key) {
    auto list = seen_.find(kind);
    if (list != seen_.end()) list->second.insert(key);
  }

  // The keys among `known` that the list did not mention. Without a Begin there are none.
  std::vector<ObjectKey> End(const KindKey& kind, const std::vector<ObjectKey>& known) {
    std::vector<ObjectKey> gone;
    auto list = seen_.find(kind);
    if (list == seen_.end()) return gone;
    for (const ObjectKey& key : known) {
      if (!list->second.contains(key)) gone.push_back(key);
    }
    seen_.erase(list);
    waiting_.erase(kind);
    synced_.insert(kind);
    return gone;
  }

  // False while some kind's first list is incomplete.
  bool HasSynced() const { return waiting_.empty(); }

 private:
  std::map<KindKey, std::set<ObjectKey>> seen_;
  std::set<KindKey> waiting_;
  std::set<KindKey> synced_;
};

}  // namespace stowage
