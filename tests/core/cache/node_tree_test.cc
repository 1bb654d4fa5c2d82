#include "core/cache/node_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

}  // namespace
}  // namespace stowage
