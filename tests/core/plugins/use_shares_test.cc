// Goal: scores by shares equal the rule, row by row, except in rows that they report as unsure.
// Method: amounts close to those where a percentage changes, sizes of real nodes, amounts out of
// range; rows that are neighbours, and rows that are not.
#include "core/plugins/use_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/config/defaults.h"
#include "core/plugins/least_allocated.h"
#include "core/plugins/node_resources_balanced_allocation.h"
#include "core/plugins/node_resources_fit.h"
#include "tests/support/plugin_forms.h"
#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

using Amounts = std::array<int64_t, NodeTable::kChunkRows>;
using Totals = std::array<int32_t, NodeTable::kChunkRows>;

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

// An allocatable amount, and one in use that leaves about a whole percentage free: some of them
// within the margin of shares, some outside.
Amount NearPercentages(Rng* rng, int64_t max, int64_t weight) {
  Amount amount{{}, {}, static_cast<int64_t>(rng->Below(1000)), weight};
  for (size_t row = 0; row < NodeTable::kChunkRows; ++row) {
    auto all = static_cast<int64_t>(1 + rng->Below(static_cast<uint64_t>(max)));
    auto percent = static_cast<int64_t>(rng->Below(101));
    int64_t used = all - all / 100 * percent - all % 100 * percent / 100;
    int64_t margin = all / 100 / 8192;
    used += static_cast<int64_t>(rng->Below(5)) - 2 - amount.request;
    used += (static_cast<int64_t>(rng->Below(9)) - 4) * margin / 2;
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

// The rows that are not sure of their scores, which get none; nullopt if there are no shares for
// the requests.
std::optional<uint64_t> ScoreAll(const std::vector<Amount>& amounts, Totals* scores) {
  Rows rows;
  NodeChunk chunk = rows.chunk();
  UseShares shares;
  shares.Reset(NodeTable::kChunkRows, amounts.size());
  for (size_t row = 0; row < NodeTable::kChunkRows; ++row) {
    shares.Set(row, UsesOf(amounts, row), 0);
  }
  ChunkShares uses(chunk);
  for (const Amount& amount : amounts) {
    if (!uses.Add(shares, amount.request, amount.weight)) return std::nullopt;
  }
  scores->fill(0);
  uint64_t rest = ~uint64_t{0};
  LeastAllocated().AddByShares(uses, 1, scores->data(), std::span(&rest, 1));
  return rest;
}

TEST(UseShares, LeastAllocatedScoresLikeEachRow) {
  Rng rng(36);
  const int64_t sizes[] = {3, 1000, 64'000, 256 * kGi, UseShares::kMaxAmount - 1000};
  size_t num_sure = 0;
  size_t num_unsure = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Amount> amounts;
    for (uint64_t left = 1 + rng.Below(4); left > 0; --left) {
      amounts.push_back(NearPercentages(&rng, sizes[rng.Below(std::size(sizes))],
                                        static_cast<int64_t>(rng.Below(101))));
    }
    amounts[0].weight += 1;
    Totals scores;
    uint64_t unsure = *ScoreAll(amounts, &scores);
    for (size_t row = 0; row < NodeTable::kChunkRows; ++row) {
      bool is_sure = (unsure >> row & 1) == 0;
      ++(is_sure ? num_sure : num_unsure);
      ASSERT_EQ(scores[row], is_sure ? LeastAllocated().Score(UsesOf(amounts, row)) : 0) << round;
    }
  }
  EXPECT_GT(num_sure, 1000);
  EXPECT_GT(num_unsure, 1000);
}

// Only a score next to a boundary is unsure.
TEST(UseShares, AreSureOfUsualAmounts) {
  Amount cpu{{}, {}, 250, 1};
  Amount memory{{}, {}, 500 << 20, 1};
  cpu.allocatable.fill(31'850);
  memory.allocatable.fill(123 * kGi + 4567);
  for (size_t row = 0; row < NodeTable::kChunkRows; ++row) {
    cpu.allocated[row] = static_cast<int64_t>(row) * 333;
    memory.allocated[row] = static_cast<int64_t>(row) * (700 << 20);
  }
  Totals scores;
  EXPECT_EQ(ScoreAll({cpu, memory}, &scores), uint64_t{0});
  // More in use than there is, by far: sure to be worth nothing.
  cpu.allocated.fill(400'000);
  EXPECT_EQ(ScoreAll({cpu}, &scores), uint64_t{0});
  EXPECT_EQ(scores[5], 0);
}

TEST(UseShares, AreUnsureOfAmountsOutOfRange) {
  constexpr uint64_t kAll = ~uint64_t{0};
  struct {
    std::string_view name;
    int64_t allocatable;
    int64_t allocated;
    int64_t request;
    int64_t weight;
    std::optional<uint64_t> want;
  } cases[] = {
      {"usual", 4100, 100, 101, 1, 0},
      {"the largest", UseShares::kMaxAmount, UseShares::kMaxAmount / 300, 1, 1, 0},
      {"no such resource", 0, 0, 101, 1, 1},
      {"too much", UseShares::kMaxAmount + 1, 0, 101, 1, 1},
      {"too much in use", 4100, UseShares::kMaxAmount, 101, 1, 1},
      {"negative", -4100, 0, 101, 1, 1},
      {"less than nothing in use", 4100, -1, 101, 1, 1},
      {"too much requested", 4100, 0, UseShares::kMaxAmount, 1, std::nullopt},
      {"less than nothing requested", 4100, 0, -1, 1, std::nullopt},
      {"no weight", 4100, 0, 101, 0, kAll},
      {"too much weight", 4100, 0, 101, int64_t{1} << 32, kAll},
  };
  for (const auto& c : cases) {
    for (size_t row : {size_t{0}, size_t{33}, size_t{63}}) {
      Amount amount{{}, {}, c.request, c.weight};
      amount.allocatable.fill(4100);
      amount.allocated.fill(100);
      amount.allocatable[row] = c.allocatable;
      amount.allocated[row] = c.allocated;
      Totals scores;
      std::optional<uint64_t> want = c.want == 1 ? uint64_t{1} << row : c.want;
      EXPECT_EQ(ScoreAll({amount}, &scores), want) << c.name << " in row " << row;
    }
  }
}

// Now and then an amount that has no shares.
std::string Memory(Rng* rng, uint64_t most_gi) {
  if (rng->Below(200) == 0) return rng->Below(2) == 0 ? "0" : "99Pi";
  return std::to_string(rng->Below(most_gi)) + "Gi";
}

constexpr std::string_view kScalar = "example.com/gpu";

void AddNodes(FakeHandle* handle, size_t count, Rng* rng) {
  for (size_t number = 0; number < count; ++number) {
    std::string name = "n" + std::to_string(number);
    std::string cpu = std::to_string(4 << rng->Below(4));
    handle->Add(MakeNode().Name(name).Allocatable({{"cpu", cpu},
                                                   {"memory", Memory(rng, 256)},
                                                   {"pods", std::to_string(rng->Below(6))},
                                                   {kScalar, std::to_string(rng->Below(4))}}));
    for (uint64_t pod = rng->Below(4); pod > 0; --pod) {
      std::string milli_cpu = std::to_string(250 * rng->Below(8)) + "m";
      handle->Add(MakePod()
                      .Name(name + "-" + std::to_string(pod))
                      .Node(name)
                      .Req({{"cpu", milli_cpu},
                            {"memory", Memory(rng, 16)},
                            {kScalar, std::to_string(rng->Below(2))}}));
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

// Compares AddScores, and FilterChunk if there is a filter, with the node's forms. The percentage
// of 99Pi wraps, so that scores are out of range.
template <typename T>
void ExpectChunkEqualsNodes(PluginRunner<T>& runner, const Pod& pod, const NodeChunk& chunk) {
  std::vector<int64_t> want;
  for (size_t offset = 0; offset < chunk.rows.size(); ++offset) {
    want.push_back(*runner.plugin().Score(runner.state(), pod, chunk.node(offset)));
  }
  std::optional<ChunkScores> scores =
      AddedScores(runner.plugin(), runner.state(), pod, chunk, chunk.all());
  auto is_in_range = [](int64_t score) { return score >= kMinNodeScore && score <= kMaxNodeScore; };
  ASSERT_EQ(scores.has_value(), std::ranges::all_of(want, is_in_range));
  ASSERT_TRUE(!scores || std::ranges::equal(want, std::span(*scores).first(want.size())));
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
void ExpectChunksEqualNodes(PluginRunner<T>& runner, Rng* rng) {
  // Now and then a scalar that no node has.
  std::string_view scalar = rng->Below(9) == 0 ? "example.com/other" : kScalar;
  const Pod pod = MakePod().Req({{"cpu", std::to_string(1 + rng->Below(3000)) + "m"},
                                 {"memory", std::to_string(1 + rng->Below(4000)) + "Mi"},
                                 {scalar, std::to_string(rng->Below(3))}});
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

// A pod on each third node: the shares of these rows change. Once a node goes and a new one comes:
// the shares of other rows move.
void Change(FakeHandle* handle, size_t round, Rng* rng) {
  for (size_t row = round; row < handle->snapshot().table().size(); row += 3) {
    std::string node(handle->snapshot().table().info(row).name().view());
    handle->Add(MakePod()
                    .Name(node + "-later-" + std::to_string(round))
                    .Node(node)
                    .Req({{"cpu", "100m"}, {"memory", Memory(rng, 8)}}));
  }
  if (round != 1) return;
  const NodeTable& table = handle->snapshot().table();
  handle->Remove(*table.info(table.size() / 2).node());
  handle->Add(MakeNode().Name("later").Allocatable({{"cpu", "5"}, {"memory", "9Gi"}}));
}

template <typename T>
void ExpectChunksEqualNodes(const PluginArgs& args, uint64_t seed) {
  Rng rng(seed);
  PluginRunner<T> runner(args);
  AddNodes(&runner.handle(), 1 + rng.Below(200), &rng);
  for (size_t round = 0; round < 3; ++round) {
    ExpectChunksEqualNodes(runner, &rng);
    Change(&runner.handle(), round, &rng);
  }
}

TEST(UseShares, ChunksOfRealSizesEqualNodes) {
  PluginArgs fit = NodeResourcesFitArgs();
  PluginArgs balanced = NodeResourcesBalancedAllocationArgs();
  SetArgsDefaults(Features(), &fit);
  SetArgsDefaults(Features(), &balanced);
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    ExpectChunksEqualNodes<NodeResourcesFit>(fit, seed);
    ExpectChunksEqualNodes<NodeResourcesBalancedAllocation>(balanced, seed);
  }
}

// Goal: among 64 neighbours with room, the one without room is refused, whatever it lacks.
void ExpectOneRefused(std::string_view pods, std::string_view cpus, std::string_view gib) {
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
                                .Allocatable({amount("pods", pods, "0"), amount("cpu", cpus, "1"),
                                              amount("memory", gib, "1Gi"),
                                              amount("ephemeral-storage", gib, "1Gi")}));
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

// Just enough is not clearly enough by floats; more is.
TEST(UseShares, FilterFindsTheRowThatLacksSomething) {
  ExpectOneRefused("1", "2", "2Gi");
  ExpectOneRefused("9", "3", "9Gi");
}

}  // namespace
}  // namespace stowage
