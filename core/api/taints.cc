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

TolerationSet::TolerationSet(std::span<const Toleration> tolerations, size_t num_taints,
                             bool enable_comparison_operators)
    : tolerations_(tolerations), enable_comparison_operators_(enable_comparison_operators) {
  constexpr size_t kFew = 16;
  if (tolerations.size() <= kFew || num_taints <= kFew) return;
  index_ = std::make_unique<std::unordered_map<Key, int64_t, KeyHash>>();
  for (const Toleration& toleration : tolerations) AddToIndex(toleration);
}

size_t TolerationSet::KeyHash::operator()(const Key& key) const {
  SymbolHash hash;
  return ((hash(key.key) * 31 + hash(key.value)) * 31 + hash(key.effect)) * 4 +
         static_cast<size_t>(key.rule);
}

void TolerationSet::AddToIndex(const Toleration& toleration) {
  const auto& [key, op, value, effect, seconds] = toleration;
  if (op.empty() || op == kTolerationOpEqual) {
    index_->try_emplace({Rule::kEqual, key, effect, value}, 0);
  } else if (op == kTolerationOpExists) {
    index_->try_emplace({Rule::kExists, key, effect, {}}, 0);
  } else if (enable_comparison_operators_ && (op == kTolerationOpLt || op == kTolerationOpGt)) {
    std::optional<int64_t> bound = ParseCanonical(value);
    if (!bound) return;
    bool is_less = op == kTolerationOpLt;
    Key place{is_less ? Rule::kLess : Rule::kGreater, key, effect, {}};
    int64_t& widest = index_->try_emplace(std::move(place), *bound).first->second;
    widest = is_less ? std::max(widest, *bound) : std::min(widest, *bound);
  }
}

bool TolerationSet::FindsInIndex(const Taint& taint, const Symbol& key,
                                 const Symbol& effect) const {
  if (index_->contains({Rule::kEqual, key, effect, taint.value})) return true;
  if (index_->contains({Rule::kExists, key, effect, {}})) return true;
  if (!enable_comparison_operators_) return false;
  std::optional<int64_t> value = ParseCanonical(taint.value);
  if (!value) return false;
  auto less = index_->find({Rule::kLess, key, effect, {}});
  auto greater = index_->find({Rule::kGreater, key, effect, {}});
  return (less != index_->end() && *value < less->second) ||
         (greater != index_->end() && *value > greater->second);
}

bool TolerationSet::Tolerates(const Taint& taint) const {
  if (index_ == nullptr) {
    return TolerationsTolerateTaint(tolerations_, taint, enable_comparison_operators_);
  }
  return FindsInIndex(taint, taint.key, taint.effect) || FindsInIndex(taint, {}, taint.effect) ||
         FindsInIndex(taint, taint.key, {}) || FindsInIndex(taint, {}, {});
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
  TolerationSet tolerated(tolerations, taints.size(), enable_comparison_operators);
  for (const Taint& taint : taints) {
    if (filter(taint) && !tolerated.Tolerates(taint)) return &taint;
  }
  return nullptr;
}

}  // namespace stowage
