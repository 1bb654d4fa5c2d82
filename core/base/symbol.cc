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
    for (Entry* entry = buckets_[hash & mask()]; entry != nullptr; entry = entry->next) {
      if (entry->hash == hash && entry->size == text.size() &&
          EqualBytes(entry->text(), text.data(), text.size())) {
        return entry;
      }
    }
    return nullptr;
  }

  Entry* Intern(std::string_view text) {
    uint32_t hash = HashText(text);
    if (Entry* found = Find(text, hash); found != nullptr) return found;
    if (2 * count_ >= buckets_.size()) Grow();
    void* memory = ::operator new(sizeof(Entry) + text.size());
    Entry* entry = new (memory) Entry{0, hash, static_cast<uint32_t>(text.size()), nullptr};
    std::memcpy(entry->text(), text.data(), text.size());
    Link(entry);
    ++count_;
    return entry;
  }

  void Erase(Entry* entry) {
    Entry** link = &buckets_[entry->hash & mask()];
    while (*link != entry) link = &(*link)->next;
    *link = entry->next;
    --count_;
    ::operator delete(entry, sizeof(Entry) + entry->size);
  }

  size_t count() const { return count_; }

 private:
  SymbolTable() : buckets_(1024, nullptr) {}

  uint32_t mask() const { return static_cast<uint32_t>(buckets_.size() - 1); }

  void Link(Entry* entry) {
    Entry** bucket = &buckets_[entry->hash & mask()];
    entry->next = *bucket;
    *bucket = entry;
  }

  void Grow() {
    std::vector<Entry*> old(buckets_.size() * 2, nullptr);
    old.swap(buckets_);
    for (Entry* chain : old) {
      while (chain != nullptr) {
        Entry* next = chain->next;
        Link(chain);
        chain = next;
      }
    }
  }

  std::vector<Entry*> buckets_;
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
