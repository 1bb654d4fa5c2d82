#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/stable_sort.h"
#include "core/cel/libraries.h"

namespace stowage::cel {
namespace {

Value Slice(const Call& call) {
  std::span<const Value> items = call[0].items();
  int64_t start = call[1].int_value();
  int64_t end = call[2].int_value();
  std::string reason;
  if (start < 0 || end < 0) {
    reason = "negative indexes not supported";
  } else if (start > end) {
    reason = "start index must be less than or equal to end index";
  } else if (end > static_cast<int64_t>(items.size())) {
    reason = "list is length " + std::to_string(items.size());
  } else {
    return ValueBuilder::List(
        call.arena, items.subspan(static_cast<size_t>(start), static_cast<size_t>(end - start)));
  }
  return ValueBuilder::Error(call.arena, {"cannot slice(", std::to_string(start), ", ",
                                          std::to_string(end), "), ", reason});
}

void AppendFlat(std::span<const Value> items, int64_t depth, std::vector<Value>* flat) {
  for (const Value& item : items) {
    if (item.kind() == Kind::kList && depth > 0) {
      AppendFlat(item.items(), depth - 1, flat);
    } else {
      flat->push_back(item);
    }
  }
}

Value Flatten(const Call& call) {
  int64_t depth = call.arguments.size() > 1 ? call[1].int_value() : 1;
  if (depth < 0) return Value::Error("level must be non-negative");
  std::vector<Value> flat;
  AppendFlat(call[0].items(), depth, &flat);
  return ValueBuilder::List(call.arena, flat);
}

Value Range(const Call& call) {
  int64_t count = std::max<int64_t>(call[0].int_value(), 0);
  if (count > static_cast<int64_t>(kWeightMax)) return Value::Error(kCostExceeded);
  call.Spend(static_cast<uint64_t>(count));
  std::vector<Value> numbers;
  for (int64_t number = 0; number < count; ++number) numbers.push_back(Value::Int(number));
  return ValueBuilder::List(call.arena, numbers);
}

Value Reverse(const Call& call) {
  std::vector<Value> items(call[0].items().rbegin(), call[0].items().rend());
  return ValueBuilder::List(call.arena, items);
}

Value Distinct(const Call& call) {
  if (!SpendPairs(call, call[0], call[0])) return Value::Error(kCostExceeded);
  std::vector<Value> seen;
  for (const Value& item : call[0].items()) {
    bool is_new = std::none_of(seen.begin(), seen.end(),
                               [&](const Value& other) { return Equal(item, other); });
    if (is_new) seen.push_back(item);
  }
  return ValueBuilder::List(call.arena, seen);
}

// The items in the order of their keys; equal keys keep their order.
Value SortByKeys(const Call& call, std::span<const Value> items, std::span<const Value> keys) {
  if (keys.size() != items.size()) {
    return ValueBuilder::Error(
        call.arena, {"@sortByAssociatedKeys() expected a list of the same size as the associated "
                     "keys list, but got ",
                     std::to_string(items.size()), " and ", std::to_string(keys.size()),
                     " elements respectively"});
  }
  for (const Value& key : keys) {
    if (Compare(key, key) == Order::kNoOverload) {
      return Value::Error("list elements must be comparable");
    }
    if (key.kind() != keys[0].kind()) {
      return Value::Error("list elements must have the same type");
    }
  }
  if (!SpendPairs(call, call[0], call[0])) return Value::Error(kCostExceeded);
  std::vector<size_t> places(items.size());
  std::iota(places.begin(), places.end(), size_t{0});
  StableSort(&places,
             [keys](size_t a, size_t b) { return Compare(keys[a], keys[b]) == Order::kLess; });
  std::vector<Value> sorted;
  for (size_t place : places) sorted.push_back(items[place]);
  return ValueBuilder::List(call.arena, sorted);
}

Value Sort(const Call& call) { return SortByKeys(call, call[0].items(), call[0].items()); }

Value SortByAssociatedKeys(const Call& call) {
  return SortByKeys(call, call[0].items(), call[1].items());
}

Value First(const Call& call) {
  if (call[0].items().empty()) return Value::OptionalNone();
  return ValueBuilder::Optional(call.arena, call[0].items().front());
}

Value Last(const Call& call) {
  if (call[0].items().empty()) return Value::OptionalNone();
  return ValueBuilder::Optional(call.arena, call[0].items().back());
}

// Every element may be compared with every other one.
uint64_t CostOfComparisons(const Call& call, const Value& result) {
  uint64_t size = call[0].size();
  return CostOfList(call, result) + size * size;
}

constexpr Function kListFunctions[] = {
    {"slice", "lA.ii:lA", Slice, CostOfList},
    {"flatten", "llA.:lA", Flatten, CostOfList},
    {"flatten", "l*.i:l*", Flatten, CostOfList},
    {"lists.range", "i:li", Range, CostOfList},
    {"reverse", "lA.:lA", Reverse, CostOfList},
    {"distinct", "lA.:lA", Distinct, CostOfComparisons},
    {"sort", "li.:li", Sort, CostOfComparisons},
    {"sort", "lu.:lu", Sort, CostOfComparisons},
    {"sort", "ld.:ld", Sort, CostOfComparisons},
    {"sort", "lb.:lb", Sort, CostOfComparisons},
    {"sort", "lr.:lr", Sort, CostOfComparisons},
    {"sort", "lt.:lt", Sort, CostOfComparisons},
    {"sort", "ls.:ls", Sort, CostOfComparisons},
    {"sort", "ly.:ly", Sort, CostOfComparisons},
    {"@sortByAssociatedKeys", "lA.li:lA", SortByAssociatedKeys, CostOfComparisons},
    {"@sortByAssociatedKeys", "lA.lu:lA", SortByAssociatedKeys, CostOfComparisons},
    {"@sortByAssociatedKeys", "lA.ld:lA", SortByAssociatedKeys, CostOfComparisons},
    {"@sortByAssociatedKeys", "lA.lb:lA", SortByAssociatedKeys, CostOfComparisons},
    {"@sortByAssociatedKeys", "lA.lr:lA", SortByAssociatedKeys, CostOfComparisons},
    {"@sortByAssociatedKeys", "lA.lt:lA", SortByAssociatedKeys, CostOfComparisons},
    {"@sortByAssociatedKeys", "lA.ls:lA", SortByAssociatedKeys, CostOfComparisons},
    {"@sortByAssociatedKeys", "lA.ly:lA", SortByAssociatedKeys, CostOfComparisons},
    {"first", "lA.:oA", First},
    {"last", "lA.:oA", Last},
};

}  // namespace

FunctionTable ListFunctions() { return kListFunctions; }

}  // namespace stowage::cel
