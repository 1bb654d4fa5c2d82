// SymbolSet is a set of symbols whose copies share their entries until one of them writes
// (HashMap). The order of iteration has no meaning, so there is none.
#pragma once

#include <cstddef>

#include "core/base/hash_map.h"
#include "core/base/symbol.h"

namespace stowage {

class SymbolSet {
 public:
  // Returns false if the set has it already.
  bool Add(const Symbol& symbol) { return !Has(symbol) && entries_.try_emplace(symbol).is_new; }
  // Returns false if the set does not have it.
  bool Remove(const Symbol& symbol) { return entries_.erase(symbol) > 0; }

  bool Has(const Symbol& symbol) const { return entries_.contains(symbol); }
  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

 private:
  struct Nothing {};

  HashMap<Symbol, Nothing, SymbolNumber> entries_;
};

}  // namespace stowage
