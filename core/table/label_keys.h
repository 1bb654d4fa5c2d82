// LabelKeys is the set of label keys that selectors have named so far. A label with another key
// cannot have affected any decision.
#pragma once

#include <cstdint>

#include "core/api/meta.h"
#include "core/api/selector.h"
#include "core/base/symbol_set.h"

namespace stowage {

class LabelKeys {
 public:
  void Add(const Symbol& key) {
    if (keys_.Add(key)) ++version_;
  }
  void Add(const Selector& selector) {
    for (const Requirement& requirement : selector.requirements()) Add(requirement.key());
  }

  bool Has(const Symbol& key) const { return keys_.Has(key); }
  // Rises with every new key; keys are never removed.
  uint64_t version() const { return version_; }

 private:
  SymbolSet keys_;
  uint64_t version_ = 0;
};

}  // namespace stowage
