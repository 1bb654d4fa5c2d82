// Goal: equal inputs give equal bytes, and questions in between change none of them. Method: random
// clusters and pods by seed, driven twice or with questions after every step.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"
#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr uint64_t kSeeds = 12;
constexpr size_t kSteps = 40;
constexpr size_t kNodes = 12;
constexpr size_t kPods = 30;

std::vector<std::string> Names(std::string_view prefix, size_t count) {
  std::vector<std::string> names;
  for (size_t index = 0; index < count; ++index) {
    names.push_back(std::string(prefix) + std::to_string(index));
  }
  return names;
}

// Changes of a cluster of few names, so that they meet: nodes with zones and images, pods with
// priorities.
class Changes {
 public:
  explicit Changes(uint64_t seed) : rng_(seed) {}

  std::vector<std::string> Next() {
    std::vector<std::string> lines;
    for (size_t count = rng_.Below(4); count > 0; --count) lines.push_back(Change());
    return lines;
  }

 private:
  std::string Change() {
    switch (rng_.Below(8)) {
      case 0:
        return Event("DELETED", Node());
      case 1:
      case 2:
        return Node();
      case 3:
        return Event("DELETED", PodText{.name = Draw("p", kPods)});
      default:
        return Pod();
    }
  }

  std::string Draw(std::string_view prefix, size_t bound) {
    return std::string(prefix) + std::to_string(rng_.Below(bound));
  }

  std::string Node() {
    return NodeText{
        .name = Draw("n", kNodes),
        .allocatable = R"("pods":"9","cpu":")" + Draw("1", 6) + "\"",
        .metadata = R"("labels":{"topology.kubernetes.io/zone":")" + Draw("z", 3) + R"("})",
        .status =
            R"("images":[{"names":[")" + Draw("image-", 3) + R"(:v1"],"sizeBytes":700000000}])"};
  }

  std::string Pod() {
    return PodText{
        .name = Draw("p", kPods),
        .cpu = Draw("", 4),
        .priority = static_cast<int>(rng_.Below(3)) * 10,
        .spec = R"("initContainers":[{"name":"i","image":")" + Draw("image-", 3) + R"(:v1"}])"};
  }

  Rng rng_;
};

// Asks the engine about a pod that it does not know and about some that it knows, and looks at its
// state after each.
void Ask(Rng* rng, Engine* engine) {
  static const std::vector<std::string> kNodeNames = Names("n", kNodes);
  static const std::vector<std::string> kPodNames = Names("p", kPods);
  std::string before = engine->StateText(kNodeNames, kPodNames);
  engine->Evaluate(R"({"allPlugins":true,"everyNode":true,"detail":"table"})",
                   std::string(PodText{.name = "asked", .cpu = "2", .priority = 5}));
  EXPECT_EQ(engine->StateText(kNodeNames, kPodNames), before);
  for (size_t count = 0; count < 3; ++count) {
    std::string key = R"("pod":"default/)" + kPodNames[rng->Below(kPods)] + "\"";
    bool is_known = before.find("{" + key + R"(,"uid")") != std::string::npos;
    engine->Evaluate("{" + key + "}", "", is_known);
    EXPECT_EQ(engine->StateText(kNodeNames, kPodNames), before) << key;
  }
}

enum class Questions { kNone, kAfterEveryStep };

// What was decided, and the state at the end.
std::string Drive(uint64_t seed, std::string_view options, Questions questions) {
  Changes changes(seed);
  Rng rng(seed + 1);
  Engine engine(options);
  std::string decisions;
  for (size_t step = 0; step < kSteps; ++step) {
    engine.Apply(changes.Next());
    if (questions != Questions::kNone) Ask(&rng, &engine);
    decisions += engine.RunText(1 + seed % 3);
    if (questions != Questions::kNone) Ask(&rng, &engine);
  }
  return decisions + engine.StateText(Names("n", kNodes), Names("p", kPods));
}

constexpr std::string_view kOptions[] = {
    R"({"verdictCache":"firstUse"})",
    R"({"verdictCache":"off"})",
    R"({"tieBreak":"random","seed":7,"detail":"nodes"})",
    R"({"tieBreak":"name","simulate":{"gracefulDeletion":true}})",
    R"({"api":"host"})",
};

TEST(Determinism, EqualInputsGiveEqualBytes) {
  for (std::string_view options : kOptions) {
    for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
      std::string first = Drive(seed, options, Questions::kNone);
      EXPECT_EQ(Drive(seed, options, Questions::kNone), first) << options << " seed " << seed;
    }
  }
}

TEST(Determinism, QuestionsChangeNothing) {
  for (std::string_view options : kOptions) {
    for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
      EXPECT_EQ(Drive(seed, options, Questions::kAfterEveryStep),
                Drive(seed, options, Questions::kNone))
          << options << " seed " << seed;
    }
  }
}

TEST(Determinism, RememberedVerdictsDecideAsPlainOnes) {
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    EXPECT_EQ(Drive(seed, R"({"verdictCache":"firstUse"})", Questions::kNone),
              Drive(seed, R"({"verdictCache":"off"})", Questions::kNone))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace stowage
