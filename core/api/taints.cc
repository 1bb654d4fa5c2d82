#include "core/api/taints.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/api/parse_int.h"
#include "core/api/validation_names.h"
#include "core/api/well_known_labels.h"

namespace stowage {
namespace {

std::optional<int64_t> ParseCanonical(const Symbol& text) {
  return IsDecimalInteger(text.view()) ? ParseInt64(text.view()) : std::nullopt;
}

bool ComparesValues(const Toleration& toleration, const Taint& taint) {
  std::optional<int64_t> bound = ParseCanonical(toleration.value);
  std::optional<int64_t> value = ParseCanonical(taint.value);
  if (!bound || !value) return false;
  return toleration.op == kTolerationOpLt ? *value < *bound : *value > *bound;
}

}  // namespace

bool ToleratesTaint(const Toleration& toleration, const Taint& taint,
                    bool enable_comparison_operators) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op.empty() || toleration.op == kTolerationOpEqual) {
    return toleration.value == taint.value;
  }
  if (toleration.op == kTolerationOpExists) return true;
  if (toleration.op == kTolerationOpLt || toleration.op == kTolerationOpGt) {
    return enable_comparison_operators && ComparesValues(toleration, taint);
  }
  return false;
}

bool TolerationsTolerateTaint(std::span<const Toleration> tolerations, const Taint& taint,
                              bool enable_comparison_operators) {
  return std::any_of(tolerations.begin(), tolerations.end(), [&](const Toleration& toleration) {
    return ToleratesTaint(toleration, taint, enable_comparison_operators);
  });
}

bool DoNotScheduleTaintsFilter(const Taint& taint) {
  return taint.effect == kTaintEffectNoSchedule || taint.effect == kTaintEffectNoExecute;
}

bool PreferNoScheduleTaintsFilter(const Taint& taint) {
  return taint.effect == kTaintEffectPreferNoSchedule;
}

const Taint* FindMatchingUntoleratedTaint(const std::vector<Taint>& taints,
                                          std::span<const Toleration> tolerations,
                                          TaintFilter filter, bool enable_comparison_operators) {
  for (const Taint& taint : taints) {
    if (!filter(taint)) continue;
    if (!TolerationsTolerateTaint(tolerations, taint, enable_comparison_operators)) return &taint;
  }
  return nullptr;
}

}  // namespace stowage
