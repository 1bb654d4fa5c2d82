// Taints and tolerations (spec 01 §8.5, plugins/00 "Taint and toleration matching").
// Counterpart: component-helpers/scheduling/corev1/helpers.go, v1.36.
#pragma once

#include <span>
#include <vector>

#include "core/api/node.h"
#include "core/api/pod.h"

namespace stowage {

// `enable_comparison_operators` is gate TaintTolerationComparisonOperators: without it Lt and Gt
// tolerate nothing; with it both values must be canonical decimal int64 texts.
bool ToleratesTaint(const Toleration& toleration, const Taint& taint,
                    bool enable_comparison_operators);

bool TolerationsTolerateTaint(std::span<const Toleration> tolerations, const Taint& taint,
                              bool enable_comparison_operators);

using TaintFilter = bool (*)(const Taint& taint);

// Effects NoSchedule and NoExecute.
bool DoNotScheduleTaintsFilter(const Taint& taint);
// Effect PreferNoSchedule.
bool PreferNoScheduleTaintsFilter(const Taint& taint);

// The first of the taints that pass `filter` which no toleration tolerates; null when there is
// none. Points into `taints`.
const Taint* FindMatchingUntoleratedTaint(const std::vector<Taint>& taints,
                                          std::span<const Toleration> tolerations,
                                          TaintFilter filter, bool enable_comparison_operators);

}  // namespace stowage
