#include "core/api/selector.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/api/parse_int.h"
#include "core/api/validation_names.h"
#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

constexpr std::string_view kValuesMissing =
    "for 'in', 'notin' operators, values set can't be empty";
constexpr std::string_view kValuesUnexpected =
    "values set must be empty for exists and does not exist";
constexpr std::string_view kValueNotSingle =
    "for 'Gt', 'Lt' operators, exactly one value is required";
constexpr std::string_view kValueNotInteger =
    "for 'Gt', 'Lt' operators, the value must be an integer";

bool IsComparison(SelectorOperator op) {
  return op == SelectorOperator::kGreaterThan || op == SelectorOperator::kLessThan;
}

// The error text; empty if the operator accepts this number of values.
std::string_view CheckCount(SelectorOperator op, size_t count) {
  switch (op) {
    case SelectorOperator::kIn:
    case SelectorOperator::kNotIn:
      return count == 0 ? kValuesMissing : "";
    case SelectorOperator::kExists:
    case SelectorOperator::kDoesNotExist:
      return count != 0 ? kValuesUnexpected : "";
    case SelectorOperator::kGreaterThan:
    case SelectorOperator::kLessThan:
      return count != 1 ? kValueNotSingle : "";
  }
  return "";
}

// Prefixes each text with its length, so that no text can look like the boundary between two.
void AppendFramed(std::string& bytes, std::string_view text) {
  bytes += Format("{}:", text.size());
  bytes += text;
}

std::string CanonicalBytes(const Requirement& requirement) {
  std::vector<Symbol> values = requirement.values();
  StableSort(&values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::string bytes;
  AppendFramed(bytes, requirement.key().view());
  bytes += static_cast<char>('a' + static_cast<int>(requirement.op()));
  bytes += Format("{};", values.size());
  for (const Symbol& value : values) AppendFramed(bytes, value.view());
  return bytes;
}

}  // namespace

std::optional<SelectorOperator> ParseSelectorOperator(std::string_view text) {
  if (text == "In") return SelectorOperator::kIn;
  if (text == "NotIn") return SelectorOperator::kNotIn;
  if (text == "Exists") return SelectorOperator::kExists;
  if (text == "DoesNotExist") return SelectorOperator::kDoesNotExist;
  if (text == "Gt") return SelectorOperator::kGreaterThan;
  if (text == "Lt") return SelectorOperator::kLessThan;
  return std::nullopt;
}

std::optional<Requirement> Requirement::Make(const SelectorExpression& expression,
                                             SelectorOperator op) {
  if (!IsQualifiedName(expression.key.view())) return std::nullopt;
  if (!CheckCount(op, expression.values.size()).empty()) return std::nullopt;
  for (const Symbol& value : expression.values) {
    if (!IsValidLabelValue(value.view())) return std::nullopt;
  }
  Requirement requirement;
  requirement.key_ = expression.key;
  requirement.op_ = op;
  requirement.values_ = expression.values;
  requirement.SortValues();
  if (!IsComparison(op)) return requirement;
  std::optional<int64_t> operand = ParseInt64(expression.values[0].view());
  if (!operand) return std::nullopt;
  requirement.operand_ = *operand;
  return requirement;
}

STOWAGE_COLD FieldErrors Requirement::Errors(const SelectorExpression& expression,
                                             SelectorOperator op, std::string_view path) {
  FieldErrors errors;
  std::string_view key = expression.key.view();
  if (!IsQualifiedName(key)) {
    errors.Add(InvalidValue(ChildPath(path, "key"), key, Join(QualifiedNameErrors(key), "; ")));
  }
  std::string values_path = ChildPath(path, "values");
  std::string_view count_error = CheckCount(op, expression.values.size());
  if (!count_error.empty()) errors.Add(InvalidValue(values_path, expression.values, count_error));
  for (size_t index = 0; IsComparison(op) && index < expression.values.size(); ++index) {
    std::string_view value = expression.values[index].view();
    if (ParseInt64(value)) continue;
    errors.Add(InvalidValue(IndexPath(values_path, index), value, kValueNotInteger));
  }
  for (size_t index = 0; index < expression.values.size(); ++index) {
    std::string_view value = expression.values[index].view();
    if (IsValidLabelValue(value)) continue;
    std::string value_path = Format("{}[{}]", IndexPath(values_path, index), key);
    errors.Add(InvalidValue(value_path, value, Join(LabelValueErrors(value), "; ")));
  }
  return errors;
}

Requirement Requirement::Equals(Symbol key, Symbol value) {
  Requirement requirement;
  requirement.key_ = std::move(key);
  requirement.values_.push_back(std::move(value));
  return requirement;
}

void Requirement::SortValues() {
  if (values_.size() > kFewValues) StableSort(&values_);
}

bool Requirement::HasValue(const Symbol& value) const {
  if (values_.size() == 1) return values_.front() == value;
  return values_.size() > kFewValues
             ? std::binary_search(values_.begin(), values_.end(), value)
             : std::find(values_.begin(), values_.end(), value) != values_.end();
}

bool Requirement::Accepts(const Symbol* value) const {
  switch (op_) {
    case SelectorOperator::kExists:
      return value != nullptr;
    case SelectorOperator::kDoesNotExist:
      return value == nullptr;
    case SelectorOperator::kIn:
      return value != nullptr && HasValue(*value);
    case SelectorOperator::kNotIn:
      return value == nullptr || !HasValue(*value);
    case SelectorOperator::kGreaterThan:
    case SelectorOperator::kLessThan:
      break;
  }
  if (value == nullptr) return false;
  std::optional<int64_t> number = ParseInt64(value->view());
  if (!number) return false;
  return op_ == SelectorOperator::kGreaterThan ? *number > operand_ : *number < operand_;
}

Selector Selector::Nothing() {
  Selector selector;
  selector.is_nothing_ = true;
  return selector;
}

Result<Selector, FieldErrors> Selector::Make(const std::optional<LabelSelector>& selector) {
  if (!selector) return Nothing();
  std::vector<Requirement> requirements;
  for (const auto& [key, value] : selector->match_labels) {
    SelectorExpression expression{key, Symbol(), {value}};
    std::optional<Requirement> requirement = Requirement::Make(expression, SelectorOperator::kIn);
    if (!requirement) return Requirement::Errors(expression, SelectorOperator::kIn, "");
    requirements.push_back(*std::move(requirement));
  }
  for (const SelectorExpression& expression : selector->match_expressions) {
    std::optional<SelectorOperator> op = ParseSelectorOperator(expression.op.view());
    if (!op || IsComparison(*op)) {
      return FieldErrors(
          Format("{} is not a valid label selector operator", GoQuote(expression.op.view())));
    }
    std::optional<Requirement> requirement = Requirement::Make(expression, *op);
    if (!requirement) return Requirement::Errors(expression, *op, "");
    requirements.push_back(*std::move(requirement));
  }
  Selector compiled;
  compiled.Add(std::move(requirements));
  return compiled;
}

Selector Selector::FromSet(const LabelMap& labels) {
  Selector selector;
  for (const auto& [key, value] : labels) {
    selector.requirements_.push_back(Requirement::Equals(key, value));
  }
  return selector;
}

void Selector::Add(std::vector<Requirement> requirements) {
  if (is_nothing_) return;
  std::move(requirements.begin(), requirements.end(), std::back_inserter(requirements_));
  auto is_before = [](const Requirement& a, const Requirement& b) { return a.key() < b.key(); };
  if (std::is_sorted(requirements_.begin(), requirements_.end(), is_before)) return;
  StableSort(&requirements_, is_before);
}

bool Selector::Matches(const LabelMap& labels) const {
  if (is_nothing_) return false;
  return std::all_of(requirements_.begin(), requirements_.end(),
                     [&](const Requirement& requirement) { return requirement.Matches(labels); });
}

std::string Selector::CanonicalKey() const {
  if (is_nothing_) return "nothing";
  std::vector<std::string> parts;
  for (const Requirement& requirement : requirements_) parts.push_back(CanonicalBytes(requirement));
  StableSort(&parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  std::string key;
  for (const std::string& part : parts) key += part;
  return key;
}

}  // namespace stowage
