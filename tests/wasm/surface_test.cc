// The engine as the boundary sees it: stale handles, invalid arguments, bytes in and out.
#include "wasm/surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/symbol.h"

namespace stowage {
namespace {

constexpr double kNow = 1e12;  // microseconds
constexpr int32_t kLines = 1;

constexpr std::string_view kNode =
    R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"a","uid":"a"},"status":{"allocatable":{"cpu":"4","pods":"9"}}})";
constexpr std::string_view kPod =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"default","uid":"p"},"spec":{"schedulerName":"default-scheduler","containers":[{"name":"c"}]}})";

class SurfaceTest : public testing::Test {
 protected:
  // Puts the text into the input and returns its size.
  size_t Input(std::string_view text) {
    std::span<uint8_t> input = surface_.Input(text.size());
    EXPECT_EQ(input.size(), text.size());
    std::copy(text.begin(), text.end(), input.begin());
    return text.size();
  }
  std::string Output() const {
    auto bytes = surface_.Output();
    return {bytes.begin(), bytes.end()};
  }

  int32_t Create(std::string_view text = "{}") { return surface_.Create(Input(text), nullptr); }
  int32_t Apply(int32_t handle, std::string_view text, int32_t format = kLines) {
    return surface_.Apply(handle, kNow, format, Input(text));
  }

  // The result of each call that takes a handle.
  std::vector<int32_t> CallAll(int32_t handle) {
    std::vector<int32_t> answers;
    answers.push_back(Apply(handle, kNode));
    answers.push_back(surface_.Run(handle, kNow, 10));
    answers.push_back(surface_.Evaluate(handle, kNow, Input("{}\n" + std::string(kPod))));
    answers.push_back(surface_.Inspect(handle, Input("{}")));
    return answers;
  }
  void ExpectStale(int32_t handle, std::string_view name) {
    EXPECT_EQ(CallAll(handle), std::vector<int32_t>(4, Surface::kStaleHandle)) << name;
    EXPECT_EQ(surface_.Destroy(handle), Surface::kStaleHandle) << name;
  }

  Surface surface_;
};

TEST_F(SurfaceTest, NamesItself) {
  EXPECT_TRUE(Surface::Abi().starts_with(
      R"({"abi":1,"stowage":"0.1.0","kubernetes":"v1.36","releases":[)"
      R"({"version":"v1.33","patch":"v1.33.13"},{"version":"v1.34","patch":"v1.34.9"},)"
      R"({"version":"v1.35","patch":"v1.35.6"},{"version":"v1.36","patch":"v1.36.3"},)"
      R"({"version":"v1.37-preview"}],)"
      R"("facts":[{"name":"balanced-allocation","since":"v1.36"},)"));
}

TEST_F(SurfaceTest, ReturnsTheSizeOfTheOutput) {
  int32_t handle = Create();
  ASSERT_GT(handle, 0);
  for (int32_t answer : CallAll(handle)) {
    EXPECT_GT(answer, 0);
  }
  int32_t size = Apply(handle, kPod);
  EXPECT_EQ(static_cast<size_t>(size), Output().size());
  EXPECT_EQ(Output(), R"({"applied":1,"ignored":0,"errors":[],"unknownKinds":[]})");
  size = surface_.Run(handle, kNow, 10);
  EXPECT_EQ(static_cast<size_t>(size), Output().size());
  EXPECT_NE(Output().find(R"("at":"1970-01-12T13:46:40.000000Z","pod":"default/p")"),
            std::string::npos)
      << Output();
  EXPECT_TRUE(
      Output().ends_with("{\"kind\":\"Turn\",\"nextDeadline\":null,\"idle\":true,\"waiting\":false,"
                         "\"busy\":false}\n"));
}

TEST_F(SurfaceTest, ReadsOneDocumentOrLines) {
  int32_t handle = Create();
  std::string two = std::string(kNode) + "\n" + std::string(kPod);
  EXPECT_GT(Apply(handle, two, kLines), 0);
  EXPECT_NE(Output().find(R"("applied":2)"), std::string::npos) << Output();
  EXPECT_GT(Apply(handle, two, 0), 0);
  EXPECT_NE(Output().find("MalformedJson"), std::string::npos) << Output();
  EXPECT_GT(Apply(handle, kNode, 0), 0);
  EXPECT_NE(Output().find(R"("applied":1)"), std::string::npos) << Output();
}

TEST_F(SurfaceTest, NeverMadeAndDestroyedHandlesAreStale) {
  ExpectStale(1, "before any was made");
  int32_t handle = Create();
  for (int32_t other : {0, -1, handle + 1, handle - 1, handle + 0x10000, handle - 0x10000,
                        std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    ExpectStale(other, std::to_string(other));
  }
  EXPECT_EQ(surface_.Destroy(handle), 0);
  EXPECT_EQ(Output(), "");
  ExpectStale(handle, "destroyed");
}

TEST_F(SurfaceTest, GivesAReusedSlotAnotherHandle) {
  int32_t first = Create();
  int32_t kept = Create();
  EXPECT_NE(first, kept);
  EXPECT_EQ(surface_.Destroy(first), 0);
  int32_t second = Create();
  EXPECT_NE(second, first);
  EXPECT_NE(second, kept);
  EXPECT_EQ(second % 0x10000, first % 0x10000) << "the place is used again";
  ExpectStale(first, "its place was taken");
  EXPECT_GT(Apply(second, kNode), 0);
  EXPECT_GT(Apply(kept, kNode), 0);
}

// Goal: generations wrap around to 1 and handles stay positive.
TEST_F(SurfaceTest, HandlesStayPositiveWhenGenerationsWrap) {
  int32_t previous = 0;
  for (size_t round = 0; round < 3; ++round) {
    int32_t handle = Create();
    EXPECT_GT(handle, previous);
    previous = handle;
    EXPECT_EQ(surface_.Destroy(handle), 0);
  }
}

TEST_F(SurfaceTest, SchedulersAreIndependent) {
  int32_t a = Create();
  int32_t b = Create(R"({"tieBreak":"name"})");
  EXPECT_GT(Apply(a, kNode), 0);
  EXPECT_EQ(surface_.Inspect(b, Input(R"({"node":"a"})")), Surface::kFailed);
  EXPECT_GT(surface_.Inspect(a, Input(R"({"node":"a"})")), 0);
}

TEST_F(SurfaceTest, RefusesBadArguments) {
  int32_t handle = Create();
  Input("{}");
  double nan = std::numeric_limits<double>::quiet_NaN();
  double infinity = std::numeric_limits<double>::infinity();
  double too_late = 9007199254740992.0;  // 2^53: not every microsecond is exact
  struct {
    std::string_view name;
    int32_t answer;
  } cases[] = {
      {"create: more than the input", surface_.Create(3, nullptr)},
      {"apply: more than the input", surface_.Apply(handle, kNow, 0, 3)},
      {"apply: no such format", surface_.Apply(handle, kNow, 3, 2)},
      {"apply again: no handle", surface_.Apply(handle, kNow, Surface::kAgain, 2)},
      {"apply: a negative format", surface_.Apply(handle, kNow, -1, 2)},
      {"apply: no time", surface_.Apply(handle, nan, 0, 2)},
      {"apply: too late", surface_.Apply(handle, too_late, 0, 2)},
      {"run: too early", surface_.Run(handle, -too_late, 1)},
      {"run: never", surface_.Run(handle, infinity, 1)},
      {"run: fewer than no cycles", surface_.Run(handle, kNow, -1)},
      {"evaluate: more than the input", surface_.Evaluate(handle, kNow, 3)},
      {"evaluate: no time", surface_.Evaluate(handle, nan, 2)},
      {"inspect: more than the input", surface_.Inspect(handle, 3)},
  };
  for (const auto& c : cases) EXPECT_EQ(c.answer, Surface::kBadArgument) << c.name;
  EXPECT_GT(surface_.Run(handle, 9007199254740991.0, 0), 0) << "the last time there is";
  EXPECT_GT(surface_.Run(handle, -1.0, 0), 0) << "before 1970";
}

TEST_F(SurfaceTest, AppliesWhatAnotherSchedulerWasGiven) {
  int32_t origin = Create(R"({"keepBatches":true})");
  int32_t other = Create();
  EXPECT_GT(Apply(origin, kNode), 0);
  auto again = [this](int32_t handle, int32_t from) {
    return surface_.Apply(handle, kNow, Surface::kAgain, Input(std::to_string(from)));
  };
  EXPECT_GT(again(other, origin), 0);
  EXPECT_GT(surface_.Inspect(other, Input(R"({"node":"a"})")), 0);
  EXPECT_EQ(again(origin, other), Surface::kBadArgument) << "it keeps no batches";
  EXPECT_EQ(again(origin, origin), Surface::kBadArgument) << "itself";
  int32_t narrow = Create(R"({"limits":{"objectBytes":1024}})");
  EXPECT_EQ(again(narrow, origin), Surface::kBadArgument) << "other limits";
  EXPECT_EQ(surface_.Destroy(origin), 0);
  EXPECT_EQ(again(other, origin), Surface::kStaleHandle);
}

TEST_F(SurfaceTest, ReportsWhyASchedulerWasNotCreated) {
  struct {
    std::string_view name;
    std::string_view text;
    std::string_view want;
  } cases[] = {
      {"an option", "{\"tieBreak\":\"x\"}",
       R"({"class":"ConfigurationError","code":"InvalidConfiguration","message":"tieBreak: Unsupported value: \"x\": supported values: \"heap\", \"name\", \"random\"","errors":[{"field":"tieBreak","detail":"tieBreak: Unsupported value: \"x\": supported values: \"heap\", \"name\", \"random\""}]})"},
      {"a gate", R"({"featureGates":{"NoSuch":true}})",
       R"({"class":"ConfigurationError","code":"InvalidConfiguration","message":"unrecognized feature gate: NoSuch","errors":[{"field":"featureGates.NoSuch","detail":"unrecognized feature gate: NoSuch"}]})"},
      {"the configuration",
       "{}\n{\"apiVersion\":\"kubescheduler.config.k8s.io/"
       "v1\",\"kind\":\"KubeSchedulerConfiguration\",\"x\":1}",
       R"({"class":"ConfigurationError","code":"InvalidConfiguration","message":"strict decoding error: unknown field \"x\"","errors":[{"field":"x","detail":"strict decoding error: unknown field \"x\""}]})"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Create(c.text), Surface::kFailed) << c.name;
    EXPECT_EQ(Output(), c.want) << c.name;
  }
  EXPECT_GT(Create(), 0) << "the surface stays usable";
  EXPECT_EQ(Output(), "");
}

TEST_F(SurfaceTest, FailedQueriesAreErrorDocuments) {
  int32_t handle = Create();
  EXPECT_EQ(surface_.Evaluate(handle, kNow, Input("{\"pod\":\"default/p\"}")), Surface::kFailed);
  EXPECT_EQ(Output(), R"({"class":"InputError","code":"FieldValueInvalid","field":"pod","index":0,)"
                      R"("message":"pod: Not found: \"default/p\""})");
  EXPECT_EQ(surface_.Inspect(handle, Input("{")), Surface::kFailed);
  EXPECT_NE(Output().find("MalformedJson"), std::string::npos) << Output();
}

// Goal: destroying a scheduler frees everything that it made. Texts are interned in one table for
// all schedulers, so their number shows leaks.
TEST_F(SurfaceTest, AThousandSchedulersLeakNothing) {
  std::string options_and_configuration =
      "{\"verdictCache\":\"firstUse\"}\n"
      R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"})";
  auto live_and_die = [&] {
    int32_t handle = Create(options_and_configuration);
    ASSERT_GT(handle, 0);
    ASSERT_GT(Apply(handle, std::string(kNode) + "\n" + std::string(kPod)), 0);
    ASSERT_GT(surface_.Run(handle, kNow, 10), 0);
    ASSERT_EQ(surface_.Destroy(handle), 0);
  };
  live_and_die();  // interns the texts that the program keeps for good
  size_t before = Symbol::LiveCount();
  for (size_t round = 0; round < 1000 && !HasFatalFailure(); ++round) live_and_die();
  EXPECT_EQ(Symbol::LiveCount(), before);
}

// Answers a plugin's calls with prepared texts, and calls back meanwhile.
class FakeBridge final : public PluginBridge {
 public:
  FakeBridge(Surface& surface, const int32_t& handle, std::vector<std::string>* log)
      : surface_(surface), handle_(handle), log_(*log) {}

  std::string Call(std::string_view request) override {
    log_.emplace_back(request);
    constexpr std::string_view kQuery = R"({"row":0})";
    std::span<uint8_t> input = surface_.Input(kQuery.size());
    std::copy(kQuery.begin(), kQuery.end(), input.begin());
    EXPECT_GT(surface_.Inspect(handle_, kQuery.size()), 0);
    auto bytes = surface_.Output();
    EXPECT_TRUE(std::string(bytes.begin(), bytes.end()).starts_with(R"({"name":"a","node":{)"));
    EXPECT_EQ(surface_.Run(handle_, kNow, 1), Surface::kReentrant);
    EXPECT_EQ(surface_.Apply(handle_, kNow, kLines, 0), Surface::kReentrant);
    EXPECT_EQ(surface_.Evaluate(handle_, kNow, 0), Surface::kReentrant);
    EXPECT_EQ(surface_.Create(0, nullptr), Surface::kReentrant);
    EXPECT_EQ(surface_.Destroy(handle_), Surface::kReentrant);
    bool is_chunk = request.find(R"("point":"filterChunk")") != std::string_view::npos;
    return is_chunk
               ? R"({"refused":[[0,0]],"statuses":[{"code":"Unschedulable","reasons":["no"]}]})"
               : R"({"status":{"code":"Unschedulable","reasons":["still not"]}})";
  }

 private:
  Surface& surface_;
  const int32_t& handle_;
  std::vector<std::string>& log_;
};

constexpr std::string_view kWithPlugin =
    R"({"plugins":[{"name":"Mine","methods":["filter"]}]})"
    "\n"
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
    R"("profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"Mine"}]}}}]})";

TEST_F(SurfaceTest, CallsPluginsAndLetsThemInspect) {
  int32_t handle = 0;
  std::vector<std::string> log;
  size_t size = Input(kWithPlugin);
  handle = surface_.Create(size, std::make_unique<FakeBridge>(surface_, handle, &log));
  ASSERT_GT(handle, 0);
  EXPECT_GT(Apply(handle, std::string(kNode) + "\n" + std::string(kPod)), 0);
  ASSERT_GT(surface_.Run(handle, kNow, 1), 0);
  EXPECT_NE(Output().find("0/1 nodes are available: 1 still not."), std::string::npos) << Output();
  ASSERT_GE(log.size(), 2u);
  EXPECT_TRUE(log[0].starts_with(
      R"({"plugin":"Mine","profile":"default-scheduler","point":"filterChunk","rows":1,"state":1,)"
      R"("pod":{)"))
      << log[0];
  EXPECT_TRUE(log[0].ends_with(R"("first":0,"mask":[1,0]})")) << log[0];
  EXPECT_NE(log[1].find(R"("point":"filter")"), std::string::npos) << log[1];
  EXPECT_EQ(surface_.Destroy(handle), 0);
}

// Goal: rows that a plugin has read stay valid as long as no node changes: for all evaluations
// before the first cycle, and for that cycle.
TEST_F(SurfaceTest, SendsPluginsTheRowsOnceForManyEvaluations) {
  int32_t handle = 0;
  std::vector<std::string> log;
  size_t size = Input(kWithPlugin);
  handle = surface_.Create(size, std::make_unique<FakeBridge>(surface_, handle, &log));
  ASSERT_GT(handle, 0);
  auto rows_told = [&log](int32_t answered) {
    EXPECT_GT(answered, 0);
    auto has_rows = [](const std::string& request) {
      return request.find(R"("rows":)") != std::string::npos ||
             request.find(R"("changed":[0])") != std::string::npos;
    };
    auto count = std::count_if(log.begin(), log.end(), has_rows);
    EXPECT_FALSE(log.empty());
    log.clear();
    return count;
  };
  auto ask = [&] { return surface_.Evaluate(handle, kNow, Input("{\"pod\":\"default/p\"}")); };
  EXPECT_GT(Apply(handle, std::string(kNode) + "\n" + std::string(kPod)), 0);
  EXPECT_EQ(rows_told(ask()), 1);
  EXPECT_EQ(rows_told(ask()), 0);
  EXPECT_GT(Apply(handle, kNode), 0);
  EXPECT_EQ(rows_told(ask()), 1);
  EXPECT_EQ(rows_told(ask()), 0);
  EXPECT_EQ(rows_told(surface_.Run(handle, kNow, 1)), 0);

  EXPECT_GT(surface_.Inspect(handle, Input(R"({"row":0})")), 0);
  EXPECT_GT(Apply(handle, R"({"type":"DELETED","object":)" + std::string(kNode) + "}"), 0);
  EXPECT_EQ(surface_.Inspect(handle, Input(R"({"row":0})")), Surface::kFailed);
}

TEST_F(SurfaceTest, RefusesPluginsWithoutABridge) {
  EXPECT_EQ(Create(R"({"plugins":[{"name":"Mine","methods":["filter"]}]})"), Surface::kFailed);
  EXPECT_NE(Output().find("plugins: this engine has no host for plugins"), std::string::npos)
      << Output();
}

TEST_F(SurfaceTest, TransactionsAreRevertedOrKept) {
  constexpr int32_t kBegin = 0;
  constexpr int32_t kRevert = 1;
  constexpr int32_t kCommit = 2;
  int32_t handle = Create();
  auto state = [&] {
    EXPECT_GT(surface_.Inspect(handle, Input("{}")), 0);
    return Output();
  };
  const std::string empty = state();
  for (int32_t action : {kRevert, kCommit, 3, -1}) {
    EXPECT_EQ(surface_.Revert(handle, action), Surface::kBadArgument) << action;
  }
  EXPECT_EQ(surface_.Revert(handle, kBegin), 0);
  EXPECT_GT(Apply(handle, kNode), 0);
  const std::string changed = state();
  EXPECT_EQ(surface_.Revert(handle, kRevert), 0);
  EXPECT_EQ(state(), empty);
  EXPECT_EQ(surface_.Revert(handle, kBegin), 0);
  EXPECT_GT(Apply(handle, kNode), 0);
  EXPECT_EQ(surface_.Revert(handle, kCommit), 0);
  EXPECT_EQ(state(), changed);
  EXPECT_EQ(surface_.Destroy(handle), 0);
  EXPECT_EQ(surface_.Revert(handle, kBegin), Surface::kStaleHandle);
}

}  // namespace
}  // namespace stowage
