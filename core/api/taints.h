// Taints and tolerations (spec 01 §8.5, plugins/00 "Taint and toleration matching").
// Counterpart: component-helpers/scheduling/corev1/helpers.go, v1.36.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/api/node.h"
#include "core/api/pod.h"

namespace stowage {

// `enable_comparison_operators` is gate TaintTolerationComparisonOperators: without it Lt and Gt
// tolerate nothing; with it both values must be canonical decimal int64 texts.
bool ToleratesTaint(const Toleration& toleration, const Taint& taint,
                    bool enable_comparison_operators);

// TolerationSet answers which taints of a node are tolerated. With many taints and tolerations it
// uses an index instead of comparing each pair.
class TolerationSet {
 public:
  // The tolerations must outlive it. `num_taints`: how many taints will be checked.
  TolerationSet(std::span<const Toleration> tolerations, size_t num_taints,
                bool enable_comparison_operators);

  bool Tolerates(const Taint& taint) const;

 private:
  enum class Rule : uint8_t { kEqual, kExists, kLess, kGreater };
  struct Key {
    Rule rule;
    Symbol key;     // empty: any taint's
    Symbol effect;  // empty: any taint's
    Symbol value;   // for kEqual
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };

  void AddToIndex(const Toleration& toleration);
  bool FindsInIndex(const Taint& taint, const Symbol& key, const Symbol& effect) const;

  std::span<const Toleration> tolerations_;
  bool enable_comparison_operators_;
  // The widest bound for kLess and kGreater; 0 for the others. Null if the set is small.
  std::unique_ptr<std::unordered_map<Key, int64_t, KeyHash>> index_;
};

bool TolerationsTolerateTaint(std::span<const Toleration> tolerations, const Taint& taint,
                              bool enable_comparison_operators);

using TaintFilter = bool (*)(const Taint& taint);

// Whether the effect is NoSchedule or NoExecute.
bool DoNotScheduleTaintsFilter(const Taint& taint);
// Whether the effect is PreferNoSchedule.
bool PreferNoScheduleTaintsFilter(const Taint& taint);

// The first taint that passes `filter` and that no toleration tolerates; null if there is none.
// Points into `taints`.
const Taint* FindMatchingUntoleratedTaint(const std::vector<Taint>& taints,
                                          std::span<const Toleration> tolerations,
                                          TaintFilter filter, bool enable_comparison_operators);

}  // namespace stowage
