#include "core/runtime/framework.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/core/runtime/fake_profile.h"

namespace stowage {
namespace {

FakeBehavior Passing(std::string name) {
  FakeBehavior behavior;
  behavior.name = std::move(name);
  behavior.filter = [](const auto&...) { return Status::Success(); };
  return behavior;
}

TEST(Framework, ListsItsPluginsByPoint) {
  FakeProfile profile;
  FakeBehavior scoring;
  scoring.name = "Scoring";
  scoring.weight = 7;
  scoring.score = [](const NodeInfo&) -> Result<int64_t, Status> { return int64_t{0}; };
  profile.Add(Passing("A")).Add(scoring).Add(Passing("B"));
  const Framework& framework = profile.framework();
  ASSERT_EQ(framework.filter_plugins().size(), 2u);
  EXPECT_EQ(framework.filter_plugins()[0].name, "A");
  EXPECT_EQ(framework.filter_plugins()[1].name, "B");
  EXPECT_NE(framework.filter_plugins()[0].index, framework.filter_plugins()[1].index);
  ASSERT_EQ(framework.score_plugins().size(), 1u);
  EXPECT_EQ(framework.score_plugins()[0].weight, 7);
  EXPECT_TRUE(framework.has_filter_plugins());
  EXPECT_TRUE(framework.has_score_plugins());
  EXPECT_FALSE(framework.has_post_filter_plugins());
}

TEST(Framework, NamesAPluginThatCannotBeBuilt) {
  FakeProfile profile;
  profile.registry().Register({"Broken", {ExtensionPoint::kFilter}, [](const PluginContext&) {
                                 return Result<PluginInstance, std::string>("bad arguments");
                               }});
  profile.Add(Passing("A")).Add(Passing("Broken"));
  Result<std::unique_ptr<Framework>, Framework::BuildFault> framework = profile.Build();
  ASSERT_FALSE(framework.ok());
  EXPECT_EQ(framework.fault().plugin, "Broken");
  EXPECT_EQ(framework.fault().reason, "bad arguments");
}

TEST(Framework, UsesThePercentageOfItsProfile) {
  EXPECT_EQ(FakeProfile().framework().percentage_of_nodes_to_score(), std::nullopt);
  FakeProfile profile;
  profile.PercentageOfNodesToScore(0);
  EXPECT_EQ(profile.framework().percentage_of_nodes_to_score(), 0);
}

TEST(Framework, ReturnsAPreemptionReportOnce) {
  FakeProfile profile;
  Framework& framework = profile.framework();
  EXPECT_FALSE(framework.TakePreemptionReport().has_value());
  PreemptionReport report;
  report.message = "preemption: …";
  framework.ReportPreemption(report);
  std::optional<PreemptionReport> taken = framework.TakePreemptionReport();
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->message, "preemption: …");
  EXPECT_FALSE(framework.TakePreemptionReport().has_value());
}

// Adds a fragment: the pod's name.
FakeBehavior VouchedFor(FakeBehavior behavior) {
  behavior.append_fragment = [](const Pod& pod, PodSignature* signature) {
    signature->Add(pod.metadata.name);
    return pod.metadata.name != "declined";
  };
  return behavior;
}

TEST(Framework, NamesThePluginsThatDoNotVouchForTheirFragment) {
  FakeBehavior pre_scoring;
  pre_scoring.name = "PreScoring";
  pre_scoring.pre_score = [](NodeList) { return Status::Success(); };
  FakeBehavior binding;
  binding.name = "Binding";
  binding.bind = [] { return Status::Success(); };
  FakeBehavior post_filtering;
  post_filtering.name = "PostFiltering";
  post_filtering.post_filter = [](const auto&...) { return Status::Success(); };
  struct {
    std::string_view name;
    std::vector<FakeBehavior> plugins;
    std::string_view pod;
    PluginBits open;  // bit 0 is the QueueSort plugin, bit 1 is A
  } cases[] = {
      {"no plugin", {}, "p", 0},
      {"all vouch", {VouchedFor(Passing("A")), VouchedFor(Passing("B"))}, "p", 0},
      {"a plugin declines the pod", {VouchedFor(Passing("A"))}, "declined", 0b10},
      {"a Filter plugin does not vouch", {VouchedFor(Passing("A")), Passing("B")}, "p", 0b100},
      {"a PreScore plugin does not vouch", {VouchedFor(Passing("A")), pre_scoring}, "p", 0b100},
      {"Bind is not asked", {VouchedFor(Passing("A")), binding}, "p", 0},
      {"PostFilter is not asked", {VouchedFor(Passing("A")), post_filtering}, "p", 0},
  };
  for (const auto& c : cases) {
    FakeProfile profile;
    for (const FakeBehavior& plugin : c.plugins) profile.Add(plugin);
    PodSignature signature;
    EXPECT_EQ(profile.framework().AppendFragments(MakePod().Name(c.pod), &signature), c.open)
        << c.name;
  }
}

TEST(Framework, EqualFragmentsSignAlike) {
  FakeProfile profile;
  profile.Add(VouchedFor(Passing("A"))).Add(VouchedFor(Passing("B")));
  PodSignature a;
  PodSignature same;
  PodSignature other;
  profile.framework().AppendFragments(MakePod().Name("a"), &a);
  profile.framework().AppendFragments(MakePod().Name("a").Label("not", "read"), &same);
  profile.framework().AppendFragments(MakePod().Name("b"), &other);
  EXPECT_TRUE(a == same);
  EXPECT_FALSE(a == other);
}

}  // namespace
}  // namespace stowage
