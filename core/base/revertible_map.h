// RevertibleMap is a HashMap whose changes can be reverted: while it has a savepoint, it keeps what
// each change replaces. So a savepoint costs time and memory only for what changes after it, where
// a copy of a HashMap would copy a block of entries for each change.
//
// Savepoints nest: the latest one is the first to be restored or released. A copy of the map has
// none.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/hash_map.h"

namespace stowage {

template <typename Key, typename Value, typename Number>
class RevertibleMap {
  using Map = HashMap<Key, Value, Number>;

 public:
  using const_iterator = typename Map::const_iterator;

  RevertibleMap() = default;
  RevertibleMap(const RevertibleMap& other) : map_(other.map_) {}
  RevertibleMap& operator=(const RevertibleMap& other) {
    DropTo(0);
    savepoints_.clear();
    map_ = other.map_;
    return *this;
  }
  ~RevertibleMap() { DropTo(0); }

  size_t size() const { return map_.size(); }
  bool empty() const { return map_.empty(); }
  // To iterate over.
  const Map& entries() const { return map_; }
  const_iterator end() const { return map_.end(); }
  const_iterator find(const Key& key) const { return map_.find(key); }
  bool contains(const Key& key) const { return map_.contains(key); }
  void ReadAhead(const Key& key) const { map_.ReadAhead(key); }

  // The value for writing, the default if it is new.
  Value& operator[](const Key& key) {
    auto [stored_key, value, is_new] = map_.try_emplace(key);
    if (!savepoints_.empty()) Keep(key, value, !is_new);
    return value;
  }
  // The value of an entry for writing.
  Value& Mutable(const_iterator entry) {
    if (!savepoints_.empty()) Keep(entry->first, entry->second, true);
    return map_.Mutable(entry);
  }
  // Makes room for so many entries.
  void Reserve(size_t size) { map_.Reserve(size); }
  void erase(const_iterator entry) {
    if (!savepoints_.empty()) Keep(entry->first, entry->second, true);
    map_.erase(entry);
  }
  void erase(const Key& key) {
    const_iterator entry = find(key);
    if (entry != end()) erase(entry);
  }

  void Save() { savepoints_.push_back(num_changes_); }
  // Reverts the changes since the latest savepoint, which ends.
  STOWAGE_COLD void Restore() {
    CHECK(!savepoints_.empty());
    for (; num_changes_ > savepoints_.back(); DropTo(num_changes_ - 1)) {
      if (latest_->was_there) {
        map_[latest_->key] = std::move(latest_->value);
      } else {
        map_.erase(latest_->key);
      }
    }
    savepoints_.pop_back();
  }
  // Keeps the changes since the latest savepoint, which ends; they belong to the one before.
  void Release() {
    CHECK(!savepoints_.empty());
    savepoints_.pop_back();
    if (savepoints_.empty()) DropTo(0);
  }

 private:
  // An entry before a change. The value is the default if it was not there.
  struct Replaced {
    Key key;
    Value value;
    bool was_there;
    Replaced* previous;
  };

  STOWAGE_COLD void Keep(const Key& key, const Value& value, bool was_there) {
    latest_ = new Replaced{key, value, was_there, latest_};
    ++num_changes_;
  }
  STOWAGE_COLD void DropTo(size_t num_changes) {
    for (; num_changes_ > num_changes; --num_changes_) {
      delete std::exchange(latest_, latest_->previous);
    }
  }

  Map map_;
  Replaced* latest_ = nullptr;  // null without savepoints
  size_t num_changes_ = 0;
  std::vector<size_t> savepoints_;  // the number of changes at each
};

}  // namespace stowage
