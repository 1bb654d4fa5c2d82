// LabelKeys are the label keys that selectors have named so far: a label with another key has never
// decided anything.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "core/api/meta.h"
#include "core/api/selector.h"

namespace stowage {

class LabelKeys {
 public:
  void Add(const Symbol& key) {
    if (keys_.insert(key).second) ++version_;
  }
  void Add(const Selector& selector) {
    for (const Requirement& requirement : selector.requirements()) Add(requirement.key());
  }

  bool Has(const Symbol& key) const { return keys_.contains(key); }
  // Rises with every key; none is ever taken out.
  uint64_t version() const { return version_; }

 private:
  std::unordered_set<Symbol, SymbolHash> keys_;
  uint64_t version_ = 0;
};

}  // namespace stowage
