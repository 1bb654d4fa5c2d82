// ObjectKey identifies an object among those of its kind: namespace and name.
#pragma once

#include <cstddef>
#include <functional>

#include "core/api/meta.h"
#include "core/base/symbol.h"

namespace stowage {

struct ObjectKey {
  Symbol namespace_;  // empty for cluster-scoped kinds
  Symbol name;

  static ObjectKey Of(const ObjectMeta& metadata) { return {metadata.namespace_, metadata.name}; }

  friend bool operator==(const ObjectKey&, const ObjectKey&) = default;
  friend bool operator<(const ObjectKey& a, const ObjectKey& b) {
    return a.namespace_ == b.namespace_ ? a.name < b.name : a.namespace_ < b.namespace_;
  }
};

// For HashMap: keys of one namespace get numbers as close to each other as their names'.
struct ObjectKeyNumber {
  size_t operator()(const ObjectKey& key) const {
    return SymbolHash()(key.namespace_) + SymbolNumber()(key.name);
  }
};

}  // namespace stowage
