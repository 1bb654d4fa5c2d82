// Goal: records say where a release is not proved, where it drew at random, and that it is a
// preview. Method: whole turns of a scheduler.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kClass =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},)"
    R"("spec":{"extendedResourceName":"example.com/gpu"}})";
constexpr std::string_view kClaim =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c",)"
    R"("namespace":"default","uid":"uc"},"spec":{"devices":{}}})";
constexpr std::string_view kClaimOfPod =
    R"("resourceClaims":[{"name":"r","resourceClaimName":"c"}])";
constexpr std::string_view kExtended =
    R"("initContainers":[{"name":"i","resources":{"requests":{"example.com/gpu":"1"}}}])";

std::string Options(std::string_view version, std::string_view members = "") {
  return R"({"kubernetesVersion":")" + std::string(version) + "\"" + std::string(members) + "}";
}

TEST(ReleaseRecords, FlagDevicesThatAreNotProved) {
  constexpr std::string_view kGates =
      R"(,"featureGates":{"DynamicResourceAllocation":true,"DRAExtendedResource":true})";
  struct {
    std::string_view name;
    std::string options;
    std::string spec;
    std::string_view want;
  } cases[] = {
      {"v1.36, a claim", Options("1.36"), std::string(kClaimOfPod), ""},
      {"v1.35, a claim", Options("1.35"), std::string(kClaimOfPod), "DynamicResources "},
      {"v1.34, a claim", Options("1.34"), std::string(kClaimOfPod), "DynamicResources "},
      {"v1.33, where the plugin is off", Options("1.33"), std::string(kClaimOfPod), ""},
      {"a preview, a claim", Options("1.37-preview"), std::string(kClaimOfPod),
       "DynamicResources "},
      {"v1.35, neither", Options("1.35"), "", ""},
      {"v1.35, an extended resource without the gate", Options("1.35"), std::string(kExtended), ""},
      {"v1.34, an extended resource that devices serve", Options("1.34", kGates),
       std::string(kExtended), "DynamicResources "},
      {"v1.36, the same", Options("1.36"), std::string(kExtended), ""},
  };
  for (const auto& c : cases) {
    Engine engine(c.options);
    engine.Add({NodeText{"a"}, std::string(kClass), std::string(kClaim),
                PodText{.name = "p", .spec = c.spec}});
    JsonTree decision = engine.Run()[0];
    EXPECT_EQ(decision["pod"].text(), "default/p") << c.name;
    EXPECT_EQ(decision["notProved"].Words(), c.want) << c.name;
  }
}

// Goal: a draw is among all nodes with the best total, by name; with and without cached verdicts.
TEST(ReleaseRecords, ListTheNodesOfARandomDraw) {
  for (std::string_view cache : {"off", "firstUse"}) {
    const std::string members = R"(,"verdictCache":")" + std::string(cache) + "\"";
    for (std::string_view version : {"1.34", "1.35"}) {
      Engine engine(Options(version, members));
      engine.Add({NodeText{"c"}, NodeText{"b"}, NodeText{"a"},
                  NodeText{.name = "full", .spec = R"("unschedulable":true)"},
                  PodText{.name = "p"}});
      JsonTree decision = engine.Run()[0];
      std::string_view want = version == "1.34" ? "a b c " : "";
      EXPECT_EQ(decision["best"].Words(), want) << version << cache;
      EXPECT_FALSE(decision["bestOmitted"].exists());
    }
    Engine engine(Options("1.34", members));
    engine.Add({NodeText{"a"}, PodText{.name = "p"}});
    EXPECT_FALSE(engine.Run()[0]["best"].exists()) << "one node is no draw";
  }
}

TEST(ReleaseRecords, BoundTheNodesOfARandomDraw) {
  for (std::string_view detail : {"summary", "nodes"}) {
    Engine engine(Options("1.34", R"(,"detail":")" + std::string(detail) + "\""));
    for (int node = 0; node < 70; ++node) {
      engine.Add({NodeText{"n" + std::to_string(node)}});
    }
    engine.Add({PodText{.name = "p"}});
    JsonTree decision = engine.Run()[0];
    bool is_summary = detail == "summary";
    EXPECT_EQ(decision["best"].size(), is_summary ? 64u : 70u);
    EXPECT_EQ(decision["best"][0].text(), "n0");
    EXPECT_EQ(decision["best"][1].text(), "n1");
    EXPECT_EQ(decision["best"][2].text(), "n10");
    EXPECT_EQ(decision["bestOmitted"].text(), is_summary ? "6" : "");
  }
}

TEST(ReleaseRecords, OfAPreviewSaySo) {
  for (std::string_view version : {"1.36", "1.37-preview"}) {
    Engine engine(Options(version, R"(,"events":true,"moves":true)"));
    engine.Add({NodeText{"a"}, PodText{.name = "p"}, PodText{.name = "q", .cpu = "9"}});
    std::vector<JsonTree> records = engine.RunAll();
    bool is_preview = version != "1.36";
    size_t count = 0;
    for (const JsonTree& record : records) {
      if (!record["seq"].exists()) continue;
      ++count;
      EXPECT_EQ(record["preview"].exists(), is_preview) << record["kind"].text();
    }
    EXPECT_GT(count, 3u);
    JsonTree evaluation = engine.Evaluate("{}", std::string(PodText{.name = "r"}));
    EXPECT_EQ(evaluation["preview"].exists(), is_preview);
  }
}

}  // namespace
}  // namespace stowage
