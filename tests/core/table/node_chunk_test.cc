#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/table/node_table.h"

namespace stowage {
namespace {

TEST(NodeChunk, ListsItsRows) {
  struct {
    size_t count;
    uint64_t want;
  } cases[] = {{1, 1}, {2, 3}, {63, ~uint64_t{0} >> 1}, {64, ~uint64_t{0}}};
  NodeTable table;
  const std::vector<uint32_t> rows(64, 7);
  for (const auto& c : cases) {
    NodeChunk chunk = table.Chunk(std::span(rows).first(c.count));
    EXPECT_EQ(chunk.all(), c.want) << c.count;
    EXPECT_EQ(chunk.row(c.count - 1), 7u);
  }
}

TEST(NodeChunk, SelectsByAColumn) {
  NodeTable table;
  const std::vector<uint8_t> column = {0, 1, 1, 0, 1};
  const std::vector<uint32_t> rows = {4, 3, 2, 1, 0};
  NodeChunk chunk = table.Chunk(rows);
  EXPECT_EQ(chunk.Select(column, chunk.all()), 0b01101u);
  EXPECT_EQ(chunk.Select(column, 0b01010u), 0b01000u);
  EXPECT_EQ(chunk.Select(column, 0), 0u);
}

// Goal: neighbours are skipped together only if no value is 1.
TEST(NodeChunk, SelectsAmongNeighbours) {
  NodeTable table;
  std::vector<uint32_t> rows(64);
  std::iota(rows.begin(), rows.end(), uint32_t{64});
  const NodeChunk chunk{table, rows, true};
  std::vector<uint8_t> column(192, 1);
  std::fill_n(column.begin() + 64, 64, uint8_t{0});
  EXPECT_EQ(chunk.Select(column, chunk.all()), 0u);
  for (size_t offset = 0; offset < 64; ++offset) {
    column[64 + offset] = 1;
    EXPECT_EQ(chunk.Select(column, chunk.all()), uint64_t{1} << offset);
    EXPECT_EQ(chunk.Select(column, ~(uint64_t{1} << offset)), 0u);
    column[64 + offset] = 0;
  }
}

}  // namespace
}  // namespace stowage
