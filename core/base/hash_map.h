// HashMap is for maps that every decision looks into: its entries lie in one block of memory, where
// a key is looked for from one place on. Mostly that is one visit to memory, where
// std::unordered_map has two, and no allocation for each entry.
//
// Keys and values have a default, which is what free places hold. Whatever is added or erased moves
// other entries: iterators and references live until then. The order of iteration means nothing.
//
// Number gives keys that were made one after the other numbers that are close to each other: they
// are looked up one after the other too, and find what they need of memory there already.
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
    uint32_t tag = 0;  // of the key; 0: the place is free
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

  // Adds a value made of `arguments` unless the key has one; gives whether it did.
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

  // Where the key is looked for first: keys that are neighbours have places in one group.
  size_t Wanted(uint32_t tag) const {
    uint32_t group = tag / kGroupPlaces * 0x9e3779b1u;
    group ^= group >> 15;
    return (group * kGroupPlaces + tag % kGroupPlaces) & (places_.size() - 1);
  }
  size_t After(size_t place) const { return (place + 1) & (places_.size() - 1); }

  // The number of places when the key has none.
  size_t Find(const Key& key, uint32_t tag) const {
    if (places_.empty()) return 0;
    size_t place = Wanted(tag);
    while (places_[place].tag != 0) {
      if (places_[place].tag == tag && places_[place].first == key) return place;
      place = After(place);
    }
    return places_.size();
  }
  size_t FreePlace(uint32_t tag) const {
    size_t place = Wanted(tag);
    while (places_[place].tag != 0) place = After(place);
    return place;
  }

  // Half of the places at least stay free, so that what is not there is soon not found.
  void MakeRoom() {
    if (2 * (size_ + 1) <= places_.size()) return;
    std::vector<Entry> before(places_.empty() ? kPlacesMin : 2 * places_.size());
    before.swap(places_);
    for (Entry& entry : before) {
      if (entry.tag != 0) places_[FreePlace(entry.tag)] = std::move(entry);
    }
  }

  // Entries behind it that could not have its place take it, so that no gap hides them.
  void Erase(size_t gap) {
    --size_;
    for (size_t place = After(gap); places_[place].tag != 0; place = After(place)) {
      size_t mask = places_.size() - 1;
      bool may_move = ((place - Wanted(places_[place].tag)) & mask) >= ((place - gap) & mask);
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

  std::vector<Entry> places_;  // a power of two, or none
  size_t size_ = 0;
};

}  // namespace stowage
