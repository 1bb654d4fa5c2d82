#include "core/base/step_budget.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace stowage {
namespace {

TEST(StepBudget, IsUsedUpByTheFirstExcessStep) {
  StepBudget steps;
  EXPECT_TRUE(steps.Spend(UINT64_MAX)) << "nothing is counted before it begins";
  steps.Begin(10, 3);
  EXPECT_TRUE(steps.Spend(4));
  EXPECT_TRUE(steps.Visit(2));
  EXPECT_EQ(steps.spent(), 10u);
  EXPECT_FALSE(steps.is_exhausted());
  EXPECT_FALSE(steps.Spend(1));
  EXPECT_FALSE(steps.Spend(0)) << "it stays used up";
  EXPECT_EQ(steps.spent(), 10u);
  steps.End();
  EXPECT_FALSE(steps.is_exhausted());
  EXPECT_TRUE(steps.Visit(UINT64_MAX));
}

TEST(StepBudget, DoesNotOverflowInProducts) {
  StepBudget steps;
  steps.Begin(1'000, 1);
  EXPECT_TRUE(steps.Spend(uint64_t{1} << 63, 0));
  EXPECT_TRUE(steps.Spend(100, 10));
  EXPECT_FALSE(steps.Spend(uint64_t{1} << 33, uint64_t{1} << 33));
}

}  // namespace
}  // namespace stowage
