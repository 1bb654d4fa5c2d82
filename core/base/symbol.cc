#include "core/base/symbol.h"

#include <cstring>
#include <new>
#include <vector>

#include "core/base/equal_bytes.h"

namespace stowage {
namespace {

// Hashes eight bytes at a time, because names and uids are long.
uint32_t HashText(std::string_view text) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15u;
  uint64_t hash = text.size();
  auto mix = [&hash](uint64_t word) {
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 32;
  };
  uint64_t word = 0;
  while (text.size() >= sizeof word) {
    std::memcpy(&word, text.data(), sizeof word);
    mix(word);
    text.remove_prefix(sizeof word);
  }
  word = 0;
  std::memcpy(&word, text.data(), text.size());
  mix(word);
  return static_cast<uint32_t>(hash);
}

}  // namespace

// One table per program: symbols of different schedulers may meet (tests, forks), and the engine is
// single-threaded.
class SymbolTable {
 public:
  using Entry = Symbol::Entry;

  static SymbolTable& Get() {
    static SymbolTable* table =
        new SymbolTable;  // never destroyed: symbols may be destroyed after it
    return *table;
  }

  Entry* Find(std::string_view text, uint32_t hash) const {
    return places_[Search(text, hash)].entry;
  }

  Entry* Intern(std::string_view text) {
    uint32_t hash = HashText(text);
    size_t place = Search(text, hash);
    if (Entry* found = places_[place].entry; found != nullptr) return found;
    if (2 * (count_ + 1) > places_.size()) {
      Grow();
      place = Search(text, hash);
    }
    void* memory = ::operator new(sizeof(Entry) + text.size());
    Entry* entry = new (memory) Entry{0, hash, static_cast<uint32_t>(text.size())};
    std::memcpy(entry->text(), text.data(), text.size());
    places_[place] = {entry, hash};
    ++count_;
    return entry;
  }

  // Moves up the entries behind the gap that could not have its place, so that no gap hides them.
  void Erase(Entry* entry) {
    size_t gap = entry->hash & mask();
    while (places_[gap].entry != entry) gap = After(gap);
    for (size_t place = After(gap); places_[place].entry != nullptr; place = After(place)) {
      size_t home = places_[place].hash & mask();
      if (((place - home) & mask()) < ((place - gap) & mask())) continue;
      places_[gap] = places_[place];
      gap = place;
    }
    places_[gap] = Place();
    --count_;
    ::operator delete(entry, sizeof(Entry) + entry->size);
  }

  size_t count() const { return count_; }

 private:
  // The hash stands beside the entry, so that a search reads no entry of another text.
  struct Place {
    Entry* entry = nullptr;  // null: the place is free
    uint32_t hash = 0;
  };

  SymbolTable() : places_(2048) {}

  size_t mask() const { return places_.size() - 1; }
  size_t After(size_t place) const { return (place + 1) & mask(); }

  static bool IsText(const Entry& entry, std::string_view text) {
    return entry.size == text.size() && EqualBytes(entry.text(), text.data(), text.size());
  }

  // The place of the text, or the free place for it. At least half of the places are free.
  size_t Search(std::string_view text, uint32_t hash) const {
    size_t place = hash & mask();
    for (; places_[place].entry != nullptr; place = After(place)) {
      if (places_[place].hash == hash && IsText(*places_[place].entry, text)) break;
    }
    return place;
  }

  void Grow() {
    std::vector<Place> before(places_.size() * 2);
    before.swap(places_);
    for (const Place& old : before) {
      if (old.entry == nullptr) continue;
      size_t place = old.hash & mask();
      while (places_[place].entry != nullptr) place = After(place);
      places_[place] = old;
    }
  }

  std::vector<Place> places_;  // its size is a power of two
  size_t count_ = 0;
};

Symbol::Symbol(std::string_view text) {
  if (text.empty()) return;
  entry_ = SymbolTable::Get().Intern(text);
  Retain();
}

Symbol Symbol::Find(std::string_view text) {
  if (text.empty()) return Symbol();
  return Symbol(SymbolTable::Get().Find(text, HashText(text)));
}

void Symbol::Free(Entry* entry) { SymbolTable::Get().Erase(entry); }

size_t Symbol::LiveCount() { return SymbolTable::Get().count(); }

}  // namespace stowage
