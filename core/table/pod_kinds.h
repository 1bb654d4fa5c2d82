// PodKinds numbers pods by what selections read of them. Pods of one template are of one kind, so
// what a selection makes of the first holds for the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "core/api/pod.h"

namespace stowage {

class PodKinds {
 public:
  // If labels are all different, kinds must not use ever more memory.
  static constexpr size_t kMax = 512;

  // Equal for pods of one namespace that share their labels in memory; different for pods that
  // selections may tell apart. No number is used again.
  uint64_t KindOf(const Pod& pod) {
    auto [place, is_new] =
        kinds_.try_emplace({pod.metadata.namespace_, pod.metadata.labels}, next_);
    if (!is_new) return place->second;
    if (kinds_.size() > kMax) {
      kinds_.clear();
      first_ = next_;
    }
    return next_++;
  }
  // Smaller numbers are not given to pods any more. At most kMax + 1 numbers are not smaller.
  uint64_t first() const { return first_; }

 private:
  struct Identity {
    Symbol namespace_;
    LabelMap labels;

    friend bool operator==(const Identity& a, const Identity& b) {
      return a.namespace_ == b.namespace_ && a.labels.IsSame(b.labels);
    }
  };
  struct IdentityHash {
    size_t operator()(const Identity& identity) const {
      const auto labels = reinterpret_cast<uintptr_t>(identity.labels.begin()) >> 4;
      return SymbolHash()(identity.namespace_) * 31 + labels;
    }
  };

  std::unordered_map<Identity, uint64_t, IdentityHash> kinds_;
  uint64_t first_ = 0;
  uint64_t next_ = 0;
};

}  // namespace stowage
