#include "core/framework/score_notes.h"

#include <gtest/gtest.h>

namespace stowage {
namespace {

TEST(ScoreNotes, KeepsOperandsAndResultsInOrder) {
  ScoreNotes notes;
  notes.AddOperand("{}: {}", {"cpu", 2});
  notes.AddResult("sum {}", {2});
  EXPECT_EQ(notes.lines(), (std::vector<std::string>{"cpu: 2", "sum 2"}));
}

TEST(ScoreNotes, CountsOperandsBeyondTheLimit) {
  ScoreNotes notes;
  for (size_t index = 0; index < ScoreNotes::kMaxOperands + 3; ++index) {
    notes.AddOperand("{}", {index});
  }
  notes.AddResult("sum", {});
  notes.AddResult("mean", {});
  ASSERT_EQ(notes.lines().size(), ScoreNotes::kMaxOperands + 3);
  EXPECT_EQ(notes.lines()[ScoreNotes::kMaxOperands - 1], "49");
  EXPECT_EQ(notes.lines()[ScoreNotes::kMaxOperands], "and 3 more");
  EXPECT_EQ(notes.lines().back(), "mean");
}

TEST(ScoreNotes, WritesDoublesWithAtMostFourDecimals) {
  struct {
    double value;
    std::string_view want;
  } cases[] = {{0, "0"},       {2, "2"},        {0.5, "0.5"}, {0.625, "0.625"}, {1.0 / 3, "0.3333"},
               {1.99999, "2"}, {10.05, "10.05"}};
  for (const auto& c : cases) EXPECT_EQ(DecimalText(c.value), c.want);
}

}  // namespace
}  // namespace stowage
