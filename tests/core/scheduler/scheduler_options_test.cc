#include "core/scheduler/scheduler_options.h"

#include <gtest/gtest.h>

#include <string>

namespace stowage {
namespace {

SchedulerOptions Read(std::string_view json) {
  Result<SchedulerOptions, OptionError> options = ReadSchedulerOptions(json);
  EXPECT_TRUE(options.ok()) << json << ": " << (options.ok() ? "" : options.fault().message);
  return options.ok() ? *options : SchedulerOptions();
}

TEST(SchedulerOptions, HasDefaults) {
  SchedulerOptions options = Read("{}");
  EXPECT_TRUE(options.feature_gates.empty());
  EXPECT_EQ(options.seed, 0u);
  EXPECT_EQ(options.tie_break, TieBreak::kHeap);
  EXPECT_EQ(options.api, ApiMode::kSimulated);
  EXPECT_FALSE(options.graceful_deletion);
  EXPECT_FALSE(options.has_node_detail);
  EXPECT_EQ(options.limits.object_bytes, size_t{4} << 20);
  EXPECT_EQ(options.limits.depth, 64u);
  EXPECT_EQ(options.limits.batch_bytes, size_t{256} << 20);
  EXPECT_EQ(options.verdict_cache.mode, VerdictCacheMode::kFirstUse);
}

TEST(SchedulerOptions, ReadsEveryOption) {
  SchedulerOptions options = Read(
      R"({"featureGates":{"GangScheduling":true,"SchedulerAsyncPreemption":false},"seed":42,)"
      R"("simulate":{"gracefulDeletion":true},"limits":{"objectBytes":10,"depth":3,"batchBytes":20},)"
      R"("quirks":{},"startTimeUs":5})");
  EXPECT_EQ(options.feature_gates,
            (FeatureGateMap{{"GangScheduling", true}, {"SchedulerAsyncPreemption", false}}));
  EXPECT_EQ(options.seed, 42u);
  EXPECT_TRUE(options.graceful_deletion);
  EXPECT_EQ(options.limits.object_bytes, 10u);
  EXPECT_EQ(options.limits.depth, 3u);
  EXPECT_EQ(options.limits.batch_bytes, 20u);
}

TEST(SchedulerOptions, AcceptsEveryChoice) {
  EXPECT_EQ(Read(R"({"tieBreak":"heap"})").tie_break, TieBreak::kHeap);
  EXPECT_EQ(Read(R"({"tieBreak":"name"})").tie_break, TieBreak::kName);
  EXPECT_EQ(Read(R"({"tieBreak":"random"})").tie_break, TieBreak::kRandom);
  EXPECT_EQ(Read(R"({"api":"simulated"})").api, ApiMode::kSimulated);
  EXPECT_EQ(Read(R"({"api":"host"})").api, ApiMode::kHost);
  EXPECT_FALSE(Read(R"({"detail":"summary"})").has_node_detail);
  EXPECT_TRUE(Read(R"({"detail":"nodes"})").has_node_detail);
  EXPECT_TRUE(Read(R"({"detail":"table"})").has_node_detail);
  EXPECT_EQ(Read(R"({"verdictCache":"off"})").verdict_cache.mode, VerdictCacheMode::kOff);
  EXPECT_EQ(Read(R"({"verdictCache":"firstUse"})").verdict_cache.mode, VerdictCacheMode::kFirstUse);
  EXPECT_EQ(Read(R"({"verdictCache":"secondUse"})").verdict_cache.mode,
            VerdictCacheMode::kSecondUse);
  VerdictCacheOptions tiny = Read(R"({"verdictCache":"tiny"})").verdict_cache;
  EXPECT_EQ(tiny.mode, VerdictCacheMode::kFirstUse);
  EXPECT_EQ(tiny.max_bytes, 1u);
  EXPECT_FALSE(tiny.refills);
  VerdictCacheOptions refill = Read(R"({"verdictCache":"refill"})").verdict_cache;
  EXPECT_EQ(refill.mode, VerdictCacheMode::kFirstUse);
  EXPECT_EQ(refill.max_bytes, VerdictCacheOptions().max_bytes);
  EXPECT_TRUE(refill.refills);
}

// Goal: without the option, ties are broken as the release does; with it, as it says.
TEST(SchedulerOptions, BreaksTiesAsTheRelease) {
  struct {
    std::string_view json;
    TieBreak want;
  } cases[] = {
      {R"({"kubernetesVersion":"v1.33"})", TieBreak::kRandom},
      {R"({"kubernetesVersion":"v1.34"})", TieBreak::kRandom},
      {R"({"kubernetesVersion":"v1.35"})", TieBreak::kHeap},
      {R"({"kubernetesVersion":"1.37-preview"})", TieBreak::kHeap},
      {R"({"kubernetesVersion":"v1.34","tieBreak":"heap"})", TieBreak::kHeap},
      {R"({"kubernetesVersion":"v1.34","behaviour":{"ties-by-heap":true}})", TieBreak::kHeap},
      {R"({"behaviour":{"ties-by-heap":false}})", TieBreak::kRandom},
      {R"({"behaviour":{"ties-by-heap":false},"tieBreak":"name"})", TieBreak::kName},
  };
  for (const auto& c : cases) EXPECT_EQ(Read(c.json).tie_break, c.want) << c.json;
}

TEST(SchedulerOptions, ReportsInvalidValues) {
  struct {
    std::string_view json;
    std::string_view want_field;
    std::string_view want;
  } cases[] = {
      {R"({"tieBreak":"first"})", "tieBreak",
       R"(tieBreak: Unsupported value: "first": supported values: "heap", "name", "random")"},
      {R"({"kubernetesVersion":"1.32"})", "kubernetesVersion",
       R"(kubernetesVersion: Unsupported value: "1.32": supported values: )"
       R"("v1.33", "v1.34", "v1.35", "v1.36", "v1.37-preview")"},
      {R"({"behaviour":{"flat-earth":true}})", "behaviour.flat-earth",
       "behaviour.flat-earth: there is no such fact"},
      {R"({"api":"real"})", "api",
       R"(api: Unsupported value: "real": supported values: "simulated", "host")"},
      {R"({"detail":"all"})", "detail",
       R"(detail: Unsupported value: "all": supported values: "summary", "nodes", "table")"},
      {R"({"verdictCache":"on"})", "verdictCache",
       R"(verdictCache: Unsupported value: "on": supported values: )"
       R"("off", "firstUse", "secondUse", "tiny", "refill")"},
      {R"({"limits":{"objectBytes":0}})", "limits.objectBytes",
       "limits.objectBytes: Invalid value: 0: must be greater than 0"},
      {R"({"limits":{"depth":-1}})", "limits.depth",
       "limits.depth: Invalid value: -1: must be greater than 0"},
      {R"({"limits":{"batchBytes":0}})", "limits.batchBytes",
       "limits.batchBytes: Invalid value: 0: must be greater than 0"},
      {R"({"quirks":{"staleImages":false}})", "quirks",
       R"(quirks: Invalid value: "staleImages": no such quirk)"},
      {R"({"tieBreaker":"heap"})", "", R"(options: unknown field "tieBreaker")"},
      {R"({"simulate":{"disks":true}})", "", R"(options: unknown field "simulate.disks")"},
      {R"({"preBindPollInterval":0})", "preBindPollInterval",
       "preBindPollInterval: Invalid value: 0: must be between 1 and 3162240000000"},
      {R"({"seed":1,"seed":2})", "", R"(options: duplicate field "seed")"},
      {R"({"seed":"1"})", "seed", "seed: Invalid value: \"1\": must be an integer, not a string"},
  };
  for (const auto& c : cases) {
    Result<SchedulerOptions, OptionError> options = ReadSchedulerOptions(c.json);
    ASSERT_FALSE(options.ok()) << c.json;
    EXPECT_EQ(options.fault().field, c.want_field) << c.json;
    EXPECT_EQ(options.fault().message, c.want) << c.json;
  }
}

TEST(SchedulerOptions, RejectsTextThatIsNotJson) {
  for (const char* text : {"", "{", "[1,", "nothing"}) {
    Result<SchedulerOptions, OptionError> options = ReadSchedulerOptions(text);
    ASSERT_FALSE(options.ok()) << text;
    EXPECT_EQ(options.fault().field, "") << text;
    EXPECT_TRUE(options.fault().message.starts_with("options: ")) << options.fault().message;
  }
}

}  // namespace
}  // namespace stowage
