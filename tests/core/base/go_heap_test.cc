#include "core/base/go_heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/rng.h"

namespace stowage {
namespace {

struct Candidate {
  int total;
  int node;
};

struct HigherTotal {
  bool operator()(const Candidate& a, const Candidate& b) const { return a.total > b.total; }
};

// Goal: ties come out in container/heap's order. Method: the reference's pop orders, spec 05 §7.
TEST(GoHeap, PopsTiesLikeTheReference) {
  struct {
    std::vector<int> totals;
    std::vector<int> want;
  } cases[] = {
      {{5, 5, 5, 5, 5}, {0, 4, 3, 2, 1}},
      {{1, 5, 5, 5, 3}, {1, 3, 2, 4, 0}},
      {{3, 3, 5, 5, 5, 5, 1}, {3, 4, 5, 2, 1, 0, 6}},
      {{1, 2, 3, 4, 5, 5, 5, 5}, {7, 4, 6, 5, 3, 2, 1, 0}},
      {{4, 5, 5}, {1, 2, 0}},
      {{7}, {0}},
      {{}, {}},
  };
  for (const auto& c : cases) {
    std::vector<Candidate> candidates;
    for (int total : c.totals) candidates.push_back({total, static_cast<int>(candidates.size())});
    GoHeap<Candidate, HigherTotal> heap{HigherTotal()};
    heap.Init(std::move(candidates));
    std::vector<int> popped;
    while (!heap.empty()) popped.push_back(heap.Pop().node);
    EXPECT_EQ(popped, c.want);
  }
}

// Goal: it is a heap. Method: random pushes and pops, compared with a sorted list.
TEST(GoHeap, PopsTheLeastItem) {
  Rng rng(1);
  GoHeap<uint64_t, std::less<>> heap{std::less<>()};
  std::vector<uint64_t> held;
  for (int step = 0; step < 10'000; ++step) {
    if (held.empty() || rng.Below(5) < 3) {
      uint64_t item = rng.Below(100);
      heap.Push(item);
      held.insert(std::upper_bound(held.begin(), held.end(), item), item);
    } else {
      EXPECT_EQ(heap.Pop(), held.front());
      held.erase(held.begin());
    }
    ASSERT_EQ(heap.size(), held.size());
  }
}

// Goal: Push sifts up like container/heap. Method: arrays computed by hand.
TEST(GoHeap, PushKeepsEqualItemsBehind) {
  GoHeap<Candidate, HigherTotal> heap{HigherTotal()};
  for (int node = 0; node < 4; ++node) heap.Push({5, node});
  heap.Push({6, 4});
  std::vector<int> order;
  for (const Candidate& candidate : heap.items()) order.push_back(candidate.node);
  EXPECT_EQ(order, (std::vector<int>{4, 0, 2, 3, 1}));
}

}  // namespace
}  // namespace stowage
