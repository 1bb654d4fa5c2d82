// LabelKeys is the set of label keys that selectors have named so far. A label with another key
// cannot have affected any decision.
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
  // Rises with every new key; keys are never removed.
  uint64_t version() const { return version_; }

 private:
  std::unordered_set<Symbol, SymbolHash> keys_;
  uint64_t version_ = 0;
};

}  // namespace stowage
