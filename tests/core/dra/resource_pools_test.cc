// Goal: each node has the pools of the spec, before and after changes of slices (spec
// plugins/dynamic-resources-allocator "Pools for a node").
#include "core/dra/resource_pools.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/rng.h"
#include "tests/core/dra/allocator_fixture.h"

namespace stowage {
namespace {

class ResourcePoolsTest : public AllocatorFixture {
 protected:
  // "driver/pool(device …)", with "!" for an invalid pool and "?" for an incomplete one.
  std::string Gather(std::string_view node, const LabelMap& labels = {}) {
    Node gathered = node_;
    gathered.metadata.name = Symbol(node);
    gathered.metadata.labels = labels;
    auto pools = pools_.Gather(gathered);
    if (!pools.ok()) return pools.fault();
    std::string text;
    for (const Pool* pool : (*pools)->pools) {
      text += pool->Name();
      if (pool->is_incomplete) text += "?";
      if (pool->is_invalid()) text += "!";
      text += "(";
      for (const PoolDevice& device : pool->devices) text += device.device().name.str() + " ";
      text += ") ";
    }
    return text;
  }

  ResourcePools pools_{slices_, true};
};

TEST_F(ResourcePoolsTest, AreThoseOfTheNode) {
  AddSlice("a", {.pool = "pa", .devices = Plain("x")});
  AddSlice("b", {.pool = "pb", .nodes = R"("nodeName":"m")", .devices = Plain("x")});
  AddSlice("c", {.pool = "pc", .nodes = R"("allNodes":true)", .devices = Plain("x")});
  AddSlice("d", {.pool = "pd",
                 .nodes = R"("nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":[
                     {"key":"zone","operator":"In","values":["1"]}]}]})",
                 .devices = Plain("x")});
  AddSlice("e", {.pool = "pe", .nodes = "", .devices = Plain("x")});
  AddSlice("f", {.pool = "pa", .devices = Plain("x"), .driver = "a"});
  EXPECT_EQ(Gather("n"), "a/pa(x ) d/pa(x ) d/pc(x ) ");
  EXPECT_EQ(Gather("m"), "d/pb(x ) d/pc(x ) ");
  EXPECT_EQ(Gather("m", {{"zone", "1"}}), "d/pb(x ) d/pc(x ) d/pd(x ) ");
  EXPECT_EQ(Gather("m", {{"zone", "2"}}), "d/pb(x ) d/pc(x ) ");
  EXPECT_EQ(Gather("o", {{"zone", "1"}}), "d/pc(x ) d/pd(x ) ");
}

TEST_F(ResourcePoolsTest, HaveTheNewestGenerationOnly) {
  AddSlice("a", {.devices = Plain("old"), .generation = 1});
  AddSlice("b", {.devices = Plain("new"), .generation = 2});
  EXPECT_EQ(Gather("n"), "d/p(new ) ");
  AddSlice("a", {.devices = Plain("newest"), .generation = 3});
  EXPECT_EQ(Gather("n"), "d/p(newest ) ");
}

TEST_F(ResourcePoolsTest, AreIncompleteDuringAnUpdate) {
  AddSlice("a", {.devices = Plain("x"), .generation = 1, .count = 2});
  EXPECT_EQ(Gather("n"), "d/p?() ");
  AddSlice("b", {.devices = Plain("y"), .generation = 1, .count = 2});
  EXPECT_EQ(Gather("n"), "d/p(x y ) ");
  AddSlice("b", {.devices = Plain("y"), .generation = 2, .count = 2});
  EXPECT_EQ(Gather("n"), "d/p?() ");
  AddSlice("c", {.devices = Plain("z"), .generation = 2, .count = 1});
  // The first kept slice gives the number.
  EXPECT_EQ(Gather("n"), "d/p(y z ) ");
  AddSlice("d", {.devices = Plain("w"), .generation = 2, .count = 2});
  EXPECT_EQ(Gather("n"), "d/p?() ");
}

TEST_F(ResourcePoolsTest, MaySpanSeveralNodes) {
  AddSlice("a", {.devices = Plain("x"), .generation = 1, .count = 2});
  AddSlice("b", {.nodes = R"("nodeName":"m")", .devices = Plain("y"), .generation = 1, .count = 2});
  EXPECT_EQ(Gather("n"), "d/p(x ) ");
  EXPECT_EQ(Gather("m"), "d/p(y ) ");
  EXPECT_EQ(Gather("o"), "");
  // A newer generation elsewhere replaces the pool, as soon as this node's slices are not all.
  AddSlice("b", {.nodes = R"("nodeName":"m")", .devices = Plain("y"), .generation = 2, .count = 2});
  EXPECT_EQ(Gather("n"), "");
  EXPECT_EQ(Gather("m"), "d/p?() ");
  AddSlice("a", {.devices = Plain("x"), .generation = 1, .count = 1});
  EXPECT_EQ(Gather("n"), "d/p(x ) ");
}

TEST_F(ResourcePoolsTest, AreInvalidWithDuplicateNames) {
  AddSlice("a", {.devices = Plain("x"), .count = 2});
  AddSlice("b", {.devices = Plain("x"), .count = 2});
  EXPECT_EQ(Gather("n"), "d/p!() ");
  // Those of other nodes are not compared.
  AddSlice("b", {.nodes = R"("nodeName":"m")", .devices = Plain("x"), .count = 2});
  EXPECT_EQ(Gather("n"), "d/p(x ) ");
}

TEST_F(ResourcePoolsTest, WithCountersConcernEveryNode) {
  AddSlice("a", {.devices = Plain("x"), .count = 2});
  AddSlice("b", {.counters = R"([{"name":"g"}])", .count = 2});
  EXPECT_EQ(Gather("n"), "d/p(x ) ");
  EXPECT_EQ(Gather("m"), "");
  AddSlice("a", {.devices = Plain("x"), .generation = 2, .count = 2});
  EXPECT_EQ(Gather("n"), "d/p?() ");
  EXPECT_EQ(Gather("m"), "");
  AddSlice("b", {.counters = R"([{"name":"g"}])", .generation = 2, .count = 3});
  // Each node has its own first slice, which gives the number.
  EXPECT_EQ(Gather("n"), "d/p(x ) ");
  EXPECT_EQ(Gather("m"), "d/p?() ");
}

TEST_F(ResourcePoolsTest, OrderTheSlicesByName) {
  AddSlice("b", {.devices = Plain("y"), .count = 3});
  AddSlice("c", {.devices = Plain("z"), .count = 3});
  AddSlice("a", {.nodes = R"("allNodes":true)", .devices = Plain("x"), .count = 3});
  EXPECT_EQ(Gather("n"), "d/p(x y z ) ");
}

TEST_F(ResourcePoolsTest, ConcernTheNodesOfTheirSlices) {
  AddSlice("a", {.pool = "pa", .devices = Plain("x")});
  AddSlice("b", {.pool = "pb", .nodes = R"("nodeName":"m")", .devices = Plain("x")});
  auto nodes_of = [this](std::string_view pool) {
    std::vector<Symbol> nodes;
    if (!pools_.AppendNodesOf({Symbol("d"), Symbol(pool)}, &nodes)) return std::string("any");
    std::string text;
    for (const Symbol& node : nodes) text += node.str() + " ";
    return text;
  };
  EXPECT_EQ(nodes_of("pa"), "n ");
  EXPECT_EQ(nodes_of("pb"), "m ");
  EXPECT_EQ(nodes_of("unknown"), "");
  // Counters of a pool concern all nodes with devices there.
  AddSlice("b2", {.pool = "pb", .devices = Plain("y"), .count = 3});
  AddSlice("b3", {.pool = "pb", .counters = R"([{"name":"g"}])", .count = 3});
  EXPECT_EQ(nodes_of("pb"), "m n ");
  AddSlice("c", {.pool = "pa", .nodes = R"("allNodes":true)", .devices = Plain("y"), .count = 2});
  EXPECT_EQ(nodes_of("pa"), "any");
  AddSlice("d", {.pool = "pd", .nodes = R"("nodeSelector":{"nodeSelectorTerms":[]})"});
  EXPECT_EQ(nodes_of("pd"), "any");
  // Pools of two drivers share the table of their counters.
  for (std::string driver : {"d", "e"}) {
    AddSlice(driver + "-devices",
             {.pool = "s", .devices = Plain("y"), .count = 2, .driver = driver});
    EXPECT_EQ(nodes_of("s"), "n ");
    AddSlice(driver + "-counters",
             {.pool = "s", .counters = R"([{"name":"g"}])", .count = 2, .driver = driver});
  }
  EXPECT_EQ(nodes_of("s"), "any");
}

// Goal: what is kept of a node never outlives a change. Method: seeded changes of slices and
// allocations; the pools and verdicts that were kept find what new ones find.
TEST_F(ResourcePoolsTest, KeepNothingThatChanged) {
  size_t num_found = 0;
  std::set<std::pair<std::string, std::string>> in_use;
  Rng rng(7);
  std::shared_ptr<ResourcePools> kept(std::shared_ptr<void>(), &pools_);  // not owned
  std::vector<ResourceClaimRef> claims = {Claim(Exactly("r")),
                                          Claim(Exactly("s", 1, Selector("color=red")), "", "two")};
  constexpr std::string_view kNodes[] = {R"("nodeName":"n")", R"("nodeName":"m")",
                                         R"("allNodes":true)",
                                         R"("nodeSelector":{"nodeSelectorTerms":[
          {"matchExpressions":[{"key":"zone","operator":"In","values":["1"]}]}]})"};
  for (int round = 0; round < 3'000; ++round) {
    std::string number = std::to_string(rng.Below(5));
    SliceParts parts;
    parts.pool = rng.Below(3) == 0 ? "shared" : "p" + number;
    parts.count = parts.pool == "shared" ? static_cast<int>(1 + rng.Below(2)) : 1;
    parts.nodes = kNodes[rng.Below(4)];
    parts.generation = rng.Below(5) == 0 ? 2 : 1;
    parts.devices = R"([{"name":"a)" + number + R"("},{"name":"c)" + number +
                    R"(","attributes":{"color":{"string":"red"}})";
    if (parts.pool == "shared" && rng.Below(2) == 0) {
      parts.devices += R"(,"consumesCounters":[{"counterSet":"g","counters":{"m":{"value":"1"}}}])";
    }
    parts.devices += "}]";
    if (parts.pool == "shared" && rng.Below(3) == 0) {
      parts.devices = "[]";
      parts.counters = R"([{"name":"g","counters":{"m":{"value":"1"}}}])";
    }
    if (rng.Below(6) == 0) {
      slices_.Remove(Symbol("s" + number));
    } else if (rng.Below(3) == 0) {
      AddSlice("s" + number, parts);
    }
    for (std::string kind : {"a", "c"}) {
      if (rng.Below(3) != 0) continue;
      bool is_free = in_use.insert({parts.pool, kind + number}).second;
      if (is_free) {
        SetAllocated(parts.pool, kind + number);
      } else {
        in_use.erase({parts.pool, kind + number});
        SetFree(parts.pool, kind + number);
      }
    }
    node_.metadata.name = Symbol(rng.Below(2) == 0 ? "n" : "m");
    node_.metadata.labels = rng.Below(2) == 0 ? LabelMap{{"zone", "1"}} : LabelMap();
    shared_pools_ = kept;
    std::string found = Allocate(claims);
    shared_pools_ = nullptr;
    ASSERT_EQ(found, Allocate(claims)) << round;
    if (found.starts_with("r=")) ++num_found;
  }
  EXPECT_GT(num_found, 500u);
}

}  // namespace
}  // namespace stowage
