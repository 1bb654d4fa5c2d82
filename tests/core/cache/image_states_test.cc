#include "core/cache/image_states.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "tests/support/make_node.h"

namespace stowage {
namespace {

struct Image {
  std::string_view name;
  int64_t size;
};

Node NodeWith(std::string_view name, std::initializer_list<Image> images) {
  MakeNode node;
  node.Name(name);
  for (const Image& image : images) node.Image(image.name, image.size);
  return node;
}

// "a=100/2 b=7/1": name=size/number of nodes, for the node of `images` at this moment.
std::string Text(const ImageStateMap& states, const NodeImages& images) {
  std::string text;
  for (const auto& [name, state] : states.Summarize(images)) {
    if (!text.empty()) text += ' ';
    text += name.str() + "=" + std::to_string(state.size) + "/" + std::to_string(state.num_nodes);
  }
  return text;
}

TEST(ImageStates, CountTheNodesThatReportAnImage) {
  ImageStateMap states;
  NodeImages first = states.AddNode(NodeWith("n1", {{"b", 7}, {"a", 100}}));
  EXPECT_EQ(Text(states, first), "a=100/1 b=7/1");
  NodeImages second = states.AddNode(NodeWith("n2", {{"a", 200}}));
  EXPECT_EQ(Text(states, second), "a=100/2") << "the size is the first reporter's";
  EXPECT_EQ(Text(states, first), "a=100/2 b=7/1");
}

TEST(ImageStates, CountDownWhenANodeLeavesOrDropsAnImage) {
  ImageStateMap states;
  Node leaving = NodeWith("n1", {{"a", 1}, {"b", 2}});
  Node dropping = NodeWith("n2", {{"a", 1}, {"b", 2}});
  states.AddNode(leaving);
  states.AddNode(dropping);
  NodeImages staying = states.AddNode(NodeWith("n3", {{"a", 1}, {"b", 2}}));
  EXPECT_EQ(Text(states, staying), "a=1/3 b=2/3");
  states.RemoveNode(leaving);
  EXPECT_EQ(Text(states, staying), "a=1/2 b=2/2");
  // An update removes the node from its old images and adds it to the new ones.
  states.RemoveNode(dropping);
  NodeImages dropped = states.AddNode(NodeWith("n2", {{"b", 2}}));
  EXPECT_EQ(Text(states, staying), "a=1/1 b=2/2");
  EXPECT_EQ(Text(states, dropped), "b=2/2");
}

TEST(ImageStates, DropAnImageWithoutNodes) {
  ImageStateMap states;
  Node first = NodeWith("n1", {{"a", 100}});
  states.AddNode(first);
  states.RemoveNode(first);
  EXPECT_EQ(Text(states, states.AddNode(NodeWith("n2", {{"a", 200}}))), "a=200/1");
}

TEST(ImageStates, KeepTheFirstOfDuplicateNames) {
  ImageStateMap states;
  NodeImages images = states.AddNode(NodeWith("n1", {{"a", 1}, {"b", 2}, {"a", 3}}));
  EXPECT_EQ(Text(states, images), "a=1/1 b=2/1");
  states.RemoveNode(NodeWith("n1", {{"a", 1}, {"b", 2}, {"a", 3}}));
  EXPECT_EQ(Text(states, states.AddNode(NodeWith("n2", {{"a", 3}}))), "a=3/1");
}

TEST(ImageStates, RemoveByTheGivenObject) {
  ImageStateMap states;
  NodeImages images = states.AddNode(NodeWith("n1", {{"a", 1}, {"b", 2}}));
  NodeImages others = states.AddNode(NodeWith("n2", {{"a", 1}, {"b", 2}}));
  states.RemoveNode(NodeWith("n1", {{"b", 2}, {"unknown", 3}}));
  EXPECT_EQ(Text(states, others), "a=1/2 b=2/1");
}

// Goal: equal versions mean equal summaries. Method: operations that change a set of nodes, and
// others.
TEST(ImageStates, RaiseTheVersionWithEveryChangeOfASet) {
  ImageStateMap states;
  Node node = NodeWith("n1", {{"a", 1}});
  uint64_t version = states.version();
  states.AddNode(node);
  EXPECT_GT(states.version(), version);
  version = states.version();
  states.AddNode(node);
  states.RemoveNode(NodeWith("n2", {{"a", 1}}));
  states.RemoveNode(NodeWith("n1", {{"b", 1}}));
  EXPECT_EQ(states.version(), version);
  states.RemoveNode(node);
  EXPECT_GT(states.version(), version);
}

}  // namespace
}  // namespace stowage
