#include <algorithm>

#include "core/cel/libraries.h"

namespace stowage::cel {
namespace {

bool Has(std::span<const Value> items, const Value& wanted) {
  return std::any_of(items.begin(), items.end(),
                     [&](const Value& item) { return Equal(wanted, item); });
}

bool HasAll(const Value& list, const Value& wanted) {
  std::span<const Value> items = list.items();
  return std::all_of(wanted.items().begin(), wanted.items().end(),
                     [items](const Value& item) { return Has(items, item); });
}

Value SetContains(const Call& call) {
  if (!SpendPairs(call, call[0], call[1])) return Value::Error(kCostExceeded);
  return Value::Bool(HasAll(call[0], call[1]));
}

Value SetEquivalent(const Call& call) {
  if (!SpendPairs(call, call[0], call[1])) return Value::Error(kCostExceeded);
  return Value::Bool(HasAll(call[0], call[1]) && HasAll(call[1], call[0]));
}

Value SetIntersects(const Call& call) {
  if (!SpendPairs(call, call[0], call[1])) return Value::Error(kCostExceeded);
  std::span<const Value> others = call[1].items();
  return Value::Bool(std::any_of(call[0].items().begin(), call[0].items().end(),
                                 [others](const Value& item) { return Has(others, item); }));
}

uint64_t CostOfPairs(const Call& call, const Value&) { return 1 + call[0].size() * call[1].size(); }
uint64_t CostOfPairsTwice(const Call& call, const Value&) {
  return 1 + 2 * call[0].size() * call[1].size();
}

constexpr Function kSetFunctions[] = {
    {"sets.contains", "lAlA:b", SetContains, CostOfPairs},
    {"sets.equivalent", "lAlA:b", SetEquivalent, CostOfPairsTwice},
    {"sets.intersects", "lAlA:b", SetIntersects, CostOfPairs},
};

}  // namespace

FunctionTable SetFunctions() { return kSetFunctions; }

}  // namespace stowage::cel
