// Classification: how far a pod is from a node. The results are now, with preemption, not now, and
// never.
#include "core/scheduler/classification.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kClassify = R"({"classify":true})";

std::string FitsOf(Engine& engine, const std::string& pod, std::string_view options = kClassify) {
  return engine.Evaluate(options, pod)["fits"].text();
}

std::string SelectorText(const std::string& value) {
  return R"("nodeSelector":{"disk":")" + value + R"("})";
}

std::string HostPortText(int port) {
  return R"("initContainers":[{"name":"i","restartPolicy":"Always","ports":[{"containerPort":80,)"
         R"("hostPort":)" +
         std::to_string(port) + "}]}]";
}

std::string OnNodesNamed(const std::string& names) {
  return R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{)"
         R"("nodeSelectorTerms":[{"matchFields":[)" +
         names + "]}]}}}";
}

std::string NameIs(const std::string& name) {
  return R"({"key":"metadata.name","operator":"In","values":[")" + name + R"("]})";
}

std::string AffinityTo(const std::string& app, const std::string& kind = "podAffinity") {
  return R"("affinity":{")" + kind + R"(":{"requiredDuringSchedulingIgnoredDuringExecution":[{)" +
         R"("labelSelector":{"matchLabels":{"app":")" + app +
         R"("}},"topologyKey":"kubernetes.io/hostname"}]}})";
}

std::string Labels(const std::string& app) { return R"("labels":{"app":")" + app + R"("})"; }

std::string Claim(const std::string& name) {
  return R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":")" + name + R"("}}])";
}

constexpr std::string_view kSpread =
    R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"rack",)"
    R"("whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"x"}}}])";

// Nodes a (4 CPU, an ssd, full) and b (8 CPU, full but for one CPU); port 80 is taken on both.
std::vector<std::string> FullCluster() {
  return {
      NodeText{.name = "a", .metadata = R"("labels":{"disk":"ssd","kubernetes.io/hostname":"a"})"},
      NodeText{.name = "b",
               .allocatable = R"("cpu":"8","memory":"8Gi","pods":"110")",
               .metadata = R"("labels":{"kubernetes.io/hostname":"b"})"},
      PodText{.name = "ra", .cpu = "4", .node = "a", .priority = 7, .spec = HostPortText(80)},
      PodText{.name = "rb", .cpu = "7", .node = "b", .priority = 7, .spec = HostPortText(80)}};
}

TEST(Classification, CoversPodsInAFullCluster) {
  Engine engine;
  engine.Add(FullCluster());
  struct {
    std::string_view name;
    PodText pod;
    std::string_view want;
  } cases[] = {
      {"fits beside the others", {"p"}, "Now"},
      {"fits when one has gone", {.name = "p", .cpu = "2", .priority = 8}, "WithPreemption"},
      {"no pod may be preempted", {.name = "p", .cpu = "2"}, "NotNow"},
      {"as large as the largest node", {.name = "p", .cpu = "8"}, "NotNow"},
      {"too large for every node", {.name = "p", .cpu = "9"}, "Never"},
      {"too large, whomever it could preempt", {.name = "p", .cpu = "9", .priority = 8}, "Never"},
      {"too large for the nodes it selects",
       {.name = "p", .cpu = "5", .spec = SelectorText("ssd")},
       "Never"},
      {"waits for the node it selects",
       {.name = "p", .cpu = "4", .spec = SelectorText("ssd")},
       "NotNow"},
      {"selects no node", {.name = "p", .spec = SelectorText("tape")}, "Never"},
      {"waits for a port", {.name = "p", .spec = HostPortText(80)}, "NotNow"},
      {"the port alone would not do", {.name = "p", .cpu = "9", .spec = HostPortText(80)}, "Never"},
      {"names a node that has room", {.name = "p", .spec = OnNodesNamed(NameIs("b"))}, "Now"},
      {"names a node that is full", {.name = "p", .spec = OnNodesNamed(NameIs("a"))}, "NotNow"},
      {"names a node that is small",
       {.name = "p", .cpu = "5", .spec = OnNodesNamed(NameIs("a"))},
       "Never"},
      {"names no node", {.name = "p", .spec = OnNodesNamed(NameIs("x"))}, "Never"},
      {"names two nodes at once",
       {.name = "p", .spec = OnNodesNamed(NameIs("a") + "," + NameIs("b"))},
       "Never"},
      {"wants a partner that is not there", {.name = "p", .spec = AffinityTo("x")}, "NotNow"},
      {"and is too large", {.name = "p", .cpu = "9", .spec = AffinityTo("x")}, "Never"},
      {"spreads over racks that no node has",
       {.name = "p", .spec = std::string(kSpread)},
       "NotNow"},
      {"and is too large", {.name = "p", .cpu = "9", .spec = std::string(kSpread)}, "Never"},
      {"has a claim that is not there", {.name = "p", .spec = Claim("c")}, "NotNow"},
      {"and is too large", {.name = "p", .cpu = "9", .spec = Claim("c")}, "Never"},
      {"is gated", {.name = "p", .spec = R"("schedulingGates":[{"name":"x"}])"}, "NotNow"},
      {"is gated and too large",
       {.name = "p", .cpu = "9", .spec = R"("schedulingGates":[{"name":"x"}])"},
       "Never"},
  };
  for (const auto& c : cases) EXPECT_EQ(FitsOf(engine, c.pod), c.want) << c.name;
}

// Verdicts about bound, shared claims are cached; "Never" does not depend on them.
TEST(Classification, CoversPodsWithUnreachableVolumes) {
  Engine engine;
  engine.Add({NodeText{.name = "a", .metadata = R"("labels":{"zone":"z1"})"},
              R"({"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v"},)"
              R"("spec":{"nfs":{"server":"s","path":"/"},"nodeAffinity":{"required":{)"
              R"("nodeSelectorTerms":[{"matchExpressions":[)"
              R"({"key":"zone","operator":"In","values":["z2"]}]}]}}}})",
              R"({"apiVersion":"v1","kind":"PersistentVolumeClaim",)"
              R"("metadata":{"name":"c","namespace":"default",)"
              R"("annotations":{"pv.kubernetes.io/bind-completed":"yes"}},)"
              R"("spec":{"volumeName":"v","accessModes":["ReadWriteMany"]}})"});
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(FitsOf(engine, PodText{.name = "p", .spec = Claim("c")}), "NotNow");
    EXPECT_EQ(FitsOf(engine, PodText{.name = "p", .cpu = "9", .spec = Claim("c")}), "Never");
  }
}

TEST(Classification, CoversPodsThatOtherPodsRepel) {
  Engine engine;
  engine.Add({NodeText{.name = "a", .metadata = R"("labels":{"kubernetes.io/hostname":"a"})"},
              PodText{.name = "r",
                      .node = "a",
                      .priority = 7,
                      .metadata = Labels("r"),
                      .spec = AffinityTo("x", "podAntiAffinity")}});
  EXPECT_EQ(FitsOf(engine, PodText{.name = "p", .metadata = Labels("x")}), "NotNow");
  EXPECT_EQ(FitsOf(engine, PodText{.name = "p", .cpu = "5", .metadata = Labels("x")}), "Never");
  EXPECT_EQ(FitsOf(engine, PodText{.name = "p", .spec = AffinityTo("r", "podAntiAffinity")}),
            "NotNow");
}

TEST(Classification, CoversNodesThatTakeNoPods) {
  Engine engine;
  EXPECT_EQ(FitsOf(engine, PodText{"p"}), "Never") << "there is no node";
  engine.Add(
      {NodeText{.name = "a", .spec = R"("unschedulable":true)"},
       NodeText{.name = "b", .spec = R"("taints":[{"key":"k","value":"v","effect":"NoSchedule"}])"},
       NodeText{.name = "c", .allocatable = R"("cpu":"4","pods":"0")"},
       PodText{.name = "r", .node = "c"}});
  EXPECT_EQ(FitsOf(engine, PodText{"p"}), "Never") << "c has no room for a pod when it is empty";
  EXPECT_EQ(
      FitsOf(engine,
             PodText{.name = "p", .cpu = "4", .spec = R"("tolerations":[{"operator":"Exists"}])"}),
      "Now");
  engine.Add({NodeText{.name = "d", .allocatable = R"("cpu":"4","pods":"1")"},
              PodText{.name = "s", .node = "d"}});
  EXPECT_EQ(FitsOf(engine, PodText{"p"}), "NotNow");
}

TEST(Classification, OmitsPreemptionIfItIsOff) {
  Engine engine;
  engine.Add(FullCluster());
  std::string pod = PodText{.name = "p", .cpu = "2", .priority = 8};
  EXPECT_EQ(FitsOf(engine, pod, R"({"classify":true,"preemption":false})"), "NotNow");
  EXPECT_FALSE(engine.Evaluate("{}", pod)["fits"].exists());
  EXPECT_FALSE(engine.Evaluate(R"({"classify":false})", pod)["fits"].exists());
}

TEST(Classification, GivesAGatedPodNoNodeNow) {
  Engine engine;
  engine.Add({NodeText{"a"}});
  std::string pod = PodText{.name = "p", .spec = R"("schedulingGates":[{"name":"x"}])"};
  EXPECT_EQ(FitsOf(engine, pod, R"({"classify":true,"allPlugins":true})"), "NotNow");
}

TEST(Classification, IgnoresNominatedPodsForNever) {
  Engine engine;
  engine.Add(
      {NodeText{"a"},
       PodText{.name = "q", .cpu = "4", .priority = 9, .status = R"("nominatedNodeName":"a")"}});
  EXPECT_EQ(FitsOf(engine, PodText{.name = "p", .cpu = "4"}), "NotNow");
}

TEST(Classification, TreatsABoundPodAsJustRemoved) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "r", .cpu = "4", .node = "a"}});
  EXPECT_EQ(engine.Evaluate(R"({"pod":"default/r","classify":true})")["fits"].text(), "Now");
  engine.Add({Event("MODIFIED", NodeText{.name = "a", .allocatable = R"("cpu":"3","pods":"9")"})});
  EXPECT_EQ(engine.Evaluate(R"({"pod":"default/r","classify":true})")["fits"].text(), "Never");
}

// Goal: only plugins that vouch for their verdicts count towards "Never". Method: one full node and
// a plugin that refuses it in several ways.
TEST(Classification, CallsPluginsThatVouchForTheirVerdicts) {
  auto vouch = [](const Pod&, PodSignature*) { return true; };
  auto decline = [](const Pod&, PodSignature*) { return false; };
  auto refuse = [](const CycleState&, const Pod&, const NodeInfo&) {
    return Status::Unschedulable("not me");
  };
  auto refuse_for_good = [](const CycleState&, const Pod&, const NodeInfo&) {
    return Status::UnschedulableAndUnresolvable("not me");
  };
  auto refuse_beside_pods = [](const CycleState&, const Pod&, const NodeInfo& node) {
    return node.pods().empty() ? Status::Success() : Status::Unschedulable("not beside pods");
  };
  auto fail = [](const CycleState&, const Pod&, const NodeInfo&) { return Status::Error("oh"); };
  auto answer = [](Status status) {
    return [status](CycleState&, const Pod&, PreFilterResult*) { return status; };
  };
  struct {
    std::string_view name;
    FakeBehavior plugin;
    std::string_view want;
  } cases[] = {
      {"refuses", {.name = "Fake", .filter = refuse, .append_fragment = vouch}, "Never"},
      {"refuses for good",
       {.name = "Fake", .filter = refuse_for_good, .append_fragment = vouch},
       "Never"},
      {"has its reasons elsewhere",
       {.name = "Fake", .filter = refuse_for_good, .append_fragment = decline},
       "NotNow"},
      {"does not say what it goes by", {.name = "Fake", .filter = refuse_for_good}, "NotNow"},
      {"looks at the node's pods",
       {.name = "Fake", .filter = refuse_beside_pods, .append_fragment = vouch},
       "NotNow"},
      {"fails", {.name = "Fake", .filter = fail, .append_fragment = vouch}, "NotNow"},
      {"refuses every node",
       {.name = "Fake",
        .pre_filter = answer(Status::UnschedulableAndUnresolvable("no")),
        .append_fragment = vouch},
       "Never"},
      {"refuses every node, for now",
       {.name = "Fake",
        .pre_filter = answer(Status::Unschedulable("no")),
        .append_fragment = vouch},
       "NotNow"},
      {"fails for all nodes",
       {.name = "Fake", .pre_filter = answer(Status::Error("oh")), .append_fragment = vouch},
       "NotNow"},
      {"refuses every node for reasons elsewhere",
       {.name = "Fake",
        .pre_filter = answer(Status::UnschedulableAndUnresolvable("no")),
        .append_fragment = decline},
       "NotNow"},
  };
  for (const auto& c : cases) {
    Engine engine({c.plugin}, "");
    engine.Add({NodeText{"a"}, PodText{.name = "r", .cpu = "4", .node = "a"}});
    EXPECT_EQ(FitsOf(engine, PodText{"p"}), c.want) << c.name;
  }
}

struct PodsLeft final : StateData {
  int count = 0;
  std::unique_ptr<StateData> Clone() const override { return std::make_unique<PodsLeft>(*this); }
};

// Goal: removed pods pass through the PreFilter extensions. Method: a plugin that counts them in
// its state.
TEST(Classification, PassesRemovedPodsToPreFilterExtensions) {
  for (bool can_fail : {false, true}) {
    FakeBehavior counting{
        .name = "Counting",
        .pre_filter =
            [](CycleState& state, const Pod&, PreFilterResult*) {
              auto left = std::make_unique<PodsLeft>();
              left->count = 2;
              state.WriteData(std::move(left));
              return Status::Success();
            },
        .remove_pod =
            [can_fail](CycleState& state, const PodInfo& removed, const NodeInfo& node) {
              EXPECT_EQ(node.pods().size(), removed.pod->metadata.name == "r" ? 1u : 0u);
              --state.MutableData<PodsLeft>()->count;
              return can_fail ? Status::Error("oh") : Status::Success();
            },
        .filter =
            [](const CycleState& state, const Pod&, const NodeInfo&) {
              return state.ReadData<PodsLeft>()->count == 0 ? Status::Unschedulable("no pods left")
                                                            : Status::Success();
            },
        .append_fragment = [](const Pod&, PodSignature*) { return true; }};
    Engine engine({counting}, "");
    engine.Add({NodeText{"a"}, PodText{.name = "r", .cpu = "2", .node = "a"},
                PodText{.name = "s", .cpu = "2", .node = "a"}});
    EXPECT_EQ(FitsOf(engine, PodText{"p"}), can_fail ? "NotNow" : "Never");
  }
}

TEST(Classification, ChangesNothing) {
  Engine engine;
  engine.Add(FullCluster());
  std::string before = engine.StateText({"a", "b"}, {"ra", "rb"});
  for (const char* cpu : {"2", "9"}) FitsOf(engine, PodText{.name = "p", .cpu = cpu});
  EXPECT_EQ(engine.StateText({"a", "b"}, {"ra", "rb"}), before);
}

// Goal: "Never" agrees with the emptied cluster. Method: random nodes and pods, with the same
// evaluations before and after all pods are removed.
TEST(Classification, SaysNeverIfTheEmptiedClusterHasNoNode) {
  int nevers = 0;
  int not_nows = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    Engine engine;
    auto below = [&rng](uint64_t bound) { return static_cast<int>(rng.Below(bound)); };
    auto disk = [&] { return std::string(below(2) == 0 ? "ssd" : "tape"); };
    std::vector<std::string> gone;
    for (int node = 0; node < 4; ++node) {
      std::string name = "n" + std::to_string(node);
      engine.Add(
          {NodeText{.name = name,
                    .allocatable = R"("cpu":")" + std::to_string(below(6)) +
                                   R"(","memory":"8Gi","pods":")" + std::to_string(below(4)) + "\"",
                    .metadata = R"("labels":{"disk":")" + disk() + "\"}",
                    .spec = below(5) == 0 ? R"("unschedulable":true)" : ""}});
      for (int pod = below(4); pod > 0; --pod) {
        PodText text{.name = name + "-" + std::to_string(pod),
                     .cpu = std::to_string(below(3)),
                     .node = name,
                     .spec = below(2) == 0 ? HostPortText(80 + below(2)) : ""};
        engine.Add({text});
        gone.push_back(Event("DELETED", text));
      }
    }
    std::vector<std::string> asked;
    std::vector<std::string> said;
    for (int pod = 0; pod < 12; ++pod) {
      std::string spec = below(2) == 0 ? HostPortText(80 + below(2)) : R"("hostNetwork":false)";
      if (below(2) == 0) spec += "," + SelectorText(disk());
      asked.push_back(PodText{.name = "p", .cpu = std::to_string(below(6)), .spec = spec});
      said.push_back(FitsOf(engine, asked.back()));
      nevers += said.back() == "Never";
      not_nows += said.back() == "NotNow";
    }
    engine.Add(gone);
    for (size_t pod = 0; pod < asked.size(); ++pod) {
      EXPECT_EQ(FitsOf(engine, asked[pod]), said[pod] == "Never" ? "Never" : "Now")
          << "seed " << seed << ": " << asked[pod];
    }
  }
  EXPECT_GT(nevers, 20);
  EXPECT_GT(not_nows, 20);
}

}  // namespace
}  // namespace stowage
