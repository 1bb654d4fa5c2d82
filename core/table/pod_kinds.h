// PodKinds numbers pods by what selections read of them. Pods of one template are of one kind, so
// what a selection makes of the first holds for the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/api/pod.h"

namespace stowage {

class PodKinds {
 public:
  // So many kinds are kept at most: each has a place, which another kind may take.
  static constexpr size_t kPlaces = 256;

  // Equal only for pods of one namespace that share their labels in memory. A kind that was
  // replaced gets another number when it comes again; no number is used twice. The place is
  // number % kPlaces.
  uint64_t KindOf(const Pod& pod) {
    const ObjectMeta& meta = pod.metadata;
    const auto labels = reinterpret_cast<uintptr_t>(meta.labels.begin()) >> 4;
    const size_t place = (SymbolHash()(meta.namespace_) ^ labels ^ labels >> 8) % kPlaces;
    Kind& kind = kinds_[place];
    if (kind.number == 0 || !kind.labels.IsSame(meta.labels) ||
        kind.namespace_ != meta.namespace_) {
      kind = {meta.namespace_, meta.labels, ++num_numbers_ * kPlaces + place};
    }
    return kind.number;
  }

 private:
  struct Kind {
    Symbol namespace_;
    LabelMap labels;
    uint64_t number = 0;  // 0: none
  };

  std::vector<Kind> kinds_ = std::vector<Kind>(kPlaces);
  uint64_t num_numbers_ = 0;
};

}  // namespace stowage
