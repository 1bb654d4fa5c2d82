#include "core/table/renumbering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/rng.h"

namespace stowage {
namespace {

// Numbers that stand for nodes, in the order of a list.
using Nodes = std::vector<uint32_t>;

Renumbering Between(const Nodes& before, const Nodes& now) {
  std::vector<uint32_t> previous;
  for (uint32_t node : now) {
    auto place = std::ranges::find(before, node);
    previous.push_back(place == before.end() ? kNoRow
                                             : static_cast<uint32_t>(place - before.begin()));
  }
  return Renumbering(previous, before.size());
}

// The nodes of `now`, with 0 for those that were not in `before`.
Nodes Known(const Nodes& before, Nodes now) {
  for (uint32_t& node : now) {
    if (std::ranges::find(before, node) == before.end()) node = 0;
  }
  return now;
}

// Removes some nodes and adds others, as in lists by zone: nodes of one zone close the gap.
Nodes Changed(const Nodes& before, Rng* rng, uint32_t* last) {
  size_t zones = rng->Below(3) + 1;
  std::vector<Nodes> by_zone(zones);
  for (size_t row = 0; row < before.size(); ++row) by_zone[row % zones].push_back(before[row]);
  for (Nodes& zone : by_zone) {
    for (size_t count = rng->Below(3); count > 0 && !zone.empty(); --count) {
      zone.erase(zone.begin() + static_cast<ptrdiff_t>(rng->Below(zone.size())));
    }
    for (size_t count = rng->Below(3); count > 0; --count) {
      zone.insert(zone.begin() + static_cast<ptrdiff_t>(rng->Below(zone.size() + 1)), ++*last);
    }
  }
  Nodes now;
  for (size_t round = 0; round < before.size() + 2; ++round) {
    for (const Nodes& zone : by_zone) {
      if (round < zone.size()) now.push_back(zone[round]);
    }
  }
  if (now.size() > 1 && rng->Below(4) == 0) {
    std::swap(now[rng->Below(now.size())], now[rng->Below(now.size())]);
  }
  return now;
}

// Goal: values go where their nodes went, and back with the inverse; removed and added rows are
// named. Method: seeded lists.
TEST(Renumbering, MovesValuesWithTheirNodes) {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Rng rng(seed);
    Nodes before(rng.Below(40));
    std::iota(before.begin(), before.end(), uint32_t{1});
    uint32_t last = 1000;
    const Nodes now = Changed(before, &rng, &last);
    const Renumbering moves = Between(before, now);
    Nodes values = before;
    moves.Apply(&values, uint32_t{0});
    ASSERT_EQ(values, Known(before, now)) << "seed " << seed;
    values = now;
    const Renumbering back = moves.Inverse();
    back.Apply(&values, uint32_t{0});
    ASSERT_EQ(values, Known(now, before)) << "seed " << seed;
    Nodes removed;
    for (uint32_t row : moves.removed()) removed.push_back(before[row]);
    for (uint32_t row : back.added()) {
      ASSERT_TRUE(std::ranges::find(removed, before[row]) != removed.end()) << "seed " << seed;
    }
    Nodes kept = Known(now, before);
    ASSERT_EQ(static_cast<size_t>(std::ranges::count(kept, 0u)), removed.size());
    ASSERT_EQ(back.added().size(), removed.size()) << "seed " << seed;
    ASSERT_EQ(back.removed().size(), moves.added().size()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace stowage
