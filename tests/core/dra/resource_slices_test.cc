// Goal: the index of slices follows every change, and the taints of rules are those of the spec
// (plugins/dynamic-resources "Shared state").
#include "core/dra/resource_slices.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "tests/support/from_json.h"

namespace stowage {
namespace {

ResourceSliceRef Slice(std::string_view name, std::string_view spec) {
  std::string json = R"({"metadata":{"name":")";
  json.append(name).append(R"("},"spec":)").append(spec).append("}");
  return std::make_shared<const ResourceSlice>(MakeResourceSlice(json));
}

DeviceTaintRuleRef Rule(std::string_view name, std::string_view spec) {
  std::string json = R"({"metadata":{"name":")";
  json.append(name).append(R"("},"spec":)").append(spec).append("}");
  return std::make_shared<const DeviceTaintRule>(MakeDeviceTaintRule(json));
}

std::string Names(const ResourceSlices::ByName* slices) {
  std::string names;
  if (slices == nullptr) return names;
  for (const auto& [name, slice] : *slices) names += name.str() + " ";
  return names;
}

TEST(ResourceSlices, AreIndexedByNode) {
  ResourceSlices slices;
  EXPECT_EQ(slices.Put(Slice("b", R"({"nodeName":"n"})")), nullptr);
  slices.Put(Slice("a", R"({"nodeName":"n"})"));
  slices.Put(Slice("c", R"({"allNodes":true})"));
  EXPECT_EQ(Names(&slices.All()), "a b c ");
  EXPECT_EQ(Names(slices.OfNode(Symbol("n"))), "a b ");
  EXPECT_EQ(Names(&slices.WithoutNode()), "c ");
  uint64_t version = slices.version();
  ResourceSliceRef old = slices.Put(Slice("b", R"({"nodeName":"m"})"));
  ASSERT_NE(old, nullptr);
  EXPECT_EQ(old->spec.node_name, "n");
  EXPECT_EQ(Names(slices.OfNode(Symbol("n"))), "a ");
  EXPECT_EQ(Names(slices.OfNode(Symbol("m"))), "b ");
  EXPECT_NE(slices.version(), version);
  EXPECT_NE(slices.Remove(Symbol("a")), nullptr);
  EXPECT_EQ(slices.Remove(Symbol("a")), nullptr);
  EXPECT_EQ(slices.OfNode(Symbol("n")), nullptr);
  EXPECT_NE(slices.Remove(Symbol("c")), nullptr);
  EXPECT_EQ(Names(&slices.All()), "b ");
}

std::string Taints(const ResourceSlices& slices) {
  std::string text;
  for (const auto& [name, slice] : slices.All()) {
    for (const Device& device : slice->spec.devices) {
      text += name.str() + "/" + device.name.str() + ":";
      for (const DeviceTaint& taint : device.taints) text += taint.key.str();
      text += " ";
    }
  }
  return text;
}

TEST(ResourceSlices, HaveTheTaintsOfRules) {
  ResourceSlices slices;
  slices.Put(Slice("s", R"({"driver":"d","pool":{"name":"p"},
      "devices":[{"name":"x","taints":[{"key":"o"}]},{"name":"y"}]})"));
  auto changes = slices.PutRule(
      Rule("a", R"({"deviceSelector":{"driver":"d","device":"x"},"taint":{"key":"a"}})"));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].first->spec.devices[0].taints.size(), 1u);
  EXPECT_EQ(changes[0].second->spec.devices[0].taints.size(), 2u);
  EXPECT_EQ(slices.PutRule(Rule("b", R"({"taint":{"key":"b"}})")).size(), 1u);
  EXPECT_TRUE(
      slices.PutRule(Rule("c", R"({"deviceSelector":{"pool":"q"},"taint":{"key":"c"}})")).empty());
  slices.Put(Slice("t", R"({"driver":"e","pool":{"name":"q"},"devices":[{"name":"x"}]})"));
  EXPECT_EQ(Taints(slices), "s/x:oab s/y:b t/x:bc ");
  EXPECT_EQ(slices.RemoveRule(Symbol("b")).size(), 2u);
  EXPECT_TRUE(slices.RemoveRule(Symbol("b")).empty());
  EXPECT_EQ(Taints(slices), "s/x:oa s/y: t/x:c ");
}

}  // namespace
}  // namespace stowage
