// The evaluator: walks the tree of a program, and counts cost as cel-go's cost tracker does.
#pragma once

#include <span>
#include <vector>

#include "core/cel/ast.h"
#include "core/cel/environment.h"
#include "core/cel/program.h"

namespace stowage::cel {

class Evaluator {
 public:
  Evaluator(const Environment& environment, Arena& arena, uint64_t cost_max)
      : environment_(environment), arena_(arena), cost_max_(cost_max) {}

  // The value of the whole expression.
  Value Run(const Node& root, uint32_t num_slots, std::span<const Value> variables);
  uint64_t cost() const { return cost_; }

 private:
  // What a chain of qualifiers (a.b[c].?d) has come to.
  enum class Chain : uint8_t {
    kPlain,
    kPresent,  // a value behind an optional part: the result is an optional
    kAbsent,   // nothing behind an optional part
  };

  Value Evaluate(const Node& node);
  Value EvaluateLogical(const Node& node);
  Value EvaluateEquality(const Node& node);
  Value EvaluateNotStrictlyFalse(const Node& node);
  Value EvaluateOptionalOr(const Node& node);
  Value EvaluateCall(const Node& node);
  Value EvaluateSetMembership(const Node& node);
  Value EvaluateList(const Node& node);
  Value EvaluateMap(const Node& node);
  Value EvaluateLoop(const Node& node);
  // One round of a loop; false ends it.
  bool EvaluateRound(const Node& node, const Value& range, size_t place);

  // An attribute: an ident, a conditional, and qualifiers behind them or behind any expression.
  Value EvaluateAttribute(const Node& node);
  Value Resolve(const Node& node, Chain* chain);
  Value ResolveConditional(const Node& node, Chain* chain);
  Value ResolveQualifier(const Node& node, Chain* chain);
  Value ResolveKey(const Node& node);
  // The element of a map, a list or an object; null if it is missing, or `fault` is set.
  const Value* Lookup(const Value& container, const Value& key, Value* fault);

  const Function* Select(const Node& node, std::span<const Value> arguments) const;
  Value NoSuchOverload(const Node& node, std::span<const Value> arguments);
  Value NoSuchSharedOverload(const Node& node, const Value& first);
  Value NoSuchKey(const Value& key);

  // Each returns false once the limit is exceeded.
  bool Charge(uint64_t cost) {
    cost_ += cost;
    if (cost_ > cost_max_) is_cancelled_ = true;
    return !is_cancelled_;
  }
  bool Step(uint64_t steps) {
    steps_ += steps;
    if (steps_ > kStepsMax || arena_.is_exhausted()) is_cancelled_ = true;
    return !is_cancelled_;
  }

  const Environment& environment_;
  Arena& arena_;
  uint64_t cost_max_;
  uint64_t cost_ = 0;
  uint64_t steps_ = 0;
  bool is_cancelled_ = false;
  std::string_view cancellation_ = kCostExceeded;
  std::vector<Value> slots_;
  std::vector<Value> stack_;  // arguments and elements that are being collected
};

}  // namespace stowage::cel
