// HashMap is for maps that every decision reads. Its entries are in one block of memory, and a
// lookup searches from one place on. Usually that is one memory access, where std::unordered_map
// needs two, and no allocation per entry.
//
// Keys and values must have a default, which free places hold. Adding or erasing moves other
// entries and invalidates iterators and references. The order of iteration has no meaning.
//
// `Number` maps keys that were allocated one after the other to nearby numbers. Such keys are
// usually looked up together, so their places share cache lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace stowage {

template <typename Key, typename Value, typename Number>
class HashMap {
 public:
  struct Entry {
    Key first{};
    Value second{};
    uint32_t tag = 0;  // from the key's number; 0: the place is free
  };

  template <bool kIsConst>
  class Iterator {
   public:
    using Place = std::conditional_t<kIsConst, const Entry*, Entry*>;

    Iterator() = default;
    Iterator(Place at, Place end) : at_(at), end_(end) {}
    operator Iterator<true>() const { return {at_, end_}; }  // NOLINT: implicit on purpose

    auto& operator*() const { return *at_; }
    Place operator->() const { return at_; }
    Iterator& operator++() {
      ++at_;
      SkipFree();
      return *this;
    }
    void SkipFree() {
      while (at_ != end_ && at_->tag == 0) ++at_;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    Place at_ = nullptr;
    Place end_ = nullptr;
  };
  using iterator = Iterator<false>;
  using const_iterator = Iterator<true>;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  iterator begin() { return First<iterator>(places_.data()); }
  const_iterator begin() const { return First<const_iterator>(places_.data()); }
  iterator end() { return {places_.data() + places_.size(), places_.data() + places_.size()}; }
  const_iterator end() const {
    return {places_.data() + places_.size(), places_.data() + places_.size()};
  }

  iterator find(const Key& key) { return At<iterator>(places_.data(), Find(key, TagOf(key))); }
  const_iterator find(const Key& key) const {
    return At<const_iterator>(places_.data(), Find(key, TagOf(key)));
  }
  bool contains(const Key& key) const { return Find(key, TagOf(key)) != places_.size(); }

  // Adds a value constructed from `arguments` unless the key exists; returns whether it added one.
  template <typename... Arguments>
  std::pair<iterator, bool> try_emplace(const Key& key, Arguments&&... arguments) {
    uint32_t tag = TagOf(key);
    size_t place = Find(key, tag);
    bool is_new = place == places_.size();
    if (is_new) {
      MakeRoom();
      place = FreePlace(tag);
      places_[place] = {key, Value{std::forward<Arguments>(arguments)...}, tag};
      ++size_;
    }
    return {At<iterator>(places_.data(), place), is_new};
  }
  Value& operator[](const Key& key) { return try_emplace(key).first->second; }

  void erase(iterator entry) { Erase(static_cast<size_t>(&*entry - places_.data())); }
  size_t erase(const Key& key) {
    size_t place = Find(key, TagOf(key));
    if (place == places_.size()) return 0;
    Erase(place);
    return 1;
  }
  void clear() { *this = HashMap(); }

 private:
  static constexpr size_t kPlacesMin = 16;
  static constexpr uint32_t kGroupPlaces = 32;

  static uint32_t TagOf(const Key& key) {
    auto tag = static_cast<uint32_t>(Number()(key));
    return tag == 0 ? 1 : tag;
  }

  // The place where the search for a key starts; neighbouring keys have places in one group.
  size_t HomePlaceOf(uint32_t tag) const {
    uint32_t group = tag / kGroupPlaces * 0x9e3779b1u;
    group ^= group >> 15;
    return (group * kGroupPlaces + tag % kGroupPlaces) & (places_.size() - 1);
  }
  size_t After(size_t place) const { return (place + 1) & (places_.size() - 1); }

  // The place of the key; the number of places if it is absent.
  size_t Find(const Key& key, uint32_t tag) const {
    if (places_.empty()) return 0;
    size_t place = HomePlaceOf(tag);
    while (places_[place].tag != 0) {
      if (places_[place].tag == tag && places_[place].first == key) return place;
      place = After(place);
    }
    return places_.size();
  }
  size_t FreePlace(uint32_t tag) const {
    size_t place = HomePlaceOf(tag);
    while (places_[place].tag != 0) place = After(place);
    return place;
  }

  // Keeps at least half of the places free, so that lookups of absent keys end soon.
  void MakeRoom() {
    if (2 * (size_ + 1) <= places_.size()) return;
    std::vector<Entry> before(places_.empty() ? kPlacesMin : 2 * places_.size());
    before.swap(places_);
    for (Entry& entry : before) {
      if (entry.tag != 0) places_[FreePlace(entry.tag)] = std::move(entry);
    }
  }

  // Moves up the entries behind the gap that could not have its place, so that no gap hides them.
  void Erase(size_t gap) {
    --size_;
    for (size_t place = After(gap); places_[place].tag != 0; place = After(place)) {
      size_t mask = places_.size() - 1;
      bool may_move = ((place - HomePlaceOf(places_[place].tag)) & mask) >= ((place - gap) & mask);
      if (!may_move) continue;
      places_[gap] = std::move(places_[place]);
      gap = place;
    }
    places_[gap] = Entry();
  }

  template <typename It, typename Places>
  It At(Places* places, size_t place) const {
    return {places + place, places + places_.size()};
  }
  template <typename It, typename Places>
  It First(Places* places) const {
    It first(places, places + places_.size());
    first.SkipFree();
    return first;
  }

  std::vector<Entry> places_;  // size is a power of two, or 0
  size_t size_ = 0;
};

}  // namespace stowage
