#include "core/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace stowage {
namespace {

struct Fault {
  std::string reason;
};

Result<int, Fault> Halve(int number) {
  if (number % 2 != 0) return Fault{"odd"};
  return number / 2;
}

TEST(Result, HoldsAValueOrAFault) {
  Result<int, Fault> good = Halve(8);
  EXPECT_TRUE(good.ok());
  EXPECT_TRUE(static_cast<bool>(good));
  EXPECT_EQ(good.value(), 4);
  EXPECT_EQ(*good, 4);
  *good = 5;
  EXPECT_EQ(good.value(), 5);

  Result<int, Fault> bad = Halve(7);
  EXPECT_FALSE(bad.ok());
  EXPECT_FALSE(static_cast<bool>(bad));
  EXPECT_EQ(bad.fault().reason, "odd");
}

TEST(Result, HoldsMoveOnlyValues) {
  Result<std::unique_ptr<int>, Fault> result(std::make_unique<int>(3));
  EXPECT_EQ(**result, 3);
  std::unique_ptr<int> taken = result.Take();
  EXPECT_EQ(*taken, 3);
}

TEST(Result, ReachesMembers) {
  Result<std::string, Fault> result(std::string("text"));
  EXPECT_EQ(result->size(), 4u);
}

#if GTEST_HAS_DEATH_TEST
TEST(ResultDeathTest, AccessToAMissingValueIsABug) {
  EXPECT_DEATH(Halve(7).value(), "");
  EXPECT_DEATH(Halve(8).fault(), "");
}
#endif

}  // namespace
}  // namespace stowage
