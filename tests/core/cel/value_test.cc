// Goal: values compare across types, share their memory and stay within bounds.
#include "core/cel/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/core/cel/library_call.h"

namespace stowage::cel {
namespace {

TEST(Value, ComparesNumbersAcrossTypes) {
  EXPECT_TRUE(Equal(Value::Int(1), Value::Uint(1)));
  EXPECT_TRUE(Equal(Value::Int(1), Value::Double(1.0)));
  EXPECT_FALSE(Equal(Value::Int(-1), Value::Uint(UINT64_MAX)));
  EXPECT_FALSE(Equal(Value::Double(NAN), Value::Double(NAN)));
  EXPECT_FALSE(Equal(Value::Int(1), Value::String("1")));
  EXPECT_EQ(Compare(Value::Int(-1), Value::Uint(0)), Order::kLess);
  EXPECT_EQ(Compare(Value::Uint(0), Value::Int(-1)), Order::kGreater);
  EXPECT_EQ(Compare(Value::Double(0.5), Value::Int(0)), Order::kGreater);
  EXPECT_EQ(Compare(Value::Double(NAN), Value::Int(0)), Order::kUnordered);
  EXPECT_EQ(Compare(Value::String("a"), Value::Int(0)), Order::kNoOverload);
  EXPECT_EQ(Compare(Value::Null(), Value::Null()), Order::kNoOverload);
}

TEST(Value, ConcatLeavesEarlierListsAsTheyAre) {
  Arena arena;
  const Value one[] = {Value::Int(1)};
  const Value two[] = {Value::Int(2)};
  Value list = ValueBuilder::List(arena, one);
  Value longer = ValueBuilder::Concat(arena, list, two);
  Value other = ValueBuilder::Concat(arena, list, one);
  Value longest = ValueBuilder::Concat(arena, longer, one);
  EXPECT_EQ(PrintValue(list), "[1]");
  EXPECT_EQ(PrintValue(longer), "[1, 2]");
  EXPECT_EQ(PrintValue(other), "[1, 1]");
  EXPECT_EQ(PrintValue(longest), "[1, 2, 1]");
  EXPECT_EQ(longer.items().data(), longest.items().data());
}

TEST(Value, MapsAreSortedAndTheLastOfEqualKeysCounts) {
  Arena arena;
  const MapEntry entries[] = {{Value::String("b"), Value::Int(1)},
                              {Value::Int(3), Value::Int(2)},
                              {Value::String("a"), Value::Int(3)},
                              {Value::Uint(3), Value::Int(4)}};
  Value map = ValueBuilder::Map(arena, entries);
  ASSERT_EQ(map.entries().size(), 3u);
  EXPECT_EQ(map.entries()[0].value.int_value(), 4);
  EXPECT_EQ(map.entries()[1].key.text(), "a");
  EXPECT_EQ(Find(map, Value::Double(3.0))->int_value(), 4);
  EXPECT_EQ(Find(map, Value::String("c")), nullptr);
  const MapEntry wrong[] = {{Value::Null(), Value::Int(1)}};
  EXPECT_EQ(ValueBuilder::Map(arena, wrong).text(), "unsupported key type");
}

TEST(Value, AMapWithADefaultStillTellsWhatItHas) {
  Arena arena;
  Value map = ValueBuilder::MapWithDefault(arena, {}, Value::Int(7));
  EXPECT_EQ(Find(map, Value::String("a"))->int_value(), 7);
  EXPECT_FALSE(HasKey(map, Value::String("a")));
  EXPECT_EQ(map.entries().size(), 0u);
}

TEST(Value, CountsCodePointsAndWeight) {
  Arena arena;
  EXPECT_EQ(Value::String("aé€").size(), 3u);
  EXPECT_EQ(Value::Bytes("aé").size(), 3u);
  const Value items[] = {Value::Int(1), Value::Int(2)};
  Value list = ValueBuilder::List(arena, items);
  EXPECT_EQ(list.weight(), 3u);
  for (int round = 0; round < 17; ++round) {
    const Value pair[] = {list, list};
    list = ValueBuilder::List(arena, pair);
  }
  EXPECT_EQ(list.weight(), (4u << 17) - 1);
  const Value pair[] = {list, list};
  list = ValueBuilder::List(arena, pair);
  EXPECT_EQ(ValueBuilder::List(arena, std::vector<Value>{list, list}).text(), kCostExceeded);
}

TEST(Arena, EndsAtItsBound) {
  Arena arena(100);
  EXPECT_EQ(arena.Copy("abc"), "abc");
  EXPECT_NE(arena.Allocate(80), nullptr);
  EXPECT_EQ(arena.Allocate(80), nullptr);
  EXPECT_TRUE(arena.is_exhausted());
  EXPECT_EQ(arena.Allocate(1), nullptr);
  EXPECT_EQ(ValueBuilder::String(arena, {"a"}).text(), kCostExceeded);
}

}  // namespace
}  // namespace stowage::cel
