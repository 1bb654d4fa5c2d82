// What a profile with fake plugins runs after a node is chosen: Reserve, Permit and the points of
// the binding cycle (spec 05 §8, §9).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/core/runtime/fake_profile.h"
#include "tests/support/run_to_end.h"

namespace stowage {
namespace {

constexpr int64_t kSecondUs = 1'000'000;

const Symbol kNode("n0");
const Symbol kB("B");

// The name of a plugin: A, B, … The plugins return the given answers and record that they ran.
std::string NameAt(size_t index) { return std::string(1, static_cast<char>('A' + index)); }

struct AnswersCase {
  std::string_view name;
  std::vector<Status> answers;
  Status want;
  std::string_view want_asked;
};

TEST(RunReservePlugins, StopsAtTheFirstFailure) {
  const AnswersCase cases[] = {
      {"no plugin", {}, {}, ""},
      {"all succeed", {{}, {}, {}}, {}, "ABC"},
      {"a refusal keeps its words and code",
       {{}, Status::UnschedulableAndUnresolvable("no"), {}},
       Status::UnschedulableAndUnresolvable("no").WithPlugin(kB),
       "AB"},
      {"an Error is wrapped",
       {{}, Status::Error("boom"), {}},
       Status::Error("running Reserve plugin \"B\": boom"),
       "AB"},
      {"Skip is no answer here",
       {Status::Skip()},
       Status::Error("running Reserve plugin \"A\": "),
       "A"},
  };
  for (const AnswersCase& c : cases) {
    std::string asked;
    std::string undone;
    FakeProfile profile;
    for (size_t index = 0; index < c.answers.size(); ++index) {
      FakeBehavior behavior;
      behavior.name = NameAt(index);
      behavior.reserve = [&asked, &c, index](const Pod& pod, const Symbol& node) {
        EXPECT_EQ(pod.metadata.name, "p");
        EXPECT_EQ(node, kNode);
        asked += NameAt(index);
        return c.answers[index];
      };
      behavior.unreserve = [&undone, index] { undone += NameAt(index); };
      profile.Add(behavior);
    }
    CycleState state;
    Pod pod = MakePod().Name("p");
    EXPECT_EQ(profile.framework().RunReservePluginsReserve(state, pod, kNode), c.want) << c.name;
    EXPECT_EQ(asked, c.want_asked) << c.name;
    EXPECT_EQ(undone, "") << c.name << ": left to the caller";
    profile.framework().RunReservePluginsUnreserve(state, pod, kNode);
    EXPECT_EQ(undone.size(), c.answers.size()) << c.name << ": all plugins";
    EXPECT_TRUE(std::is_sorted(undone.rbegin(), undone.rend())) << c.name << ": in reverse";
  }
}

// The status when so many plugins have asked to wait.
Status Waiting(size_t num_plugins) {
  std::vector<Symbol> reasons(num_plugins, Symbol("my own reason"));
  reasons.emplace_back("one or more plugins asked to wait and no plugin rejected pod");
  return Status::WithReasons(Code::kWait, std::move(reasons));
}

TEST(RunPermitPlugins, WaitsUnlessAPluginRefuses) {
  struct Permission {
    Status status;
    int64_t timeout_us = 0;
  };
  const Status wait = Status::WithReasons(Code::kWait, {Symbol("my own reason")});
  const Status one_waits = Waiting(1);
  const Status two_wait = Waiting(2);
  struct {
    std::string_view name;
    std::vector<Permission> answers;
    Status want;
    std::string_view want_asked;
    std::string_view want_waits;
  } cases[] = {
      {"no plugin", {}, {}, "", ""},
      {"all permit", {{{}}, {{}}}, {}, "AB", ""},
      {"one waits", {{{}}, {wait, 10 * kSecondUs}, {{}}}, one_waits, "ABC", "B:10000000 "},
      {"two wait",
       {{wait, 20 * kSecondUs}, {wait, 10 * kSecondUs}},
       two_wait,
       "AB",
       "A:20000000 B:10000000 "},
      {"a quarter of an hour at most",
       {{wait, 900 * kSecondUs}, {wait, 900 * kSecondUs + 1}},
       two_wait,
       "AB",
       "A:900000000 B:900000000 "},
      {"no patience", {{wait, 0}}, one_waits, "A", "A:0 "},
      {"a refusal ends it",
       {{{}}, {Status::Unschedulable("no")}, {wait, 1}},
       Status::Unschedulable("no").WithPlugin(kB),
       "AB",
       ""},
      {"a refusal after a wait",
       {{wait, 1}, {Status::Unschedulable("no")}},
       Status::Unschedulable("no").WithPlugin(kB),
       "AB",
       "A:1 "},
      {"an Error is wrapped",
       {{wait, 1}, {Status::Error("boom")}},
       Status::Error("running Permit plugin \"B\": boom"),
       "AB",
       "A:1 "},
  };
  for (const auto& c : cases) {
    std::string asked;
    FakeProfile profile;
    for (size_t index = 0; index < c.answers.size(); ++index) {
      FakeBehavior behavior;
      behavior.name = NameAt(index);
      behavior.permit = [&asked, &c, index](int64_t* timeout_us) {
        asked += NameAt(index);
        *timeout_us = c.answers[index].timeout_us;
        return c.answers[index].status;
      };
      profile.Add(behavior);
    }
    CycleState state;
    std::vector<PermitWait> waits;
    Status status = profile.framework().RunPermitPlugins(state, MakePod().Name("p"), kNode, &waits);
    EXPECT_EQ(status, c.want) << c.name << ": " << status.Message();
    EXPECT_EQ(asked, c.want_asked) << c.name;
    std::string waited;
    for (const PermitWait& one : waits) {
      waited += one.plugin.str() + ":" + std::to_string(one.timeout_us) + " ";
    }
    EXPECT_EQ(waited, c.want_waits) << c.name;
  }
}

// Adds plugins A, B, … with these answers to PreBindPreFlight; their PreBind records its name and
// succeeds.
void AddPreFlights(const std::vector<Status>& answers, std::string* asked, std::string* run,
                   FakeProfile* profile) {
  for (size_t index = 0; index < answers.size(); ++index) {
    FakeBehavior behavior;
    behavior.name = NameAt(index);
    Status answer = answers[index];
    behavior.pre_bind_pre_flight = [asked, index, answer] {
      *asked += NameAt(index);
      return answer;
    };
    behavior.pre_bind = [run, index]() -> Task<Status> {
      *run += NameAt(index);
      return []() -> Task<Status> { co_return Status::Success(); }();
    };
    profile->Add(behavior);
  }
}

TEST(RunPreBindPreFlights, RunsAllAndRecordsSkips) {
  auto unsupported = [](std::string_view code) {
    std::string message = "PreBindPreFlight B returned \"";
    message.append(code).append(
        "\", which is unsupported. It is supposed to return Success, Skip, or Error status");
    return Status::Error(message);
  };
  struct {
    std::string_view name;
    std::vector<Status> answers;
    Status want;
    std::string_view want_asked;
    std::string_view want_run;  // by PreBind
  } cases[] = {
      {"no plugin", {}, Status::Skip(), "", ""},
      {"all skip", {Status::Skip(), Status::Skip()}, Status::Skip(), "AB", ""},
      {"one has work", {Status::Skip(), {}, Status::Skip()}, {}, "ABC", "B"},
      {"all have work", {{}, {}}, {}, "AB", "AB"},
      {"an Error ends it",
       {Status::Skip(), Status::Error("boom"), {}},
       Status::Error("running PreBindPreFlight \"B\": boom"),
       "AB",
       "BC"},
      {"a refusal is unsupported",
       {{}, Status::Unschedulable("no"), {}},
       unsupported("Unschedulable"),
       "AB",
       "ABC"},
      {"so is Wait", {{}, Status::WithReasons(Code::kWait, {})}, unsupported("Wait"), "AB", "AB"},
  };
  for (const auto& c : cases) {
    std::string asked;
    std::string run;
    FakeProfile profile;
    AddPreFlights(c.answers, &asked, &run, &profile);
    CycleState state;
    Pod pod = MakePod().Name("p");
    Status status = profile.framework().RunPreBindPreFlights(state, pod, kNode);
    EXPECT_EQ(status, c.want) << c.name << ": " << status.Message();
    EXPECT_EQ(asked, c.want_asked) << c.name;
    EXPECT_TRUE(RunToEnd(profile.framework().RunPreBindPlugins(state, pod, kNode)).IsSuccess());
    EXPECT_EQ(run, c.want_run) << c.name;
  }
}

TEST(RunPreBindPlugins, StopsAtTheFirstFailure) {
  const AnswersCase cases[] = {
      {"no plugin", {}, {}, ""},
      {"all succeed", {{}, {}}, {}, "AB"},
      {"a refusal keeps its words",
       {{}, Status::Unschedulable("no"), {}},
       Status::Unschedulable("no").WithPlugin(kB),
       "AB"},
      {"an Error is wrapped",
       {{}, Status::Error("boom"), {}},
       Status::Error("running PreBind plugin \"B\": boom"),
       "AB"},
  };
  for (const AnswersCase& c : cases) {
    std::string asked;
    FakeProfile profile;
    for (size_t index = 0; index < c.answers.size(); ++index) {
      FakeBehavior behavior;
      behavior.name = NameAt(index);
      Status answer = c.answers[index];
      behavior.pre_bind = [&asked, answer, index] {
        asked += NameAt(index);
        return [](Status given) -> Task<Status> { co_return given; }(answer);
      };
      profile.Add(behavior);
    }
    CycleState state;
    Pod pod = MakePod().Name("p");
    EXPECT_EQ(RunToEnd(profile.framework().RunPreBindPlugins(state, pod, kNode)), c.want) << c.name;
    EXPECT_EQ(asked, c.want_asked) << c.name;
  }
}

Task<Status> WaitASecond(Loop& loop, std::string* log) {
  *log += "begun ";
  co_await loop.Sleep(kSecondUs);
  *log += "done ";
  co_return Status::Success();
}

TEST(RunPreBindPlugins, RunsOnePluginAfterTheOther) {
  FakeProfile profile;
  std::string log;
  for (std::string_view name : {"A", "B"}) {
    FakeBehavior behavior;
    behavior.name = name;
    behavior.pre_bind = [&profile, &log] { return WaitASecond(profile.loop(), &log); };
    profile.Add(behavior);
  }
  CycleState state;
  Pod pod = MakePod().Name("p");
  profile.loop().set_now(Instant{0, 0});
  Task<Status> task = profile.framework().RunPreBindPlugins(state, pod, kNode);
  task.Start();
  EXPECT_EQ(log, "begun ");
  profile.loop().set_now(Instant{1, 0});
  profile.loop().Resume();
  EXPECT_EQ(log, "begun done begun ");
  EXPECT_FALSE(task.IsDone());
  profile.loop().set_now(Instant{2, 0});
  profile.loop().Resume();
  EXPECT_EQ(log, "begun done begun done ");
  ASSERT_TRUE(task.IsDone());
  EXPECT_TRUE(task.Take().IsSuccess());
}

TEST(RunBindPlugins, StopsAtTheFirstPluginThatDoesNotSkip) {
  struct {
    std::string_view name;
    std::vector<Status> answers;  // of A, B, C
    Status want;
    std::string_view want_asked;
  } cases[] = {
      {"no plugin", {}, Status::Skip(), ""},
      {"all skip", {Status::Skip(), Status::Skip()}, Status::Skip(), "AB"},
      {"the first", {{}, Status::Error("boom")}, {}, "A"},
      {"the second", {Status::Skip(), {}}, {}, "AB"},
      {"an Error is wrapped and ends it",
       {Status::Skip(), Status::Error("boom"), {}},
       Status::Error("running Bind plugin \"B\": boom"),
       "AB"},
      {"a refusal keeps its words",
       {Status::Skip(), Status::Unschedulable("no"), {}},
       Status::Unschedulable("no").WithPlugin(kB),
       "AB"},
  };
  for (const auto& c : cases) {
    std::string asked;
    FakeProfile profile;
    for (size_t index = 0; index < c.answers.size(); ++index) {
      std::string name = NameAt(index);
      Status status = c.answers[index];
      profile.Add({.name = name, .bind = [name, status, &asked] {
                     asked += name;
                     return status;
                   }});
    }
    CycleState state;
    Pod pod = MakePod().Name("p");
    Status status = RunToEnd(profile.framework().RunBindPlugins(state, pod, kNode));
    EXPECT_EQ(status, c.want) << c.name << ": " << status.Message();
    EXPECT_EQ(asked, c.want_asked) << c.name;
  }
}

TEST(RunPostBindPlugins, RunsAllPlugins) {
  std::string told;
  FakeProfile profile;
  for (std::string_view name : {"A", "B"}) {
    FakeBehavior behavior;
    behavior.name = name;
    behavior.post_bind = [&told, name](const Pod& pod, const Symbol& node) {
      told += std::string(name) + ":" + pod.metadata.name.str() + "@" + node.str() + " ";
    };
    profile.Add(behavior);
  }
  CycleState state;
  Pod pod = MakePod().Name("p");
  RunToEnd(profile.framework().RunPostBindPlugins(state, pod, kNode));
  EXPECT_EQ(told, "A:p@n0 B:p@n0 ");
}

}  // namespace
}  // namespace stowage
