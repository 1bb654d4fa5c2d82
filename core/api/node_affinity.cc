#include "core/api/node_affinity.h"

#include <algorithm>
#include <utility>

#include "core/api/well_known_labels.h"

namespace stowage {
namespace {

bool IsEmptyTerm(const NodeSelectorTerm& term) {
  return term.match_expressions.empty() && term.match_fields.empty();
}

bool IsFieldOperator(const Symbol& op) { return op == "In" || op == "NotIn"; }

FieldErrors ExpressionErrors(const SelectorExpression& expression, std::string_view path) {
  std::optional<SelectorOperator> op = ParseSelectorOperator(expression.op.view());
  if (op) return Requirement::Errors(expression, *op, path);
  return FieldErrors(UnsupportedValue(ChildPath(path, "operator"), expression.op.view(),
                                      {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"}));
}

FieldErrors FieldSelectorErrors(const SelectorExpression& field, std::string_view path) {
  if (!IsFieldOperator(field.op)) {
    return FieldErrors(
        UnsupportedValue(ChildPath(path, "operator"), field.op.view(), {"In", "NotIn"}));
  }
  if (field.values.size() == 1) return {};
  return FieldErrors(
      InvalidValue(ChildPath(path, "values"), field.values, "must have one element"));
}

}  // namespace

NodeSelectorTermMatcher::NodeSelectorTermMatcher(const NodeSelectorTerm& term) {
  std::vector<Requirement> requirements;
  for (const SelectorExpression& expression : term.match_expressions) {
    std::optional<SelectorOperator> op = ParseSelectorOperator(expression.op.view());
    std::optional<Requirement> requirement;
    if (op) requirement = Requirement::Make(expression, *op);
    is_valid_ = is_valid_ && requirement.has_value();
    if (requirement) requirements.push_back(*std::move(requirement));
  }
  labels_.Add(std::move(requirements));
  for (const SelectorExpression& field : term.match_fields) {
    bool is_field_valid = IsFieldOperator(field.op) && field.values.size() == 1;
    is_valid_ = is_valid_ && is_field_valid;
    if (!is_field_valid) continue;
    fields_.push_back({field.key == kFieldMetadataName, field.op == "In", field.values[0]});
  }
}

FieldErrors NodeSelectorTermMatcher::Errors(const NodeSelectorTerm& term, std::string_view path) {
  FieldErrors errors;
  std::string expressions_path = ChildPath(path, "matchExpressions");
  for (size_t index = 0; index < term.match_expressions.size(); ++index) {
    errors.Add(ExpressionErrors(term.match_expressions[index], IndexPath(expressions_path, index)));
  }
  std::string fields_path = ChildPath(path, "matchFields");
  for (size_t index = 0; index < term.match_fields.size(); ++index) {
    errors.Add(FieldSelectorErrors(term.match_fields[index], IndexPath(fields_path, index)));
  }
  return errors;
}

bool NodeSelectorTermMatcher::Matches(const LabelMap& labels, const Symbol& name) const {
  if (!is_valid_ || !labels_.Matches(labels)) return false;
  if (name.empty()) return true;
  return std::all_of(fields_.begin(), fields_.end(), [&](const FieldRequirement& field) {
    bool equals = field.is_name ? field.value == name : field.value.empty();
    return equals == field.is_equal;
  });
}

NodeSelectorMatcher NodeSelectorMatcher::Lazy(const NodeSelector& selector, std::string_view path) {
  NodeSelectorMatcher matcher;
  for (size_t index = 0; index < selector.node_selector_terms.size(); ++index) {
    const NodeSelectorTerm& term = selector.node_selector_terms[index];
    if (IsEmptyTerm(term)) continue;
    matcher.terms_.emplace_back(term);
    if (matcher.terms_.back().is_valid()) continue;
    std::string term_path = IndexPath(ChildPath(path, "nodeSelectorTerms"), index);
    matcher.parse_errors_.Add(NodeSelectorTermMatcher::Errors(term, term_path));
  }
  return matcher;
}

Result<NodeSelectorMatcher, FieldErrors> NodeSelectorMatcher::Strict(const NodeSelector& selector,
                                                                     std::string_view path) {
  NodeSelectorMatcher matcher = Lazy(selector, path);
  if (!matcher.parse_errors_.empty()) return matcher.parse_errors_;
  return matcher;
}

NodeSelectorMatch NodeSelectorMatcher::Match(const LabelMap& labels, const Symbol& name) const {
  for (const NodeSelectorTermMatcher& term : terms_) {
    if (term.Matches(labels, name)) return {true, nullptr};
  }
  return {false, parse_errors_.empty() ? nullptr : &parse_errors_};
}

Result<PreferredSchedulingTerms, FieldErrors> PreferredSchedulingTerms::Make(
    const std::vector<PreferredSchedulingTerm>& terms, std::string_view path) {
  PreferredSchedulingTerms parsed;
  FieldErrors errors;
  for (size_t index = 0; index < terms.size(); ++index) {
    const PreferredSchedulingTerm& term = terms[index];
    if (term.weight == 0 || IsEmptyTerm(term.preference)) continue;
    NodeSelectorTermMatcher matcher(term.preference);
    if (!matcher.is_valid()) {
      errors.Add(NodeSelectorTermMatcher::Errors(term.preference, IndexPath(path, index)));
    }
    parsed.terms_.push_back({std::move(matcher), term.weight, index});
  }
  if (!errors.empty()) return errors;
  return parsed;
}

NodeSelectorMatch RequiredNodeAffinity::Match(const LabelMap& labels, const Symbol& name) const {
  if (!node_selector_.Matches(labels)) return {false, nullptr};
  if (affinity_) return affinity_->Match(labels, name);
  return {true, nullptr};
}

RequiredNodeAffinity GetRequiredNodeAffinity(const Pod& pod) {
  RequiredNodeAffinity required;
  if (pod.spec.node_selector) required.node_selector_ = Selector::FromSet(*pod.spec.node_selector);
  const Shared<Affinity>& affinity = pod.spec.affinity;
  if (affinity && affinity->node_affinity && affinity->node_affinity->required) {
    required.affinity_ = NodeSelectorMatcher::Lazy(*affinity->node_affinity->required);
  }
  return required;
}

}  // namespace stowage
