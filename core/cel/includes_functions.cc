#include <algorithm>

#include "core/cel/libraries.h"

namespace stowage::cel {
namespace {

constexpr size_t kItemsMax = 48;

// An attribute that is no list includes its one value.
Value Includes(const Call& call) {
  if (call[0].kind() != Kind::kList) return Value::Bool(Equal(call[0], call[1]));
  std::span<const Value> items = call[0].items();
  if (items.size() > kItemsMax) {
    return Value::Error("'includes' function cannot be applied to lists longer than 48 values");
  }
  return Value::Bool(std::any_of(items.begin(), items.end(),
                                 [&](const Value& item) { return Equal(item, call[1]); }));
}

uint64_t CostOfItems(const Call& call, const Value&) {
  return call[0].kind() == Kind::kList ? std::max<uint64_t>(call[0].size(), 1) : 1;
}

constexpr Function kIncludesFunctions[] = {
    {"includes", "*.*:b", Includes, CostOfItems},
};

}  // namespace

FunctionTable IncludesFunctions() { return kIncludesFunctions; }

}  // namespace stowage::cel
