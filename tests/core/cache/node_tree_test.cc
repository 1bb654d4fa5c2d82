#include "core/cache/node_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/support/make_node.h"

namespace stowage {
namespace {

Node InZone(std::string_view name, std::string_view zone) {
  MakeNode node;
  node.Name(name);
  if (!zone.empty()) node.Label("topology.kubernetes.io/zone", zone);
  return node;
}

std::string ListText(const NodeTree& tree) {
  std::string text;
  for (const Symbol& name : tree.List()) text += (text.empty() ? "" : " ") + name.str();
  return text;
}

NodeTree ExampleTree() {
  NodeTree tree;
  for (const char* name : {"a1", "a2", "a3"}) tree.AddNode(InZone(name, "A"));
  tree.AddNode(InZone("b1", "B"));
  for (const char* name : {"c1", "c2"}) tree.AddNode(InZone(name, "C"));
  tree.AddNode(InZone("n", ""));
  return tree;
}

TEST(NodeTree, ListsRoundRobinOverZonesInOrderOfArrival) {
  NodeTree tree = ExampleTree();
  EXPECT_EQ(ListText(tree), "a1 b1 c1 n a2 c2 a3");
  EXPECT_EQ(tree.NumNodes(), 7u);
}

TEST(NodeTree, IgnoresADuplicateNameInAZone) {
  NodeTree tree = ExampleTree();
  tree.AddNode(InZone("a2", "A"));
  EXPECT_EQ(tree.NumNodes(), 7u);
}

TEST(NodeTree, DropsAZoneWithItsLastNode) {
  NodeTree tree = ExampleTree();
  EXPECT_TRUE(tree.RemoveNode(InZone("b1", "B")));
  EXPECT_FALSE(tree.RemoveNode(InZone("b1", "B")));
  tree.AddNode(InZone("b2", "B"));
  EXPECT_EQ(ListText(tree), "a1 c1 n b2 a2 c2 a3");
}

TEST(NodeTree, MovesANodeOnlyWhenItsZoneChanges) {
  NodeTree tree = ExampleTree();
  tree.UpdateNode(InZone("a1", "A"), InZone("a1", "A"));
  EXPECT_EQ(ListText(tree), "a1 b1 c1 n a2 c2 a3");
  tree.UpdateNode(InZone("a1", "A"), InZone("a1", "B"));
  EXPECT_EQ(ListText(tree), "a2 b1 c1 n a3 a1 c2");
}

// Goal: the rows that a visit leaves out are those that have not moved, and the others get the
// right earlier row. Method: random changes; the list by visits equals List().
TEST(NodeTree, VisitsTheRowsThatMoved) {
  for (uint64_t seed = 1; seed <= 50 && !testing::Test::HasFailure(); ++seed) {
    Rng rng(seed);
    NodeTree tree;
    std::vector<Node> nodes;
    std::vector<Symbol> list;
    size_t num_left_out = 0;
    for (size_t number = 0; number < 200; ++number) {
      for (size_t changes = rng.Below(4); changes > 0; --changes) {
        if (nodes.size() > 20 && rng.Below(2) == 0) {
          std::swap(nodes[rng.Below(nodes.size())], nodes.back());
          EXPECT_TRUE(tree.RemoveNode(nodes.back()));
          nodes.pop_back();
        } else {
          std::string name = "n" + std::to_string(number) + "-" + std::to_string(changes);
          nodes.push_back(InZone(name, "zone-" + std::to_string(rng.Below(3 + seed % 4))));
          tree.AddNode(nodes.back());
        }
      }
      bool lists_anew = rng.Below(10) == 0;
      std::vector<Symbol> next = list;
      next.resize(tree.NumNodes());
      size_t num_visits = 0;
      tree.VisitRows(lists_anew, [&](uint32_t row, uint32_t node, uint32_t previous) {
        const Symbol& name = tree.NameOf(node);
        ++num_visits;
        EXPECT_EQ(lists_anew && previous != kNoRow, false);
        if (previous != kNoRow) {
          EXPECT_EQ(list[previous], name);
        }
        next[row] = name;
      });
      num_left_out += tree.NumNodes() - num_visits;
      list = std::move(next);
      ASSERT_EQ(list, tree.List()) << "seed " << seed << ", step " << number;
    }
    EXPECT_GT(num_left_out, 0u);
  }
}

}  // namespace
}  // namespace stowage
