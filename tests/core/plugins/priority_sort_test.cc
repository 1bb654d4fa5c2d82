#include "core/plugins/priority_sort.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

QueuedPodInfo Queued(const Pod& pod, int64_t seconds) {
  PodInfo info;
  info.pod = std::make_shared<const Pod>(pod);
  QueuedPodInfo queued;
  queued.pod_info = std::make_shared<const PodInfo>(std::move(info));
  queued.timestamp = {seconds, 0};
  return queued;
}

// Goal: priority first, then time in the queue; keys give the same order. Method: pairs of queued
// pods, in both orders.
TEST(PrioritySort, OrdersByPriorityThenTimestamp) {
  struct {
    std::string_view name;
    QueuedPodInfo a;
    QueuedPodInfo b;
    bool want;
    bool want_swapped;
  } cases[] = {
      {"lower priority", Queued(MakePod().Priority(50), 1), Queued(MakePod().Priority(100), 2),
       false, true},
      {"higher priority", Queued(MakePod().Priority(100), 2), Queued(MakePod().Priority(50), 1),
       true, false},
      {"equal priority, earlier", Queued(MakePod().Priority(100), 1),
       Queued(MakePod().Priority(100), 2), true, false},
      {"all equal", Queued(MakePod().Priority(100), 1), Queued(MakePod().Priority(100), 1), false,
       false},
      {"unset is 0", Queued(MakePod(), 1), Queued(MakePod().Priority(0), 2), true, false},
      {"negative behind unset", Queued(MakePod().Priority(-1), 1), Queued(MakePod(), 2), false,
       true},
      {"extremes", Queued(MakePod().Priority(2147483647), 2),
       Queued(MakePod().Priority(-2147483647), 1), true, false},
  };
  PluginRunner<PrioritySort> runner;
  for (const auto& c : cases) {
    EXPECT_EQ(runner.plugin().Less(c.a, c.b), c.want) << c.name;
    EXPECT_EQ(runner.plugin().Less(c.b, c.a), c.want_swapped) << c.name;
    std::optional<QueueSortKey> a = runner.plugin().KeyOf(c.a);
    std::optional<QueueSortKey> b = runner.plugin().KeyOf(c.b);
    ASSERT_TRUE(a && b) << c.name;
    EXPECT_EQ(*a < *b, c.want) << c.name;
    EXPECT_EQ(*b < *a, c.want_swapped) << c.name;
  }
}

}  // namespace
}  // namespace stowage
