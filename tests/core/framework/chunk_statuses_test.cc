#include "core/framework/chunk_statuses.h"

#include <gtest/gtest.h>

#include <string>

namespace stowage {
namespace {

Status Refused(size_t number) { return Status::Unschedulable("reason " + std::to_string(number)); }

// Goal: each node has the status that was set for it. Method: nodes with statuses in turn, of fewer
// and of more kinds than are compared.
TEST(ChunkStatuses, KeepsAStatusOnce) {
  for (size_t kinds : {size_t{1}, size_t{3}, size_t{4}, size_t{7}}) {
    ChunkStatuses statuses;
    for (size_t offset = 0; offset < 64; ++offset) statuses.SetOne(offset, Refused(offset % kinds));
    for (size_t offset = 0; offset < 64; ++offset) {
      EXPECT_EQ(statuses[offset], Refused(offset % kinds)) << kinds;
    }
    uint64_t all = 0;
    for (const ChunkStatuses::Refusal& refusal : statuses.refusals()) {
      EXPECT_EQ(all & refusal.offsets, 0u);
      all |= refusal.offsets;
    }
    EXPECT_EQ(all, ~uint64_t{0});
    if (kinds <= 4) {
      EXPECT_EQ(statuses.refusals().size(), kinds);
    }
  }
}

// Goal: a status gets the name of the plugin that set it, even if a later plugin refuses alike.
TEST(ChunkStatuses, NamesEachPluginsOwn) {
  ChunkStatuses statuses;
  auto name_by = [&](std::string_view plugin) {
    statuses.NameNew([&](Status status) { return status.WithPlugin(Symbol(plugin)); });
  };
  statuses.Set(0b0101, Refused(1));
  name_by("a");
  name_by("unused");
  statuses.Set(0b0010, Refused(1));
  statuses.Set(0b1000, Refused(1).WithPlugin(Symbol("a")));
  name_by("b");
  EXPECT_EQ(statuses[0], Refused(1).WithPlugin(Symbol("a")));
  EXPECT_EQ(statuses[2], statuses[0]);
  EXPECT_EQ(statuses[1], Refused(1).WithPlugin(Symbol("b")));
  EXPECT_EQ(statuses[3], statuses[1]);
  statuses.Clear();
  EXPECT_TRUE(statuses.refusals().empty());
  statuses.SetOne(0, Refused(2));
  name_by("c");
  EXPECT_EQ(statuses[0], Refused(2).WithPlugin(Symbol("c")));
}

}  // namespace
}  // namespace stowage
