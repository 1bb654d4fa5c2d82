// Goal: a fork goes on as its original would, and neither changes the other. Method: random
// clusters and pods by seed, driven by the original, by a chain of forks, and beside forks that go
// other ways.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/base/rng.h"
#include "tests/core/scheduler/engine.h"
#include "tests/core/scheduler/random_changes.h"

namespace stowage {
namespace {

constexpr uint64_t kSeeds = 12;
constexpr size_t kSteps = 40;

enum class Forks {
  kNone,
  kGoOn,    // the fork replaces its original
  kBranch,  // a fork is changed otherwise and thrown away
};

void GoAnotherWay(const Engine& original, Changes* others) {
  Engine fork = original.Fork();
  for (size_t step = 0; step < 3; ++step) {
    fork.Apply(others->Next());
    fork.RunText(3);
  }
}

// The decisions, and the state after each step.
std::string Drive(uint64_t seed, std::string_view options, Forks forks) {
  Changes changes(seed);
  Changes others(seed + 1000);
  Rng rng(seed + 1);
  Engine engine(options);
  std::string text;
  for (size_t step = 0; step < kSteps; ++step) {
    engine.Apply(changes.Next());
    bool is_fork_point = rng.Below(3) == 0;
    if (is_fork_point && forks == Forks::kGoOn) engine = engine.Fork();
    if (is_fork_point && forks == Forks::kBranch) GoAnotherWay(engine, &others);
    text += engine.RunText(1 + seed % 3);
    text += engine.StateText(Names("n", kNodes), Names("p", kPods));
    engine.Sleep(static_cast<int64_t>(rng.Below(3)) * 700'000);
  }
  return text;
}

constexpr std::string_view kSimulated[] = {
    R"({"verdictCache":"firstUse"})",
    R"({"verdictCache":"off"})",
    R"({"tieBreak":"random","seed":7,"detail":"nodes"})",
    R"({"tieBreak":"name","simulate":{"gracefulDeletion":true}})",
};

TEST(Fork, GoesOnAsItsOriginalWould) {
  for (std::string_view options : kSimulated) {
    for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
      EXPECT_EQ(Drive(seed, options, Forks::kGoOn), Drive(seed, options, Forks::kNone))
          << options << " seed " << seed;
    }
  }
}

TEST(Fork, ChangesNothingInItsOriginal) {
  for (std::string_view options :
       {kSimulated[0], kSimulated[2], kSimulated[3], std::string_view(R"({"api":"host"})")}) {
    for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
      EXPECT_EQ(Drive(seed, options, Forks::kBranch), Drive(seed, options, Forks::kNone))
          << options << " seed " << seed;
    }
  }
}

}  // namespace
}  // namespace stowage
