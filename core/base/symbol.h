// Symbol is an interned string: equal texts share one entry, so equality is one pointer comparison.
//
// Entries are reference-counted and freed with the last symbol, so that a stream of short-lived
// names (pods, uids) does not grow the table. The empty text is the null symbol and needs no entry.
// operator< compares the texts bytewise, like Go compares strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/read_ahead.h"

namespace stowage {

class Symbol {
 public:
  Symbol() = default;
  explicit Symbol(std::string_view text);
  Symbol(const Symbol& other) : entry_(other.entry_) { Retain(); }
  Symbol(Symbol&& other) noexcept : entry_(std::exchange(other.entry_, nullptr)) {}
  Symbol& operator=(const Symbol& other) {
    Symbol copy(other);
    std::swap(entry_, copy.entry_);
    return *this;
  }
  Symbol& operator=(Symbol&& other) noexcept {
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~Symbol() { Release(); }

  // The symbol of `text` if it exists, else the empty symbol. Never adds an entry: a text without
  // an entry cannot equal any existing symbol.
  static Symbol Find(std::string_view text);

  bool empty() const { return entry_ == nullptr; }
  std::string_view view() const {
    return entry_ == nullptr ? std::string_view() : std::string_view(entry_->text(), entry_->size);
  }
  std::string str() const { return std::string(view()); }

  // Reads the text and what is kept with it (base/read_ahead.h).
  void ReadAhead() const {
    if (entry_ != nullptr) stowage::ReadAhead(*entry_);
  }

  // Identity for hashing and columns; stable as long as a symbol of the text exists. 0 is the empty
  // text.
  uintptr_t id() const { return reinterpret_cast<uintptr_t>(entry_); }

  friend bool operator==(const Symbol& a, const Symbol& b) { return a.entry_ == b.entry_; }
  friend bool operator==(const Symbol& a, std::string_view b) { return a.view() == b; }
  friend bool operator<(const Symbol& a, const Symbol& b) {
    return a.entry_ != b.entry_ && a.view() < b.view();
  }

  // The number of live entries, for leak tests.
  static size_t LiveCount();

 private:
  friend class SymbolTable;
  struct Entry {
    uint32_t count;
    uint32_t hash;
    uint32_t size;
    const char* text() const { return reinterpret_cast<const char*>(this + 1); }
    char* text() { return reinterpret_cast<char*>(this + 1); }
  };

  explicit Symbol(Entry* entry) : entry_(entry) { Retain(); }
  void Retain() const {
    if (entry_ != nullptr) ++entry_->count;
  }
  void Release() {
    if (entry_ != nullptr && --entry_->count == 0) Free(entry_);
  }
  static void Free(Entry* entry);

  Entry* entry_ = nullptr;
};

// Entries are a multiple of some power of two apart, so this mixes every bit into the lowest ones.
struct SymbolHash {
  size_t operator()(const Symbol& symbol) const {
    auto hash = static_cast<size_t>(symbol.id() >> 4) * 0x9e3779b1u;
    return hash ^ hash >> 15;
  }
};

// For HashMap: symbols that were created one after the other have nearby numbers.
struct SymbolNumber {
  size_t operator()(const Symbol& symbol) const { return symbol.id() >> 4; }
};

}  // namespace stowage
