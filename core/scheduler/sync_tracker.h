// SyncTracker follows lists between their SYNC_BEGIN and SYNC_END marks: an object that the list
// did not mention is gone, and scheduling starts once every kind that began a list has ended one.
//
// If a list contains an object without a readable name, it may mention any object; nothing counts
// as gone then.
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

  // The list of `kind` contains an object without a readable name.
  void MentionUnnamed(const KindKey& kind) {
    if (List* list = Find(kind); list != nullptr) list->has_unnamed = true;
  }
  // Some list contains an object whose kind is unreadable too. If several lists are under way, it
  // may belong to any of them.
  void MentionUnnamed() {
    if (lists_.size() == 1) lists_.begin()->second.has_unnamed = true;
  }

  // Whether a list of the kind is under way and has mentioned the object.
  bool IsListing(const KindKey& kind) const { return lists_.contains(kind); }
  bool HasMentioned(const KindKey& kind, const ObjectKey& key) const {
    auto list = lists_.find(kind);
    return list != lists_.end() && list->second.mentioned.contains(key);
  }

  // Ends the list and returns the keys among `known` that it did not mention; none if no Begin
  // preceded it.
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

  // False while the first list of some kind is incomplete.
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
