// Goal: a transaction that is reverted leaves no trace, and one that is committed is as if its
// changes had been made without it. Method: random clusters by seed, driven with and without
// transactions; then what is under way when a transaction begins.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"
#include "tests/core/scheduler/all_changes.h"
#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr uint64_t kSeeds = 10;
constexpr size_t kSteps = 40;

// All that can be seen of the state.
std::string StateOf(Engine& engine) {
  std::string state = engine.StateText(Names("n", kNodes), Names("p", kPods));
  for (std::string_view query :
       {R"({"cache":true})", R"({"waiting":true})", R"({"madeUp":true})", R"({"objects":"*"})"}) {
    state += engine.InspectText(query);
  }
  return state;
}

// Both texts around the first difference; empty if they are equal.
std::string DifferenceOf(std::string_view got, std::string_view want) {
  if (got == want) return "";
  size_t at = 0;
  while (at < std::min(got.size(), want.size()) && got[at] == want[at]) ++at;
  size_t from = at < 300 ? 0 : at - 300;
  return "got\n" + std::string(got.substr(from, 400)) + "\nwant\n" +
         std::string(want.substr(from, 400));
}

// Follows one engine with the calls of the host: answers some of them in later steps.
class Host {
 public:
  explicit Host(uint64_t seed) : rng_(seed) {}

  std::string Run(Engine* engine, size_t max_cycles) {
    const size_t before = engine->log().size();
    engine->RunAll(max_cycles);
    std::string text = engine->log().substr(before);
    for (const auto& [call, body] : engine->calls()) open_.push_back(call);
    return text;
  }
  std::vector<std::string> Answers() {
    std::vector<std::string> lines;
    for (size_t at = 0; at < open_.size();) {
      if (rng_.Below(3) > 0) {
        ++at;
        continue;
      }
      lines.push_back(Completed(open_[at], rng_.Below(4) == 0 ? 409 : 200));
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return lines;
  }

 private:
  Rng rng_;
  std::vector<JsonTree> open_;
};

enum class Transactions { kNone, kReverted, kCommitted };

// Changes that are taken back, with further transactions in them.
void TryOut(Engine* engine, AllChanges* others, Rng* rng, size_t depth) {
  Host host(rng->Below(1000));
  const std::string before = StateOf(*engine);
  engine->Begin();
  for (size_t step = rng->Below(4); step > 0; --step) {
    engine->Apply(others->Next());
    engine->Apply(host.Answers());
    host.Run(engine, rng->Below(4));
    if (rng->Below(3) == 0) engine->Sleep(static_cast<int64_t>(rng->Below(20)) * 900'000);
    std::string ignored;
    if (rng->Below(3) == 0) engine->EvaluateText(R"({"pod":"default/p1"})", &ignored);
    if (depth < 2 && rng->Below(2) == 0) TryOut(engine, others, rng, depth + 1);
  }
  if (depth > 0 && rng->Below(3) == 0 && engine->CanCommit()) return engine->Commit();
  engine->Revert();
  EXPECT_EQ(DifferenceOf(StateOf(*engine), before), "");
}

// The decisions, and the state after each step.
std::string Drive(uint64_t seed, std::string_view options, Transactions transactions) {
  AllChanges changes(seed);
  AllChanges others(seed + 1000);
  Rng rng(seed + 1);
  Rng others_rng(seed + 2);
  Host host(seed + 3);
  Engine engine(options);
  std::string text;
  for (size_t step = 0; step < kSteps && !testing::Test::HasFailure(); ++step) {
    engine.Apply(host.Answers());
    bool is_tried_out = transactions == Transactions::kReverted && others_rng.Below(2) == 0;
    if (is_tried_out) TryOut(&engine, &others, &others_rng, 0);
    bool is_committed = transactions == Transactions::kCommitted && others_rng.Below(2) == 0;
    if (is_committed) engine.Begin();
    // Tasks that are under way cannot take part.
    if (is_committed && !engine.CanCommit()) {
      engine.Revert();
      is_committed = false;
    }
    engine.Apply(changes.Next());
    text += host.Run(&engine, 1 + seed % 3);
    if (is_committed) engine.Commit();
    text += StateOf(engine);
    engine.Sleep(static_cast<int64_t>(rng.Below(3)) * 700'000);
  }
  return text;
}

constexpr std::string_view kSimulated[] = {
    R"({"keepObjects":true,"verdictCache":"firstUse"})",
    R"({"keepObjects":true,"verdictCache":"off"})",
    R"({"keepObjects":true,"verdictCache":"secondUse"})",
    R"({"keepObjects":true,"verdictCache":"tiny"})",
    R"({"keepObjects":true,"verdictCache":"refill"})",
    R"({"keepObjects":true,"tieBreak":"random","seed":7,"detail":"nodes","metrics":true})",
    R"({"keepObjects":true,"tieBreak":"name","simulate":{"gracefulDeletion":true}})",
};
constexpr std::string_view kHost = R"({"keepObjects":true,"api":"host"})";

void ExpectEqualDrives(std::string_view options, Transactions transactions) {
  for (uint64_t seed = 1; seed <= kSeeds && !testing::Test::HasFailure(); ++seed) {
    std::string want = Drive(seed, options, Transactions::kNone);
    EXPECT_EQ(DifferenceOf(Drive(seed, options, transactions), want), "")
        << options << " seed " << seed;
  }
}

TEST(Savepoint, RevertsEverything) {
  for (std::string_view options : kSimulated) {
    ExpectEqualDrives(options, Transactions::kReverted);
  }
  ExpectEqualDrives(kHost, Transactions::kReverted);
}

TEST(Savepoint, CommitsEverything) {
  for (std::string_view options : kSimulated) {
    ExpectEqualDrives(options, Transactions::kCommitted);
  }
}

TEST(Savepoint, HoldsBindingsUntilTheRevert) {
  Engine engine(kHost);
  engine.Add({NodeText{"a"}, PodText{.name = "p"}});
  engine.RunAll();
  const JsonTree call = engine.CallFor("bind");
  const std::string before = StateOf(engine);
  engine.Begin();
  EXPECT_FALSE(engine.CanCommit());
  engine.Apply({Completed(call, 500)});
  engine.RunAll();
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["node"].text(), "a");
  engine.Revert();
  EXPECT_EQ(StateOf(engine), before);
  engine.Add({Completed(call, 500)});
  engine.RunAll();
  EXPECT_TRUE(engine.Inspect(R"({"pod":"default/p"})")["node"].is_null());
}

TEST(Savepoint, HoldsWaitingPodsUntilTheRevert) {
  FakeBehavior permit{.name = "Permit"};
  permit.permit = [](int64_t* timeout_us) {
    *timeout_us = 5'000'000;
    return Status::WithoutReasons(Code::kWait);
  };
  Engine engine({permit}, R"("keepObjects":true)");
  engine.Add({NodeText{"a"}, PodText{.name = "p"}});
  engine.Run();
  const std::string before = StateOf(engine);
  engine.Begin();
  EXPECT_EQ(engine.Inspect(R"({"waiting":true})")["waiting"].size(), 0u);
  engine.Add({PodText{.name = "q"}});
  engine.Run();
  engine.Sleep(60'000'000);
  engine.Run();
  engine.Revert();
  EXPECT_EQ(StateOf(engine), before);
  EXPECT_EQ(engine.Inspect(R"({"waiting":true})")["waiting"].size(), 1u);
  engine.Sleep(6'000'000);
  EXPECT_EQ(engine.RunFor("BindingResult").size(), 1u);
}

}  // namespace
}  // namespace stowage
