// Selector matches labels against requirements, ANDed (spec 01 §8.1).
//
// It is compiled once from an object's selector and matched often: keys and values are Symbols, and
// integer operands are parsed in advance.
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

// The operator of a node selector ("In" … "Lt"); nullopt for anything else. Label selectors accept
// only the first four.
std::optional<SelectorOperator> ParseSelectorOperator(std::string_view text);

class Requirement {
 public:
  // Checks key, number of values and each value like labels.NewRequirement; nullopt if one of them
  // is invalid. Does not read `expression.op`.
  static std::optional<Requirement> Make(const SelectorExpression& expression, SelectorOperator op);
  // The errors; `path` is the field path of the expression ("" for none).
  static FieldErrors Errors(const SelectorExpression& expression, SelectorOperator op,
                            std::string_view path);
  // Requires that the key is present with this value; checks neither.
  static Requirement Equals(Symbol key, Symbol value);

  // NotIn and DoesNotExist match labels without the key; Gt and Lt match only decimal int64 values.
  bool Matches(const LabelMap& labels) const {
    const Symbol* value = labels.Find(key_);
    // Most requirements are of one value.
    bool is_equality = op_ == SelectorOperator::kIn && values_.size() == 1;
    return is_equality ? value != nullptr && *value == values_.front() : Accepts(value);
  }

  const Symbol& key() const { return key_; }
  SelectorOperator op() const { return op_; }
  // In no particular order.
  const std::vector<Symbol>& values() const { return values_; }

 private:
  // With more values than this, they are sorted for a binary search.
  static constexpr size_t kFewValues = 16;

  void SortValues();
  // Whether it matches labels with this value of the key; null: without the key.
  bool Accepts(const Symbol* value) const;
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
  // metav1.LabelSelectorAsSelector; with several invalid matchLabels, that of the first key.
  static Result<Selector, FieldErrors> Make(const std::optional<LabelSelector>& selector);
  // Requires all pairs, without checking them (labels.SelectorFromSet); no pairs select everything.
  static Selector FromSet(const LabelMap& labels);

  void Add(std::vector<Requirement> requirements);

  bool Matches(const LabelMap& labels) const;
  // Whether it selects everything. The selector of nothing is not empty.
  bool Empty() const { return !is_nothing_ && requirements_.empty(); }
  bool MatchesNothing() const { return is_nothing_; }
  // Sorted by key; empty for both Everything and Nothing.
  const std::vector<Requirement>& requirements() const { return requirements_; }

  // Equal for selectors with the same requirements, in any order and form (matchLabels or In with
  // one value). The bytes are for comparing and hashing, not for printing.
  std::string CanonicalKey() const;

 private:
  bool is_nothing_ = false;
  std::vector<Requirement> requirements_;
};

}  // namespace stowage
