#include "core/plugins/volume_binding_scorer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/config/defaults.h"
#include "core/framework/score_notes.h"
#include "tests/support/volume_cluster.h"

namespace stowage {
namespace {

const BrokenLinearFunction kRising({{0, 0}, {100, 100}});

BindingInfo Bind(std::string_view request, const MakePv& volume) {
  return {volume.Ref(), MakePvc("c").Request(request).Ref()};
}

MakePv Of(std::string_view capacity, std::string_view class_name = "wait") {
  return MakePv("pv").Capacity(capacity).Class(class_name);
}

// `pool` is the member with the capacity.
DynamicProvision Make(const MakePvc& claim, const std::string& pool) {
  return {claim.Ref(), std::make_shared<const CsiStorageCapacity>(MakeCsiStorageCapacity(
                           R"({"metadata":{"name":"pool","namespace":"default"},)" + pool +
                           R"("storageClassName":"make"})"))};
}

MakePvc Asking(std::string_view request, std::string_view class_name = "make") {
  return MakePvc("c").Request(request).Class(class_name);
}

// Goal: the score is the mean over the classes of the requested share. Method: a shape whose score
// equals the percentage.
TEST(VolumeBindingScorer, ScoresVolumesByClass) {
  MakePv no_capacity("pv");
  no_capacity.Set({"spec", "capacity"}, "{}");
  struct {
    std::string_view name;
    std::vector<BindingInfo> bindings;
    int64_t want;
  } cases[] = {
      {"nothing", {}, 0},
      {"a tenth", {Bind("10Gi", Of("100Gi"))}, 10},
      {"a fifth", {Bind("10Gi", Of("50Gi"))}, 20},
      {"all", {Bind("10Gi", Of("10Gi"))}, 100},
      {"more than all", {Bind("11Gi", Of("10Gi"))}, 100},
      {"more than all by far", {Bind("100Pi", Of("1Pi"))}, 100},
      {"none", {Bind("0", Of("10Gi"))}, 0},
      {"of nothing", {Bind("0", Of("0"))}, 100},
      {"no capacity", {Bind("0", no_capacity)}, 100},
      {"percents are cut", {Bind("2", Of("3"))}, 66},
      {"volumes of a class add up", {Bind("10Gi", Of("10Gi")), Bind("10Gi", Of("90Gi"))}, 20},
      {"the mean of classes", {Bind("10Gi", Of("10Gi")), Bind("10Gi", Of("100Gi", "b"))}, 55},
      {"a half is rounded up", {Bind("0", Of("10")), Bind("1", Of("100", "b"))}, 1},
      {"a third is rounded down",
       {Bind("1", Of("100")), Bind("0", Of("10", "b")), Bind("0", Of("10", "c"))},
       0},
      {"the annotation is not looked at",
       {Bind("10Gi", Of("10Gi").ClassAnnotation("x")),
        Bind("10Gi", Of("90Gi").ClassAnnotation("y"))},
       20},
      {"no class is a class", {Bind("10Gi", Of("10Gi")), Bind("10Gi", Of("100Gi", ""))}, 55},
  };
  for (const auto& c : cases) {
    PodVolumes volumes;
    volumes.static_bindings = c.bindings;
    EXPECT_EQ(ScoreVolumeCapacity(volumes, kRising), c.want) << c.name;
  }
}

TEST(VolumeBindingScorer, NotesEachClass) {
  PodVolumes volumes;
  volumes.static_bindings = {Bind("10", Of("20")), Bind("10", Of("100", ""))};
  ScoreNotes notes;
  EXPECT_EQ(ScoreVolumeCapacity(volumes, kRising, &notes), 30);
  EXPECT_EQ(notes.lines(),
            (std::vector<std::string>{R"(class "": requested 10 of 100; shape(10) = 10)",
                                      "class wait: requested 10 of 20; shape(50) = 50"}));
}

// Goal: claims of a class share the pool, which counts once; the last one found counts.
TEST(VolumeBindingScorer, ScoresCapacityByClass) {
  const std::string room = R"("capacity":"100Gi",)";
  const MakePvc ten = Asking("10Gi");
  MakePvc by_annotation = Asking("10Gi", "");
  by_annotation.ClassAnnotation("make");
  MakePvc no_request = ten;
  no_request.Set({"spec", "resources"}, "{}");
  const DynamicProvision unknown{ten.Ref(), nullptr};
  struct {
    std::string_view name;
    std::vector<DynamicProvision> provisions;
    int64_t want;
  } cases[] = {
      {"a tenth", {Make(ten, room)}, 10},
      {"two of a class", {Make(ten, room), Make(ten, room)}, 20},
      {"the last pool counts", {Make(ten, room), Make(ten, R"("capacity":"40Gi",)")}, 50},
      {"the mean of classes", {Make(ten, room), Make(Asking("30Gi", "b"), room)}, 20},
      {"unknown size", {unknown}, 0},
      {"unknown size of one", {unknown, Make(ten, room)}, 10},
      {"the largest volume does not count",
       {Make(ten, R"("capacity":"100Gi","maximumVolumeSize":"20Gi",)")},
       10},
      {"no capacity", {Make(ten, R"("maximumVolumeSize":"20Gi",)")}, 100},
      {"nothing asked for", {Make(no_request, room)}, 0},
      {"a class by annotation alone", {Make(by_annotation, room)}, 10},
      {"which is a class of its own",
       {Make(ten, room), Make(by_annotation, R"("capacity":"20Gi",)")},
       30},
  };
  for (const auto& c : cases) {
    PodVolumes volumes;
    volumes.dynamic_provisions = c.provisions;
    EXPECT_EQ(ScoreVolumeCapacity(volumes, kRising), c.want) << c.name;
  }
}

TEST(VolumeBindingScorer, PrefersVolumesToCapacity) {
  PodVolumes volumes;
  volumes.static_bindings = {Bind("10Gi", Of("50Gi"))};
  volumes.dynamic_provisions = {Make(Asking("90Gi", "b"), R"("capacity":"100Gi",)")};
  EXPECT_EQ(ScoreVolumeCapacity(volumes, kRising), 20);
}

TEST(VolumeBindingScorer, FollowsTheShape) {
  PodVolumes volumes;
  volumes.static_bindings = {Bind("25", Of("100"))};
  EXPECT_EQ(ScoreVolumeCapacity(volumes, BrokenLinearFunction({{0, 100}, {100, 0}})), 75);
  EXPECT_EQ(ScoreVolumeCapacity(volumes, BrokenLinearFunction({{0, 0}, {50, 80}, {100, 90}})), 40);
  volumes.static_bindings = {Bind("101", Of("100"))};
  EXPECT_EQ(ScoreVolumeCapacity(volumes, BrokenLinearFunction({{0, 100}, {100, 7}})), 7);
}

using Volumes = std::vector<MakePv>;
using Shape = std::vector<UtilizationShapePoint>;

const Pod kPod = MakePod().Name("p").Pvc("c");

Features Scoring() {
  Features features;
  features.storage_capacity_scoring = true;
  return features;
}

VolumeBindingArgs WithShape(Shape shape) {
  VolumeBindingArgs args;
  if (!shape.empty()) args.shape = std::move(shape);
  PluginArgs defaulted = args;
  SetArgsDefaults(Scoring(), &defaulted);
  return std::get<VolumeBindingArgs>(defaulted);
}

// Runs PreFilter, Filter, PreScore and Score on n1, n2, and n3, which is in zone z3.
std::vector<int64_t> ScoresOf(VolumeCluster& cluster, const Pod& pod) {
  cluster.Add(MakeNode().Name("n3").Label("zone", "z3"));
  EXPECT_TRUE(cluster.PreFilter(pod).IsSuccess());
  CycleState& state = cluster.runner().state();
  NodeList nodes = cluster.handle().snapshot().nodes();
  for (const NodeInfo* node : nodes) cluster.plugin().Filter(state, pod, *node);
  EXPECT_TRUE(cluster.plugin().PreScore(state, pod, nodes).IsSuccess());
  std::vector<int64_t> scores;
  for (const NodeInfo* node : nodes) {
    scores.push_back(*cluster.plugin().Score(state, pod, *node));
  }
  return scores;
}

TEST(VolumeBindingScore, IsOffWithoutItsGate) {
  VolumeCluster cluster;
  cluster.Add(MakePv("pv-a")).Add(MakePvc("c"));
  EXPECT_TRUE(cluster.Filter(kPod, "n1").IsSuccess());
  CycleState& state = cluster.runner().state();
  const NodeInfo& node = cluster.handle().node("n1");
  EXPECT_TRUE(cluster.plugin().PreScore(state, kPod, {}).IsSkip());
  EXPECT_EQ(*cluster.plugin().Score(state, kPod, node), 0);
  EXPECT_EQ(*cluster.plugin().Score(CycleState(), kPod, node), 0);
  EXPECT_EQ(cluster.plugin().Normalizer(), nullptr);
}

// Goal: with the gate, nodes are scored by how well their volumes are used.
TEST(VolumeBindingScore, ScoresTheUsedShareWithItsGate) {
  const Volumes volumes = {MakePv("pv-100").Capacity("100Gi").Zone("z1"),
                           MakePv("pv-50").Capacity("50Gi").Zone("z2"),
                           MakePv("pv-10").Capacity("10Gi").Zone("z3")};
  const Shape rising = {{0, 0}, {100, 10}};
  struct {
    std::string_view name;
    Shape shape;
    Volumes volumes;
    MakePvc claim;
    std::vector<int64_t> want;
  } cases[] = {
      {"fuller is better", rising, volumes, MakePvc("c"), {10, 20, 100}},
      {"by default, emptier", {}, volumes, MakePvc("c"), {90, 80, 0}},
      {"nodes that were refused", rising, {volumes[1]}, MakePvc("c"), {0, 20, 0}},
      {"bound already", rising, volumes, MakePvc("c").Bound("pv-10"), {0, 0, 0}},
      {"unknown room", rising, volumes, MakePvc("c").Class("make"), {0, 0, 0}},
  };
  for (const auto& c : cases) {
    VolumeCluster cluster(WithShape(c.shape), Scoring());
    cluster.AddAll(c.volumes).Add(c.claim);
    EXPECT_EQ(ScoresOf(cluster, kPod), c.want) << c.name;
  }
}

TEST(VolumeBindingScore, ScoresTheCapacityForProvisioning) {
  VolumeCluster cluster(WithShape({{0, 0}, {100, 10}}), Scoring());
  cluster.Add(MakePvc("c").Class("make"));
  cluster.Add(
      MakeCsiDriver(R"({"metadata":{"name":"example.com"},"spec":{"storageCapacity":true}})"));
  auto add_pool = [&cluster](const std::string& zone, const std::string& capacity) {
    cluster.Add(MakeCsiStorageCapacity(R"({"metadata":{"name":")" + zone +
                                       R"(","namespace":"default"},"storageClassName":"make",)"
                                       R"("nodeTopology":{"matchLabels":{"zone":")" +
                                       zone + R"("}},"capacity":")" + capacity + R"("})"));
  };
  add_pool("z1", "100Gi");
  add_pool("z2", "50Gi");
  EXPECT_EQ(ScoresOf(cluster, kPod), (std::vector<int64_t>{10, 20, 0}));
}

// Goal: only the gate enables scoring; nodes that Filter did not visit score 0.
TEST(VolumeBindingScore, ScoresNothingWithoutStoredVolumes) {
  VolumeCluster cluster(WithShape({{0, 10}, {100, 10}}), Scoring());
  cluster.Add(MakePv("pv-a")).Add(MakePvc("c"));
  const NodeInfo& node = cluster.handle().node("n1");
  const Pod plain = MakePod().Name("p");
  EXPECT_TRUE(cluster.PreFilter(plain).IsSkip());
  EXPECT_TRUE(cluster.plugin().PreScore(cluster.runner().state(), plain, {}).IsSuccess());
  EXPECT_EQ(*cluster.plugin().Score(cluster.runner().state(), plain, node), 0);

  EXPECT_EQ(cluster.plugin().Score(CycleState(), kPod, node).fault(), Status::Error("not found"));
  EXPECT_TRUE(cluster.PreFilter(kPod).IsSuccess());
  EXPECT_EQ(*cluster.plugin().Score(cluster.runner().state(), kPod, node), 0) << "not filtered";
}

// Goal: nothing is stored for a refused node, even if one of two claims could be served.
TEST(VolumeBindingScore, ScoresNothingOnARefusedNode) {
  VolumeCluster cluster(WithShape({{0, 10}, {100, 10}}), Scoring());
  cluster.Add(MakePv("pv-a")).Add(MakePvc("c"));
  cluster.Add(MakePv("pv-b").Zone("z2")).Add(MakePvc("d").Bound("pv-b"));
  const Pod pod = MakePod().Name("p").Pvc("c").Pvc("d");
  EXPECT_FALSE(cluster.Filter(pod, "n1").IsSuccess());
  CycleState& state = cluster.runner().state();
  EXPECT_EQ(*cluster.plugin().Score(state, pod, cluster.handle().node("n1")), 0);
}

}  // namespace
}  // namespace stowage
