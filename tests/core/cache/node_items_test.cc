// Goal: Restore leaves the nodes, their order and their items as they were at the savepoint.
// Method: seeded changes with nested savepoints, compared by a description of everything.
#include "core/cache/node_items.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/rng.h"

namespace stowage {
namespace {

class NodeItemsTest : public testing::Test {
 protected:
  // The numbers, names and generations, in order.
  std::string Describe() const {
    std::string text;
    for (uint32_t node = items_.head(); node != NodeItems::kNone; node = items_.Next(node)) {
      text += std::to_string(node) + ":" + items_[node].info.name().str() + "@" +
              std::to_string(items_[node].info.generation()) + " ";
    }
    return text;
  }

  void Change() {
    std::vector<uint32_t> nodes;
    for (uint32_t node = items_.head(); node != NodeItems::kNone; node = items_.Next(node)) {
      nodes.push_back(node);
    }
    size_t what = nodes.empty() ? 0 : rng_.Below(5);
    if (what == 0) {
      items_.Add(Symbol("n" + std::to_string(++num_added_)));
      return;
    }
    uint32_t node = nodes[rng_.Below(nodes.size())];
    if (what == 1) return items_.Remove(node);
    items_.MoveToFront(node);
    items_.Mutable(node).info.set_generation(++generation_);
  }

  // Changes that are taken back, with further savepoints in them.
  void TryOut(size_t depth) {
    const std::string before = Describe();
    NodeItems::Savepoint savepoint = items_.Save();
    for (size_t count = rng_.Below(6); count > 0; --count) {
      Change();
      if (depth < 3 && rng_.Below(2) == 0) TryOut(depth + 1);
    }
    if (depth > 0 && rng_.Below(3) == 0) return items_.Release(savepoint);
    const NodeItems copy = items_;
    items_.Restore(savepoint);
    EXPECT_EQ(Describe(), before);
    if (rng_.Below(4) == 0 && depth == 0) items_ = copy;
  }

  Rng rng_{1};
  NodeItems items_;
  uint64_t num_added_ = 0;
  uint64_t generation_ = 0;
};

TEST_F(NodeItemsTest, RestoresOrderAndItems) {
  for (size_t step = 0; step < 500 && !HasFailure(); ++step) {
    Change();
    TryOut(0);
  }
  EXPECT_GT(num_added_, 100u);
}

TEST_F(NodeItemsTest, ReturnsTheNodesThatHadChanged) {
  uint32_t a = items_.Add(Symbol("a"));
  uint32_t b = items_.Add(Symbol("b"));
  NodeItems::Savepoint savepoint = items_.Save();
  items_.MoveToFront(a);
  items_.Mutable(b).images_version = 3;
  items_.Mutable(b).images_version = 4;
  EXPECT_EQ(items_.Restore(savepoint), std::vector<uint32_t>{b});
  EXPECT_EQ(items_[b].images_version, 0u);
}

}  // namespace
}  // namespace stowage
