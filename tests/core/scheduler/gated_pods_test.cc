// Goal: gated pods, for which the gate is asked once, are as if each had been asked.
// Method: of two schedulers one writes QueueMove records, for which the queue asks each pod. Both
// get the same changes by seed and have equal states, metrics and decisions after every step.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/core/scheduler/random_changes.h"

namespace stowage {
namespace {

constexpr size_t kGroups = 3;
constexpr size_t kClaims = 3;
constexpr size_t kMembers = 12;

std::string OptionsWith(std::string_view more) {
  return R"({"featureGates":{"GenericWorkload":true,"GangScheduling":true},"metrics":true)" +
         std::string(more) + "}";
}

// Changes of few pod groups and claims, and of pods that wait for them.
class GateChanges {
 public:
  explicit GateChanges(uint64_t seed) : rng_(seed) {}

  size_t Below(size_t bound) { return static_cast<size_t>(rng_.Below(bound)); }
  std::vector<std::string> Next() {
    std::vector<std::string> lines;
    for (size_t count = Below(5); count > 0; --count) lines.push_back(Change());
    return lines;
  }

 private:
  std::string Change() {
    switch (Below(16)) {
      case 0:
        return NodeText{.name = Draw("n", 2),
                        .allocatable = R"("pods":"9","cpu":")" + Draw("", 5) + "\""};
      case 1:
        return Group();
      case 2:
        return Event("DELETED", Group());
      case 3:
        return Claim();
      case 4:
        return Event("DELETED", Claim());
      case 5:
        return R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":")" +
               Draw("k", 2) + R"("},"spec":{}})";
      case 6:
      case 7:
        return Event("DELETED", PodText{.name = Draw("p", kMembers)});
      default:
        return Pod();
    }
  }

  std::string Draw(std::string_view prefix, size_t bound) {
    return std::string(prefix) + std::to_string(Below(bound));
  }

  std::string Group() {
    return R"({"apiVersion":"scheduling.k8s.io/v1alpha2","kind":"PodGroup","metadata":{"name":")" +
           Draw("g", kGroups) + R"(","namespace":"default"},"spec":{"schedulingPolicy":)" +
           (Below(5) == 0 ? R"({"basic":{}})" : R"({"gang":{"minCount":)" + Draw("", 6) + "}}") +
           "}}";
  }

  std::string Claim() {
    return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":")" +
           Draw("c", kClaims) + R"(","namespace":"default","uid":"claim")" +
           (Below(4) == 0 ? R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")" : "") +
           R"(},"spec":{}})";
  }

  std::string Pod() {
    std::string spec = R"("hostNetwork":false)";
    if (Below(8) > 0) {
      spec += R"(,"schedulingGroup":{"podGroupName":")" + Draw("g", kGroups) + "\"}";
    }
    if (Below(8) == 0) spec += R"(,"schedulingGates":[{"name":"x"}])";
    if (Below(6) == 0) {
      spec += R"(,"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",)"
              R"("whenUnsatisfiable":"DoNotSchedule","labelSelector":{}}])";
    }
    if (Below(4) == 0) {
      spec += R"(,"resourceClaims":[{"name":"x","resourceClaimName":")" + Draw("c", kClaims) +
              R"("},{"name":"y","resourceClaimName":")" + Draw("c", kClaims) + R"("}])";
    }
    std::string name = Draw("p", kMembers);
    return PodText{.name = name,
                   .cpu = Draw("", 4),
                   .node = Below(12) == 0 ? Draw("n", 2) : "",
                   .priority = static_cast<int>(Below(2)) * 10,
                   .uid = "uid-" + name + (Below(10) == 0 ? "-again" : ""),
                   .metadata = R"("labels":{"app":")" + Draw("a", 3) + R"("})",
                   .spec = spec};
  }

  Rng rng_;
};

std::string StateOf(Engine& engine) {
  static const std::vector<std::string> kNodeNames = Names("n", 2);
  static const std::vector<std::string> kPodNames = Names("p", kMembers);
  return engine.StateText(kNodeNames, kPodNames) + engine.InspectText(R"({"metrics":true})");
}

// The decisions of a turn, without the numbers of the records, which count moves.
std::string DecisionsOf(Engine& engine) {
  std::string decisions;
  std::string text = engine.RunText();
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    if (!line.starts_with(R"({"kind":"Decision")")) continue;
    decisions += line.substr(line.find(R"("at":)"));
  }
  return decisions;
}

class GatedPodsTest : public testing::TestWithParam<uint64_t> {};

TEST_P(GatedPodsTest, AreAsIfEachPodHadBeenAsked) {
  GateChanges changes(GetParam());
  Engine shared(OptionsWith(""));
  Engine single(OptionsWith(R"(,"moves":true)"));
  size_t num_gated[] = {0, 0};
  for (int step = 0; step < 80; ++step) {
    std::vector<std::string> lines = changes.Next();
    auto wait_us = static_cast<int64_t>(changes.Below(3'000)) * 1000;
    bool runs = changes.Below(3) == 0;
    bool tries = changes.Below(6) == 0;
    std::string decisions[2];
    std::string state[2];
    Engine* engines[] = {&shared, &single};
    for (size_t index = 0; index < 2; ++index) {
      Engine& engine = *engines[index];
      engine.Sleep(wait_us);
      if (tries) engine.Begin();
      engine.Apply(lines);
      if (tries) {
        state[index] += StateOf(engine);
        engine.Revert();
        engine.Apply(lines);
      }
      if (runs) decisions[index] = DecisionsOf(engine);
      state[index] += StateOf(engine);
    }
    ASSERT_EQ(decisions[0], decisions[1]) << step;
    ASSERT_EQ(state[0], state[1]) << step;
    constexpr std::string_view kMoved = R"(","hint":"Queue","queue":"unschedulable")";
    for (size_t index = 0; index < 2; ++index) {
      std::string gate = index == 0 ? "GangScheduling" : "DynamicResources";
      if (state[0].find(gate.append(kMoved)) != std::string::npos) ++num_gated[index];
    }
  }
  EXPECT_GT(num_gated[0], 0u) << "steps in which pods stayed gated by their pod group";
  EXPECT_GT(num_gated[1], 0u) << "or by their claims";
}

INSTANTIATE_TEST_SUITE_P(Seeds, GatedPodsTest, testing::Range(uint64_t{1}, uint64_t{61}));

}  // namespace
}  // namespace stowage
