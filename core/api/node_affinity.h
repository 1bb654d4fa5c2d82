// Node selectors compiled for matching: spec.nodeSelector, required and preferred node affinity,
// PersistentVolume affinity (spec 01 §8.2, plugins/00 "Node selector terms").
//
// Terms are parsed once and matched against many nodes.
// Counterpart: component-helpers/scheduling/corev1/nodeaffinity, v1.36.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/api/field_error.h"
#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/api/selector.h"
#include "core/base/result.h"

namespace stowage {

// One term: its expressions and fields are ANDed.
class NodeSelectorTermMatcher {
 public:
  explicit NodeSelectorTermMatcher(const NodeSelectorTerm& term);

  // False for a term with parse errors, which never matches.
  bool is_valid() const { return is_valid_; }
  // The term's parse errors; `path` is the term's field path.
  static FieldErrors Errors(const NodeSelectorTerm& term, std::string_view path);

  // `name` may be empty (for an object with labels only, such as a PV's topology): fields are
  // ignored then.
  bool Matches(const LabelMap& labels, const Symbol& name) const;

 private:
  struct FieldRequirement {
    bool is_name;  // metadata.name; all other fields have the value ""
    bool is_equal;
    Symbol value;
  };

  bool is_valid_ = true;
  Selector labels_;
  std::vector<FieldRequirement> fields_;
};

struct NodeSelectorMatch {
  bool matches = false;
  // Set if no term matched and some did not parse; owned by the matcher.
  const FieldErrors* parse_errors = nullptr;
};

// A node selector: terms, ORed. Terms without expressions and fields are dropped, so a selector
// without other terms matches no node.
class NodeSelectorMatcher {
 public:
  // Parse errors are reported only by a Match that finds no matching term.
  static NodeSelectorMatcher Lazy(const NodeSelector& selector, std::string_view path = "");
  // Any parse error is a fault.
  static Result<NodeSelectorMatcher, FieldErrors> Strict(const NodeSelector& selector,
                                                         std::string_view path = "");

  NodeSelectorMatch Match(const Node& node) const {
    return Match(node.metadata.labels, node.metadata.name);
  }
  NodeSelectorMatch Match(const LabelMap& labels, const Symbol& name) const;

 private:
  std::vector<NodeSelectorTermMatcher> terms_;
  FieldErrors parse_errors_;
};

// Preferred terms, each with its weight.
class PreferredSchedulingTerms {
 public:
  // Terms with weight 0 or an empty preference are skipped unparsed; any other parse error is a
  // fault.
  static Result<PreferredSchedulingTerms, FieldErrors> Make(
      const std::vector<PreferredSchedulingTerm>& terms, std::string_view path = "");

  // The sum of the weights of the terms that match.
  int64_t Score(const Node& node) const {
    int64_t score = 0;
    ForEachTerm(node, [&score](size_t, int64_t points) { score += points; });
    return score;
  }
  // Calls visit(index in the list that Make received, points) for each term that is not skipped;
  // points is its weight if it matches, else 0.
  template <typename Visit>
  void ForEachTerm(const Node& node, Visit visit) const {
    for (const WeightedTerm& term : terms_) {
      bool matches = term.matcher.Matches(node.metadata.labels, node.metadata.name);
      visit(term.place, matches ? term.weight : 0);
    }
  }

 private:
  struct WeightedTerm {
    NodeSelectorTermMatcher matcher;
    int64_t weight;
    size_t place;
  };
  std::vector<WeightedTerm> terms_;
};

// The nodes that a pod requires: spec.nodeSelector (unchecked equality) AND required node affinity
// (lazy). Holds no reference to the pod; a default-constructed one requires nothing.
class RequiredNodeAffinity {
 public:
  NodeSelectorMatch Match(const Node& node) const {
    return Match(node.metadata.labels, node.metadata.name);
  }
  NodeSelectorMatch Match(const LabelMap& labels, const Symbol& name) const;
  // Whether it requires nothing.
  bool MatchesAll() const { return node_selector_.Empty() && !affinity_; }

 private:
  friend RequiredNodeAffinity GetRequiredNodeAffinity(const Pod& pod);

  Selector node_selector_;
  std::optional<NodeSelectorMatcher> affinity_;
};

RequiredNodeAffinity GetRequiredNodeAffinity(const Pod& pod);

}  // namespace stowage
