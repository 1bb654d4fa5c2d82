// SyncTracker follows lists between their SYNC_BEGIN and SYNC_END marks: what a list did not
// mention is gone, and nothing is scheduled before each kind that began has ended once.
//
// A list that has an object without a readable name may mention anything: nothing is gone then.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/scheduler/object_store.h"

namespace stowage {

class SyncTracker {
 public:
  void Begin(const KindKey& kind) {
    lists_[kind] = List();
    if (!synced_.contains(kind)) waiting_.insert(kind);
  }

  void Mention(const KindKey& kind, const ObjectKey& key) {
    if (List* list = Find(kind); list != nullptr) list->mentioned.insert(key);
  }

  // The list has an object that cannot be told apart from others.
  void MentionUnnamed(const KindKey& kind) {
    if (List* list = Find(kind); list != nullptr) list->has_unnamed = true;
  }
  // The same, of an object of which not even the kind is known. Of several lists under way it is
  // not known which one has it.
  void MentionUnnamed() {
    if (lists_.size() == 1) lists_.begin()->second.has_unnamed = true;
  }

  // Whether a list of the kind is under way, and has mentioned the object.
  bool IsListing(const KindKey& kind) const { return lists_.contains(kind); }
  bool HasMentioned(const KindKey& kind, const ObjectKey& key) const {
    auto list = lists_.find(kind);
    return list != lists_.end() && list->second.mentioned.contains(key);
  }

  // The keys among `known` that the list did not mention. Without a Begin there are none.
  std::vector<ObjectKey> End(const KindKey& kind, const std::vector<ObjectKey>& known) {
    std::vector<ObjectKey> gone;
    auto list = lists_.find(kind);
    if (list == lists_.end()) return gone;
    const auto& [mentioned, has_unnamed] = list->second;
    for (const ObjectKey& key : known) {
      if (!has_unnamed && !mentioned.contains(key)) gone.push_back(key);
    }
    lists_.erase(list);
    waiting_.erase(kind);
    synced_.insert(kind);
    return gone;
  }

  // False while some kind's first list is incomplete.
  bool HasSynced() const { return waiting_.empty(); }

 private:
  struct List {
    std::set<ObjectKey> mentioned;
    bool has_unnamed = false;
  };

  List* Find(const KindKey& kind) {
    auto list = lists_.find(kind);
    return list == lists_.end() ? nullptr : &list->second;
  }

  std::map<KindKey, List> lists_;  // under way
  std::set<KindKey> waiting_;
  std::set<KindKey> synced_;
};

}  // namespace stowage
