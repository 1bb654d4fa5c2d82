#include "core/runtime/tie_breaker.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>
#include <vector>

namespace stowage {
namespace {

std::string Winner(TieBreak rule, const std::vector<std::string_view>& names, uint64_t seed = 0) {
  Rng rng(seed);
  TieBreaker tie_breaker(rule, &rng);
  std::deque<NodeInfo> nodes;
  for (std::string_view name : names) {
    nodes.emplace_back(Symbol(name));
    tie_breaker.Offer(static_cast<uint32_t>(nodes.size() - 1), nodes.back());
  }
  return tie_breaker.winner()->name().str();
}

TEST(TieBreaker, FollowsItsRule) {
  struct {
    std::string_view name;
    TieBreak rule;
    std::vector<std::string_view> nodes;
    std::string_view want;
  } cases[] = {
      {"heap: all equal, the first found", TieBreak::kHeap, {"b", "c", "a"}, "b"},
      {"name: the first by bytes", TieBreak::kName, {"b", "c", "a", "B"}, "B"},
      {"one node", TieBreak::kHeap, {"x"}, "x"},
  };
  for (const auto& c : cases) EXPECT_EQ(Winner(c.rule, c.nodes), c.want) << c.name;
}

// Goal: positions are those of the feasible list, not of the ties. Positions 1 and 3 tie: 3 is a
// child of 1 and loses. Positions 2 and 3 tie: 3 is in the left subtree and wins.
TEST(TieBreaker, HeapOrderUsesPositionsInTheFeasibleList) {
  NodeInfo first(Symbol("first"));
  NodeInfo second(Symbol("second"));
  TieBreaker parent_and_child(TieBreak::kHeap, nullptr);
  parent_and_child.Offer(1, first);
  parent_and_child.Offer(3, second);
  EXPECT_EQ(parent_and_child.winner(), &first);
  TieBreaker right_and_left(TieBreak::kHeap, nullptr);
  right_and_left.Offer(2, first);
  right_and_left.Offer(3, second);
  EXPECT_EQ(right_and_left.winner(), &second);
}

TEST(TieBreaker, RandomPicksEachTieAboutEquallyOften) {
  std::vector<size_t> wins(3);
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    ++wins[static_cast<size_t>(Winner(TieBreak::kRandom, {"0", "1", "2"}, seed)[0] - '0')];
  }
  for (size_t count : wins) EXPECT_NEAR(static_cast<double>(count), 1000, 150);
  EXPECT_EQ(Winner(TieBreak::kRandom, {"0", "1", "2"}, 5),
            Winner(TieBreak::kRandom, {"0", "1", "2"}, 5));
}

// Goal: the nodes that a random draw was among are known, and those of other rules cost nothing.
TEST(TieBreaker, CollectsTheNodesOfARandomDraw) {
  NodeInfo b(Symbol("b"));
  NodeInfo a(Symbol("a"));
  for (TieBreak rule : {TieBreak::kHeap, TieBreak::kName, TieBreak::kRandom}) {
    Rng rng(1);
    std::set<Symbol> best;
    TieBreaker tie_breaker(rule, &rng, &best);
    tie_breaker.Offer(0, b);
    tie_breaker.Offer(1, a);
    std::set<Symbol> want;
    if (rule == TieBreak::kRandom) want = {Symbol("a"), Symbol("b")};
    EXPECT_EQ(best, want);
  }
}

}  // namespace
}  // namespace stowage
