// HashMap is for maps that every decision reads, and for their copies in savepoints. A lookup
// searches from one place on: usually that is one access to the places, where std::unordered_map
// needs two, and there is no allocation per entry. Copies share their entries until one of them
// writes (SharedArray).
//
// Keys and values must have a default, which free places hold. Any change, and any access for
// writing, invalidates iterators and references. The order of iteration has no meaning.
//
// `Number` maps keys that were allocated one after the other to nearby numbers. Such keys are
// usually looked up together, so their places share cache lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/base/cold.h"
#include "core/base/read_ahead.h"
#include "core/base/shared_array.h"

namespace stowage {

// The place where the search for a number starts, among so many places (a power of two).
// Neighbouring numbers have neighbouring places, in groups that start anywhere. If the groups
// started at multiples of their size, numbers that are a multiple of it apart would share a few
// places, and objects of equal size are that far apart in memory.
inline size_t HomePlace(uint32_t number, size_t num_places) {
  constexpr uint32_t kGroupSize = 32;
  uint32_t group = number / kGroupSize * 0x9e3779b1u;
  group ^= group >> 15;
  return (group + number % kGroupSize) & (num_places - 1);
}

template <typename Key, typename Value, typename Number>
class HashMap {
 public:
  struct Entry {
    Key first{};
    Value second{};
    uint32_t tag = 0;  // from the key's number; 0: the place is free
  };

  class const_iterator {
   public:
    const_iterator() = default;

    const Entry& operator*() const { return map_->places_[place_]; }
    const Entry* operator->() const { return &map_->places_[place_]; }
    const_iterator& operator++() {
      ++place_;
      SkipFree();
      return *this;
    }
    friend bool operator==(const const_iterator& a, const const_iterator& b) {
      return a.place_ == b.place_;
    }

   private:
    friend class HashMap;

    const_iterator(const HashMap* map, size_t place) : map_(map), place_(place) {}
    void SkipFree() {
      while (place_ != map_->places_.size() && map_->places_[place_].tag == 0) ++place_;
    }

    const HashMap* map_ = nullptr;
    size_t place_ = 0;
  };
  // A value for writing, and whether it is new.
  struct Placed {
    const Key& key;
    Value& value;
    bool is_new;
  };

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const_iterator begin() const {
    const_iterator first(this, 0);
    first.SkipFree();
    return first;
  }
  const_iterator end() const { return {this, places_.size()}; }

  const_iterator find(const Key& key) const { return {this, Find(key, TagOf(key))}; }
  bool contains(const Key& key) const { return Find(key, TagOf(key)) != places_.size(); }

  // Reads the place where the search for the key starts, whether or not the key exists.
  void ReadAhead(const Key& key) const {
    if (!places_.empty()) stowage::ReadAhead(places_[HomePlace(TagOf(key), places_.size())]);
  }

  // The value for writing.
  Value& Mutable(const_iterator entry) { return places_.Mutable(entry.place_).second; }
  // Adds a value constructed from `arguments` unless the key exists.
  template <typename... Arguments>
  Placed try_emplace(const Key& key, Arguments&&... arguments) {
    uint32_t tag = TagOf(key);
    if (places_.empty()) Grow();
    size_t place = Search(key, tag);
    bool is_new = places_[place].tag == 0;
    // At least half of the places stay free, so that lookups of absent keys end soon.
    if (is_new && 2 * (size_ + 1) > places_.size()) {
      Grow();
      place = Search(key, tag);
    }
    Entry& entry = places_.Mutable(place);
    if (is_new) {
      entry.first = key;
      entry.second = Value{std::forward<Arguments>(arguments)...};
      entry.tag = tag;
      ++size_;
    }
    return {entry.first, entry.second, is_new};
  }
  Value& operator[](const Key& key) { return try_emplace(key).value; }

  // Makes room for so many entries, so that adding them moves none.
  void Reserve(size_t size) {
    while (2 * size > places_.size()) Grow();
  }

  void erase(const_iterator entry) { Erase(entry.place_); }
  size_t erase(const Key& key) {
    size_t place = Find(key, TagOf(key));
    if (place == places_.size()) return 0;
    Erase(place);
    return 1;
  }
  void clear() { *this = HashMap(); }

 private:
  static constexpr size_t kPlacesMin = 16;

  static uint32_t TagOf(const Key& key) {
    auto tag = static_cast<uint32_t>(Number()(key));
    return tag == 0 ? 1 : tag;
  }

  size_t After(size_t place) const { return (place + 1) & (places_.size() - 1); }

  // The place of the key; the number of places if it is absent.
  size_t Find(const Key& key, uint32_t tag) const {
    if (places_.empty()) return 0;
    size_t place = Search(key, tag);
    return places_[place].tag == 0 ? places_.size() : place;
  }
  // The place of the key, or the free place for it.
  size_t Search(const Key& key, uint32_t tag) const {
    size_t place = HomePlace(tag, places_.size());
    for (;;) {
      const Entry& entry = places_[place];
      if (entry.tag == 0 || (entry.tag == tag && entry.first == key)) return place;
      place = After(place);
    }
  }

  STOWAGE_COLD void Grow() {
    SharedArray<Entry> before(places_.empty() ? kPlacesMin : 2 * places_.size());
    before.swap(places_);
    for (size_t from = 0; from < before.size(); ++from) {
      uint32_t tag = before[from].tag;
      if (tag == 0) continue;
      size_t place = HomePlace(tag, places_.size());
      while (places_[place].tag != 0) place = After(place);
      places_.Mutable(place) = std::move(before.Mutable(from));
    }
  }

  // Moves up the entries behind the gap that could not have its place, so that no gap hides them.
  void Erase(size_t gap) {
    --size_;
    for (size_t place = After(gap); places_[place].tag != 0; place = After(place)) {
      size_t mask = places_.size() - 1;
      bool may_move = ((place - HomePlace(places_[place].tag, places_.size())) & mask) >=
                      ((place - gap) & mask);
      if (!may_move) continue;
      Entry& moved = places_.Mutable(place);
      places_.Mutable(gap) = std::move(moved);
      gap = place;
    }
    places_.Mutable(gap) = Entry();
  }

  SharedArray<Entry> places_;  // its size is a power of two, or 0
  size_t size_ = 0;
};

}  // namespace stowage
