// Selector decides which labels are selected: requirements, ANDed (spec 01 §8.1).
//
// It is compiled once from an object's selector and matched often: keys and values are Symbols, and
// integer operands are parsed beforehand.
// Counterpart: apimachinery/pkg/labels/selector.go, v1.36.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/field_error.h"
#include "core/api/meta.h"
#include "core/base/result.h"

namespace stowage {

enum class SelectorOperator : uint8_t {
  kIn,
  kNotIn,
  kExists,
  kDoesNotExist,
  kGreaterThan,
  kLessThan,
};

// The operator of a node selector ("In" … "Lt"); nullopt for anything else. Label selectors know
// only the first four.
std::optional<SelectorOperator> ParseSelectorOperator(std::string_view text);

class Requirement {
 public:
  // Checks key, number of values and each value as labels.NewRequirement does; nullopt when one of
  // them is wrong. `expression.op` is not read.
  static std::optional<Requirement> Make(const SelectorExpression& expression, SelectorOperator op);
  // What is wrong, with `path` as the field path of the expression ("" for none).
  static FieldErrors Errors(const SelectorExpression& expression, SelectorOperator op,
                            std::string_view path);
  // Unchecked: the key is present and has this value.
  static Requirement Equals(Symbol key, Symbol value);

  // NotIn and DoesNotExist match labels without the key; Gt and Lt match only decimal int64 values.
  bool Matches(const LabelMap& labels) const;

  const Symbol& key() const { return key_; }
  SelectorOperator op() const { return op_; }
  // In any order.
  const std::vector<Symbol>& values() const { return values_; }

 private:
  // More are sorted, and looked for as such.
  static constexpr size_t kFewValues = 16;

  void SortValues();
  bool HasValue(const Symbol& value) const;

  Symbol key_;
  SelectorOperator op_ = SelectorOperator::kIn;
  std::vector<Symbol> values_;
  int64_t operand_ = 0;  // of Gt and Lt
};

class Selector {
 public:
  static Selector Everything() { return Selector(); }
  static Selector Nothing();
  // Null selects nothing, an empty selector everything. The fault is the error of
  // metav1.LabelSelectorAsSelector; of several bad matchLabels it is that of the first key.
  static Result<Selector, FieldErrors> Make(const std::optional<LabelSelector>& selector);
  // Equality on all pairs, unchecked (labels.SelectorFromSet); no pairs select everything.
  static Selector FromSet(const LabelMap& labels);

  void Add(std::vector<Requirement> requirements);

  bool Matches(const LabelMap& labels) const;
  // Selects everything. The nothing selector is not empty.
  bool Empty() const { return !is_nothing_ && requirements_.empty(); }
  bool MatchesNothing() const { return is_nothing_; }
  // In order of their keys; empty for both Everything and Nothing.
  const std::vector<Requirement>& requirements() const { return requirements_; }

  // Equal for selectors with the same requirements in whatever order and spelling (matchLabels or
  // In with one value). Bytes to compare and hash, not to print.
  std::string CanonicalKey() const;

 private:
  bool is_nothing_ = false;
  std::vector<Requirement> requirements_;
};

}  // namespace stowage
