#include "core/framework/nomination_log.h"

#include <gtest/gtest.h>

#include <string>

namespace stowage {
namespace {

// Goal: a reader gets every change since its last look, or learns that it must read all nodes.
// Method: readers that look after different numbers of changes.
TEST(NominationLog, HoldsTheLatestChanges) {
  for (size_t pace : {1, 7, 100, 512, 513, 2000}) {
    NominationLog log;
    EXPECT_FALSE(log.HoldsSince(0));
    uint64_t cursor = log.head();
    size_t num_held = 0;
    for (size_t number = 0; number < 4000; number += pace) {
      for (size_t at = number; at < number + pace; ++at) log.Append(Symbol(std::to_string(at)));
      if (log.HoldsSince(cursor)) {
        ++num_held;
        ASSERT_EQ(log.Since(cursor).size(), pace);
        EXPECT_EQ(log.Since(cursor).front(), std::to_string(number));
        EXPECT_EQ(log.Since(cursor).back(), std::to_string(number + pace - 1));
      }
      cursor = log.head();
      EXPECT_TRUE(log.HoldsSince(cursor));
      EXPECT_TRUE(log.Since(cursor).empty());
    }
    EXPECT_EQ(num_held > 0, pace < 2000);
    if (pace > 512) continue;
    EXPECT_EQ(num_held, (4000 + pace - 1) / pace) << "half of the log is always there";
  }
}

TEST(NominationLog, HoldsNothingSinceABreak) {
  NominationLog log;
  uint64_t before = log.head();
  log.Break();
  EXPECT_FALSE(log.HoldsSince(before));
  EXPECT_TRUE(log.HoldsSince(log.head()));
}

}  // namespace
}  // namespace stowage
