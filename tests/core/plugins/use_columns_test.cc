// Goal: scores by columns equal the rule, row by row, and are refused where they would not be
// exact. Method: amounts close to those where a percentage changes, sizes of real nodes, amounts
// beyond the bounds; rows that are neighbours, and rows that are not.
#include "core/plugins/use_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/config/defaults.h"
#include "core/plugins/least_allocated.h"
#include "core/plugins/node_resources_balanced_allocation.h"
#include "core/plugins/node_resources_fit.h"
#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

using Amounts = std::array<int64_t, NodeTable::kChunkRows>;

constexpr int64_t kGi = int64_t{1} << 30;

// A chunk of 64 neighbours; nothing of the table itself is read.
class Rows {
 public:
  Rows() {
    for (uint32_t row = 0; row < NodeTable::kChunkRows; ++row) rows_.push_back(row);
  }
  NodeChunk chunk() const { return {table_, rows_, true}; }

 private:
  NodeTable table_;
  std::vector<uint32_t> rows_;
};

// One resource of all rows.
struct Amount {
  Amounts allocatable;
  Amounts allocated;
  int64_t request;
  int64_t weight;
};

// An allocatable amount, and one in use that leaves about a whole percentage free.
Amount NearPercentages(Rng* rng, int64_t max, int64_t weight) {
  Amount amount{{}, {}, static_cast<int64_t>(rng->Below(1000)), weight};
  for (size_t row = 0; row < NodeTable::kChunkRows; ++row) {
    auto all = static_cast<int64_t>(1 + rng->Below(static_cast<uint64_t>(max)));
    auto percent = static_cast<int64_t>(rng->Below(101));
    int64_t used = all - all / 100 * percent - all % 100 * percent / 100;
    used += static_cast<int64_t>(rng->Below(5)) - 2 - amount.request;
    amount.allocatable[row] = all;
    amount.allocated[row] = std::max<int64_t>(0, used);
  }
  return amount;
}

std::vector<ResourceUse> UsesOf(const std::vector<Amount>& amounts, size_t row) {
  std::vector<ResourceUse> uses;
  for (const Amount& amount : amounts) {
    int64_t allocated = amount.allocated[row];
    uses.push_back({amount.allocatable[row], allocated, allocated + amount.request, amount.weight});
  }
  return uses;
}

bool ScoreAll(const std::vector<Amount>& amounts, ChunkScores* scores) {
  Rows rows;
  NodeChunk chunk = rows.chunk();
  UseColumns uses(chunk);
  for (const Amount& amount : amounts) {
    bool has_room =
        uses.Add(amount.allocatable.data(), amount.allocated.data(), amount.request, amount.weight);
    if (!has_room) return false;
  }
  return LeastAllocated().ScoreColumns(uses, scores);
}

TEST(UseColumns, LeastAllocatedScoresLikeEachRow) {
  Rng rng(36);
  const int64_t sizes[] = {3, 1000, 64'000, 256 * kGi, UseColumns::kMaxAmount - 1000};
  for (int round = 0; round < 2000; ++round) {
    std::vector<Amount> amounts;
    for (uint64_t left = 1 + rng.Below(4); left > 0; --left) {
      amounts.push_back(NearPercentages(&rng, sizes[rng.Below(std::size(sizes))],
                                        static_cast<int64_t>(rng.Below(101))));
    }
    amounts[0].weight += 1;
    ChunkScores scores;
    ASSERT_TRUE(ScoreAll(amounts, &scores));
    for (size_t row = 0; row < NodeTable::kChunkRows; ++row) {
      ASSERT_EQ(scores[row], LeastAllocated().Score(UsesOf(amounts, row))) << round;
    }
  }
}

TEST(UseColumns, RefusesAmountsThatAreNotExact) {
  struct {
    std::string_view name;
    int64_t allocatable;
    int64_t allocated;
    int64_t request;
    int64_t weight;
    bool want;
  } cases[] = {
      {"usual", 4000, 100, 100, 1, true},
      {"nothing in use", 4000, 0, 0, 1, true},
      {"the largest", UseColumns::kMaxAmount, UseColumns::kMaxAmount - 1, 1, 1, true},
      {"no such resource", 0, 0, 100, 1, false},
      {"too much", UseColumns::kMaxAmount + 1, 0, 100, 1, false},
      {"too much in use", 4000, UseColumns::kMaxAmount, 100, 1, false},
      {"negative", -4000, 0, 100, 1, false},
      {"less than nothing in use", 4000, -1, 100, 1, false},
      {"too much requested", 4000, 0, UseColumns::kMaxAmount, 1, false},
      {"less than nothing requested", 4000, 0, -1, 1, false},
      {"no weight", 4000, 0, 100, 0, false},
      {"too much weight", 4000, 0, 100, int64_t{1} << 32, false},
  };
  for (const auto& c : cases) {
    for (size_t row : {size_t{0}, size_t{33}, size_t{63}}) {
      Amount amount{{}, {}, c.request, c.weight};
      amount.allocatable.fill(4000);
      amount.allocated.fill(100);
      amount.allocatable[row] = c.allocatable;
      amount.allocated[row] = c.allocated;
      ChunkScores scores;
      EXPECT_EQ(ScoreAll({amount}, &scores), c.want) << c.name << " in row " << row;
    }
  }
}

TEST(UseColumns, HasRoomForFourResources) {
  Amount amount{{}, {}, 100, 1};
  amount.allocatable.fill(4000);
  amount.allocated.fill(100);
  ChunkScores scores;
  EXPECT_TRUE(ScoreAll(std::vector(4, amount), &scores));
  EXPECT_FALSE(ScoreAll(std::vector(5, amount), &scores));
}

// Now and then an amount that has no exact column form.
std::string Memory(Rng* rng, uint64_t most_gi) {
  if (rng->Below(200) == 0) return rng->Below(2) == 0 ? "0" : "9Ti";
  return std::to_string(rng->Below(most_gi)) + "Gi";
}

void AddNodes(FakeHandle* handle, size_t count, Rng* rng) {
  for (size_t number = 0; number < count; ++number) {
    std::string name = "n" + std::to_string(number);
    std::string cpu = std::to_string(4 << rng->Below(4));
    handle->Add(MakeNode().Name(name).Allocatable(
        {{"cpu", cpu}, {"memory", Memory(rng, 256)}, {"pods", std::to_string(rng->Below(6))}}));
    for (uint64_t pod = rng->Below(4); pod > 0; --pod) {
      std::string milli_cpu = std::to_string(250 * rng->Below(8)) + "m";
      handle->Add(MakePod()
                      .Name(name + "-" + std::to_string(pod))
                      .Node(name)
                      .Req({{"cpu", milli_cpu}, {"memory", Memory(rng, 16)}}));
    }
  }
}

// Every second row, in chunks of up to 51.
std::vector<std::vector<uint32_t>> ScatteredRows(size_t size) {
  std::vector<std::vector<uint32_t>> chunks(1);
  for (uint32_t row = 0; row < size; row += 2) {
    if (chunks.back().size() == 51) chunks.emplace_back();
    chunks.back().push_back(row);
  }
  return chunks;
}

// Compares the chunk forms of Score, and of Filter if there is one, with the node's forms.
template <typename T>
void ExpectChunkEqualsNodes(PluginRunner<T>& runner, const Pod& pod, const NodeChunk& chunk) {
  ChunkScores scores;
  ASSERT_TRUE(
      runner.plugin().ScoreChunk(runner.state(), pod, chunk, chunk.all(), &scores).IsSuccess());
  for (size_t offset = 0; offset < chunk.rows.size(); ++offset) {
    ASSERT_EQ(scores[offset], *runner.plugin().Score(runner.state(), pod, chunk.node(offset)));
  }
  if constexpr (std::is_base_of_v<FilterPlugin, T>) {
    ChunkStatuses statuses;
    uint64_t passed =
        runner.plugin().FilterChunk(runner.state(), pod, chunk, chunk.all(), &statuses);
    for (size_t offset = 0; offset < chunk.rows.size(); ++offset) {
      Status want = runner.plugin().Filter(runner.state(), pod, chunk.node(offset));
      bool has_passed = (passed >> offset & 1) != 0;
      ASSERT_EQ(has_passed ? Status::Success() : statuses[offset], want);
    }
  }
}

template <typename T>
void ExpectChunksEqualNodes(const PluginArgs& args, uint64_t seed) {
  Rng rng(seed);
  PluginRunner<T> runner(args);
  AddNodes(&runner.handle(), 1 + rng.Below(200), &rng);
  const Pod pod = MakePod().Req({{"cpu", std::to_string(1 + rng.Below(3000)) + "m"},
                                 {"memory", std::to_string(1 + rng.Below(4000)) + "Mi"}});
  if constexpr (std::is_base_of_v<FilterPlugin, T>) {
    ASSERT_TRUE(runner.PreFilter(pod).IsSuccess());
  }
  ASSERT_TRUE(runner.plugin().PreScore(runner.state(), pod, {}).IsSuccess());
  const NodeTable& table = runner.handle().snapshot().table();
  for (size_t first = 0; first < table.size(); first += NodeTable::kChunkRows) {
    ExpectChunkEqualsNodes(runner, pod, table.Chunk(first / NodeTable::kChunkRows));
  }
  for (const std::vector<uint32_t>& rows : ScatteredRows(table.size())) {
    ExpectChunkEqualsNodes(runner, pod, table.Chunk(rows));
  }
}

TEST(UseColumns, ChunksOfRealSizesEqualNodes) {
  PluginArgs fit = NodeResourcesFitArgs();
  PluginArgs balanced = NodeResourcesBalancedAllocationArgs();
  SetArgsDefaults(Features(), &fit);
  SetArgsDefaults(Features(), &balanced);
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    ExpectChunksEqualNodes<NodeResourcesFit>(fit, seed);
    ExpectChunksEqualNodes<NodeResourcesBalancedAllocation>(balanced, seed);
  }
}

// Goal: among 64 neighbours with room, the one without room is refused, whatever it lacks.
TEST(UseColumns, FilterFindsTheRowThatLacksSomething) {
  PluginArgs args = NodeResourcesFitArgs();
  SetArgsDefaults(Features(), &args);
  const Pod pod = MakePod().Req({{"cpu", "2"}, {"memory", "2Gi"}, {"ephemeral-storage", "2Gi"}});
  for (std::string_view lacking : {"pods", "cpu", "memory", "ephemeral-storage"}) {
    for (size_t row : {size_t{0}, size_t{1}, size_t{32}, size_t{63}}) {
      PluginRunner<NodeResourcesFit> runner(args);
      for (size_t number = 0; number < NodeTable::kChunkRows; ++number) {
        auto amount = [&](std::string_view name, std::string_view enough, std::string_view less) {
          return std::pair(name, number == row && name == lacking ? less : enough);
        };
        runner.handle().Add(MakeNode()
                                .Name("n" + std::to_string(number))
                                .Allocatable({amount("pods", "1", "0"), amount("cpu", "2", "1"),
                                              amount("memory", "2Gi", "1Gi"),
                                              amount("ephemeral-storage", "2Gi", "1Gi")}));
      }
      ASSERT_TRUE(runner.PreFilter(pod).IsSuccess());
      const NodeTable& table = runner.handle().snapshot().table();
      NodeChunk chunk = table.Chunk(0);
      ChunkStatuses statuses;
      uint64_t passed =
          runner.plugin().FilterChunk(runner.state(), pod, chunk, chunk.all(), &statuses);
      EXPECT_EQ(passed, ~(uint64_t{1} << row)) << lacking;
    }
  }
}

}  // namespace
}  // namespace stowage
