// Goal: nodes come out in the order of the reference's heap. Method: the table of spec 05 §7, and
// lists of equal totals under each rule.
#include "core/runtime/sorted_scored_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace stowage {
namespace {

std::shared_ptr<const NodeNames> Names(size_t count) {
  std::vector<uint32_t> slots;
  SharedArray<Symbol> names(count);
  for (uint32_t row = 0; row < count; ++row) {
    slots.push_back(row);
    names.Mutable(row) = Symbol("n" + std::to_string(row));
  }
  auto shared = std::make_shared<const std::vector<uint32_t>>(std::move(slots));
  return std::make_shared<const NodeNames>(std::move(shared), std::move(names));
}

std::vector<ScoredNode> Scored(const std::vector<int64_t>& totals) {
  std::vector<ScoredNode> nodes;
  for (uint32_t row = 0; row < totals.size(); ++row) nodes.push_back({totals[row], row});
  return nodes;
}

std::string PopAll(SortedScoredNodes nodes) {
  std::string order;
  while (!nodes.empty()) order += std::string(nodes.Pop().view()) + " ";
  return order;
}

TEST(SortedScoredNodes, FollowTheHeapAfterTheHost) {
  struct Case {
    std::vector<int64_t> totals;
    uint32_t host;
    std::string rest;
  };
  const std::vector<Case> cases = {
      {{5, 5, 5, 5, 5}, 0, "n4 n3 n2 n1 "},
      {{1, 5, 5, 5, 3}, 1, "n3 n2 n4 n0 "},
      {{3, 3, 5, 5, 5, 5, 1}, 3, "n4 n5 n2 n1 n0 n6 "},
      {{1, 2, 3, 4, 5, 5, 5, 5}, 7, "n4 n6 n5 n3 n2 n1 n0 "},
      {{4, 5, 5}, 1, "n2 n0 "},
  };
  for (const Case& c : cases) {
    SortedScoredNodes nodes(Scored(c.totals), c.host, Names(c.totals.size()), TieBreak::kHeap,
                            nullptr);
    EXPECT_EQ(PopAll(std::move(nodes)), c.rest);
  }
}

TEST(SortedScoredNodes, FollowTheNames) {
  // "n10" sorts before "n2".
  std::vector<int64_t> totals(11, 7);
  totals[2] = 8;
  SortedScoredNodes nodes(Scored(totals), 2, Names(11), TieBreak::kName, nullptr);
  EXPECT_EQ(PopAll(std::move(nodes)), "n0 n1 n10 n3 n4 n5 n6 n7 n8 n9 ");
}

TEST(SortedScoredNodes, FollowARandomOrderAfterTheHost) {
  std::vector<std::string> orders;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    SortedScoredNodes nodes(Scored({5, 5, 5, 4}), 2, Names(4), TieBreak::kRandom, &rng);
    orders.push_back(PopAll(std::move(nodes)));
    EXPECT_TRUE(orders.back() == "n0 n1 n3 " || orders.back() == "n1 n0 n3 ") << orders.back();
  }
  EXPECT_NE(std::count(orders.begin(), orders.end(), orders.front()), 20);
}

TEST(SortedScoredNodes, AreEmptyByDefault) { EXPECT_TRUE(SortedScoredNodes().empty()); }

}  // namespace
}  // namespace stowage
