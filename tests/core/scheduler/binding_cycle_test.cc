// Goal: a binding cycle runs Permit, PreBind and Bind like upstream, and undoes the placement if
// one of them fails (spec 05 §8, §9). Method: an engine with plugins whose answers the test sets.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/loop/loop.h"
#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kHost = R"({"api":"host"})";

// Makes every pod wait for five seconds.
FakeBehavior Holding(std::string_view name) {
  FakeBehavior plugin;
  plugin.name = name;
  plugin.permit = [](int64_t* timeout_us) {
    *timeout_us = 5'000'000;
    return Status::WithReasons(Code::kWait, {});
  };
  return plugin;
}

std::string Allow(std::string_view plugin) {
  return R"({"type":"ALLOW_WAITING_POD","uid":"uid-p","plugin":")" + std::string(plugin) + "\"}";
}

// Node "a" with room for 4, and the pod "p".
std::vector<std::string> OnePod() { return {NodeText{"a"}, PodText{"p"}}; }

int64_t MilliCpuOn(Engine& engine, std::string_view node) {
  return engine.Inspect(R"({"node":")" + std::string(node) + "\"}")["requested"]["milliCPU"]
      .number();
}

TEST(BindingCycle, BindsAtOnceInTheSimulation) {
  Engine engine(R"({"events":true})");
  engine.Add(OnePod());
  std::vector<JsonTree> records = engine.RunAll();
  ASSERT_EQ(records.size(), 4u) << engine.log();
  EXPECT_EQ(records[0]["kind"].text(), "Decision");
  EXPECT_EQ(records[1]["kind"].text(), "Event");
  EXPECT_EQ(records[1]["reason"].text(), "Scheduled");
  EXPECT_EQ(records[1]["note"].text(), "Successfully assigned default/p to a");
  const JsonTree& binding = records[2];
  EXPECT_EQ(binding["kind"].text(), "BindingResult");
  EXPECT_EQ(binding["decision"].number(), records[0]["seq"].number());
  EXPECT_EQ(binding["pod"].text(), "default/p");
  EXPECT_EQ(binding["uid"].text(), "uid-p");
  EXPECT_EQ(binding["result"].text(), "bound");
  EXPECT_EQ(binding["node"].text(), "a");
  EXPECT_FALSE(binding["phase"].exists());
}

TEST(BindingCycle, SendsTheBindingToTheHost) {
  Engine engine(kHost);
  engine.Add(OnePod());
  std::vector<JsonTree> records = engine.RunAll();
  EXPECT_EQ(records.back()["busy"].text(), "true");
  JsonTree bind = engine.CallFor("bind");
  EXPECT_EQ(bind["path"].text(), "/api/v1/namespaces/default/pods/p/binding");
  engine.Add({Completed(bind, 201)});
  std::vector<JsonTree> bindings = engine.RunFor("BindingResult");
  ASSERT_EQ(bindings.size(), 1u);
  EXPECT_EQ(bindings[0]["result"].text(), "bound");
  EXPECT_EQ(engine.Inspect("{}")["assumed"].Words(), "default/p ") << "until a watch says it";
  engine.Add({PodText{.name = "p", .node = "a"}});
  EXPECT_EQ(engine.Inspect("{}")["assumed"].size(), 0u);
}

TEST(BindingCycle, FreesTheResourcesOfARefusedBinding) {
  Engine engine(kHost);
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "3"}, PodText{.name = "q", .cpu = "3"}});
  EXPECT_EQ(engine.Decide(), "p@a q:unschedulable ");
  JsonTree bind = engine.CallFor("bind");
  engine.Add({Completed(bind, 409,
                        R"({"kind":"Status","apiVersion":"v1","status":"Failure",)"
                        R"("reason":"Conflict","code":409,"message":"no"})")});
  std::vector<JsonTree> records = engine.RunAll();
  const JsonTree& binding = records[0];
  EXPECT_EQ(binding["result"].text(), "bindFailed");
  EXPECT_EQ(binding["phase"].text(), "Bind");
  EXPECT_FALSE(binding["plugin"].exists()) << "no plugin rejects by an error";
  EXPECT_EQ(binding["code"].text(), "Error");
  EXPECT_EQ(binding["message"].text(), "running Bind plugin \"DefaultBinder\": no");
  EXPECT_EQ(records[1]["pod"].text(), "default/q") << "q hears of the room at once";
  EXPECT_EQ(records[1]["node"].text(), "a");
  JsonTree backoff = engine.Inspect("{}")["queues"]["backoff"][0];
  EXPECT_EQ(backoff["pod"].text(), "default/p");
  EXPECT_EQ(backoff["error"].text(), "true");
  EXPECT_EQ(MilliCpuOn(engine, "a"), 3000);
}

TEST(BindingCycle, WaitsForEveryPermitPlugin) {
  Engine engine({Holding("V"), Holding("W")}, "");
  engine.Add(OnePod());
  EXPECT_TRUE(engine.RunFor("BindingResult").empty());
  JsonTree waiting = engine.Inspect(R"({"waiting":true})")["waiting"];
  ASSERT_EQ(waiting.size(), 1u);
  EXPECT_EQ(waiting[0]["pod"].text(), "default/p");
  EXPECT_EQ(waiting[0]["uid"].text(), "uid-p");
  EXPECT_EQ(waiting[0]["node"].text(), "a");
  ASSERT_EQ(waiting[0]["plugins"].size(), 2u);
  EXPECT_EQ(waiting[0]["plugins"][0]["plugin"].text(), "V");
  EXPECT_EQ(waiting[0]["plugins"][0]["deadline"].text(), "1970-01-12T13:46:45.000000Z");
  EXPECT_EQ(engine.Inspect("{}")["inFlight"].Words(), "default/p ");
  EXPECT_EQ(MilliCpuOn(engine, "a"), 1000) << "it has its room";
  engine.Add({Allow("W")});
  EXPECT_TRUE(engine.RunFor("BindingResult").empty());
  engine.Add({Allow("V")});
  std::vector<JsonTree> bindings = engine.RunFor("BindingResult");
  ASSERT_EQ(bindings.size(), 1u);
  EXPECT_EQ(bindings[0]["result"].text(), "bound");
  EXPECT_EQ(engine.Apply({Allow("V")})["ignored"].number(), 1) << "no pod waits";
}

// Goal: for every failed wait, the record names the reason and the pod's resources are freed.
TEST(BindingCycle, ReportsAFailedWait) {
  struct {
    std::string_view name;
    std::string line;
    int64_t sleep_us;
    std::string_view want_plugin;
    std::string_view want_message;
    bool is_pending;  // the pod is queued again
  } cases[] = {
      {"rejected",
       R"({"type":"REJECT_WAITING_POD","uid":"uid-p","plugin":"W","message":"not today"})", 0, "W",
       "not today", true},
      {"overdue", "", 5'000'000, "W", "rejected due to timeout after waiting 5s at plugin W", true},
      {"deleted", Event("DELETED", PodText{"p"}), 0, "", "removed", false},
      {"leaving", PodText{.name = "p", .metadata = R"("deletionTimestamp":"2026-01-01T00:00:00Z")"},
       0, "", "removed", true},
  };
  for (const auto& c : cases) {
    Engine engine({Holding("W")}, "");
    engine.Add(OnePod());
    EXPECT_EQ(engine.Run().back()["nextDeadline"].text(), "1000005000000") << c.name;
    if (!c.line.empty()) engine.Add({c.line});
    engine.Sleep(c.sleep_us);
    std::vector<JsonTree> records = engine.RunAll(0);
    const JsonTree& binding = records[0];
    EXPECT_EQ(binding["result"].text(), "bindFailed") << c.name;
    EXPECT_EQ(binding["phase"].text(), "Permit") << c.name;
    EXPECT_EQ(binding["plugin"].text(), c.want_plugin) << c.name;
    EXPECT_EQ(binding["code"].text(), "Unschedulable") << c.name;
    EXPECT_EQ(binding["message"].text(), c.want_message) << c.name;
    EXPECT_EQ(MilliCpuOn(engine, "a"), 0) << c.name;
    JsonTree state = engine.Inspect("{}");
    EXPECT_EQ(state["inFlight"].size(), 0u) << c.name;
    EXPECT_EQ(state["waiting"].size(), 0u) << c.name;
    EXPECT_EQ(state["queues"]["unschedulable"].size() + state["queues"]["backoff"].size(),
              c.is_pending ? 1u : 0u)
        << c.name;
  }
}

TEST(BindingCycle, RejectsAWaitingPodAtItsTimeout) {
  FakeBehavior plugin = Holding("W");
  plugin.permit = [](int64_t* timeout_us) {
    *timeout_us = 1500;
    return Status::WithReasons(Code::kWait, {});
  };
  Engine engine({plugin}, "");
  engine.Add(OnePod());
  engine.Run();
  engine.Sleep(1499);
  EXPECT_TRUE(engine.RunFor("BindingResult").empty());
  engine.Sleep(1);
  EXPECT_EQ(engine.RunFor("BindingResult").size(), 1u);
}

TEST(BindingCycle, FailsIfReserveOrPermitRefuses) {
  for (bool is_permit : {false, true}) {
    std::string undone;
    FakeBehavior first{.name = "First"};
    first.reserve = [](const Pod&, const Symbol&) { return Status::Success(); };
    first.unreserve = [&undone] { undone += "First "; };
    FakeBehavior second{.name = "Second"};
    second.reserve = [is_permit](const Pod&, const Symbol&) {
      return is_permit ? Status::Success() : Status::Unschedulable("full");
    };
    second.unreserve = [&undone] { undone += "Second "; };
    if (is_permit) {
      second.permit = [](int64_t*) { return Status::Unschedulable("full"); };
    }
    Engine engine({first, second}, "");
    engine.Add(OnePod());
    JsonTree decision = engine.Run(1)[0];
    EXPECT_EQ(decision["result"].text(), "unschedulable");
    EXPECT_TRUE(decision["node"].is_null());
    EXPECT_EQ(decision["message"].text(), "0/1 nodes are available: 1 full.");
    EXPECT_EQ(decision["unschedulablePlugins"].Words(), "Second ");
    EXPECT_EQ(decision["nominatingMode"].text(), "Override");
    EXPECT_EQ(undone, "Second First ") << "in reverse order";
    EXPECT_EQ(MilliCpuOn(engine, "a"), 0);
  }
}

// A plugin whose PreBind waits until the test answers.
struct SlowPreBind {
  FakeBehavior Plugin() {
    FakeBehavior plugin;
    plugin.name = "Slow";
    plugin.pre_bind = [this]() -> Task<Status> {
      call = loop.Send(Call());
      co_return StatusOf(co_await loop.Answer(call));
    };
    return plugin;
  }
  static Status StatusOf(const Completion& answer) {
    return answer.status == 200 ? Status::Success() : Status::Error("slow and failed");
  }
  void Answer(int32_t status) {
    EXPECT_TRUE(loop.Complete(call, {CallFault::kNone, "", status, ""}));
    loop.Resume();
  }

  Outbox outbox;
  Loop loop{outbox};
  uint64_t call = 0;
};

TEST(BindingCycle, RunsOtherCyclesDuringPreBind) {
  SlowPreBind slow;
  Engine engine({slow.Plugin()}, "");
  engine.Add({NodeText{"a"}, PodText{"p"}, PodText{.name = "q", .cpu = "4"}});
  std::vector<JsonTree> records = engine.RunAll();
  EXPECT_EQ(records[0]["node"].text(), "a");
  EXPECT_EQ(records[1]["pod"].text(), "default/q") << "the next cycle does not wait";
  EXPECT_EQ(records.back()["busy"].text(), "true");
  EXPECT_EQ(engine.Inspect("{}")["inFlight"].size(), 0u) << "it misses no events any more";
  EXPECT_EQ(engine.Inspect("{}")["assumed"].Words(), "default/p ");
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["nominatedNodeName"].text(), "");
  slow.Answer(200);
  EXPECT_EQ(engine.RunFor("BindingResult").at(0)["result"].text(), "bound");
  EXPECT_EQ(engine.Inspect("{}")["assumed"].size(), 0u);
}

TEST(BindingCycle, FailsIfPreBindFails) {
  SlowPreBind slow;
  Engine engine({slow.Plugin()}, "");
  engine.Add(OnePod());
  engine.Run();
  slow.Answer(500);
  JsonTree binding = engine.RunFor("BindingResult").at(0);
  EXPECT_EQ(binding["phase"].text(), "PreBind");
  EXPECT_EQ(binding["code"].text(), "Error");
  EXPECT_EQ(binding["message"].text(), "running PreBind plugin \"Slow\": slow and failed");
  EXPECT_EQ(engine.Inspect("{}")["queues"]["backoff"][0]["error"].text(), "true");
  EXPECT_EQ(MilliCpuOn(engine, "a"), 0);
}

// Goal: a victim in PreBind is not deleted; its binding is cancelled in memory.
TEST(BindingCycle, CancelsThePreBindOfAVictim) {
  SlowPreBind slow;
  Engine engine({slow.Plugin()}, R"("events":true)");
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "3"}});
  engine.Run();
  engine.Add({PodText{.name = "urgent", .cpu = "3", .priority = 9}});
  std::vector<JsonTree> events = engine.RunFor("Event");
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back()["reason"].text(), "Preempted");
  EXPECT_EQ(events.back()["note"].text(),
            "Preempted by pod uid-urgent on node a (in kube-scheduler memory).");
  EXPECT_EQ(events.back()["related"].text(), "default/urgent");
  uint64_t cancelled = slow.call;
  slow.Answer(200);
  std::vector<JsonTree> bindings = engine.RunFor("BindingResult");
  ASSERT_FALSE(bindings.empty());
  EXPECT_EQ(bindings[0]["pod"].text(), "default/p");
  EXPECT_EQ(bindings[0]["phase"].text(), "PreBind");
  EXPECT_EQ(bindings[0]["message"].text(), "preempted by DefaultPreemption");
  EXPECT_NE(slow.call, cancelled) << "the preemptor is in PreBind now";
  EXPECT_EQ(engine.Inspect(R"({"node":"a"})")["pods"].Words(), "default/urgent ");
}

TEST(BindingCycle, RunsPostBindLast) {
  std::string told;
  FakeBehavior plugin{.name = "Last"};
  plugin.post_bind = [&told](const Pod& pod, const Symbol& node) {
    told += pod.metadata.name.str() + "@" + node.str() + " ";
  };
  Engine engine({plugin}, R"("api":"host")");
  engine.Add(OnePod());
  engine.Run();
  EXPECT_EQ(told, "");
  engine.Add({Completed(engine.CallFor("bind"), 201)});
  engine.Run();
  EXPECT_EQ(told, "p@a ");
}

// Goal: with an expiry, a bound pod that no watch event confirms frees its resources.
TEST(BindingCycle, ExpiresUnconfirmedPods) {
  for (bool has_expiry : {false, true}) {
    Engine engine(has_expiry ? R"({"api":"host","assumedPodExpiry":2000})" : kHost);
    engine.Add(OnePod());
    engine.Run();
    engine.Sleep(1'000'000);
    engine.Add({Completed(engine.CallFor("bind"), 201)});
    engine.Run();
    engine.Sleep(1'999'999);
    EXPECT_TRUE(engine.RunFor("Inconsistency").empty()) << "counted from the binding";
    engine.Sleep(1);
    std::vector<JsonTree> records = engine.RunFor("Inconsistency");
    ASSERT_EQ(records.size(), has_expiry ? 1u : 0u);
    EXPECT_EQ(MilliCpuOn(engine, "a"), has_expiry ? 0 : 1000);
    if (!has_expiry) continue;
    EXPECT_EQ(records[0]["operation"].text(), "ExpirePod");
    EXPECT_EQ(records[0]["object"].text(), "default/p");
  }
}

TEST(BindingCycle, KeepsConfirmedPods) {
  Engine engine(R"({"api":"host","assumedPodExpiry":2000})");
  engine.Add(OnePod());
  engine.Run();
  engine.Add({Completed(engine.CallFor("bind"), 201)});
  engine.Run();
  engine.Add({PodText{.name = "p", .node = "a"}});
  engine.Sleep(9'000'000);
  EXPECT_TRUE(engine.RunFor("Inconsistency").empty());
  EXPECT_EQ(MilliCpuOn(engine, "a"), 1000);
}

// Goal: with a call timeout, a missing answer counts as a failure.
TEST(BindingCycle, TimesOutWithoutAnAnswer) {
  Engine engine(R"({"api":"host","apiCallTimeout":3000})");
  engine.Add(OnePod());
  EXPECT_EQ(engine.Run().back()["nextDeadline"].text(), "1000003000000");
  engine.Sleep(3'000'000);
  JsonTree binding = engine.RunFor("BindingResult").at(0);
  EXPECT_EQ(binding["result"].text(), "bindFailed");
  EXPECT_EQ(binding["phase"].text(), "Bind");
}

std::string WithBinder(std::string_view more) {
  return R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
         R"("extenders":[{"urlPrefix":"http://b","bindVerb":"bind","nodeCacheCapable":true)" +
         std::string(more) + "}]}";
}

TEST(BindingCycle, LetsAnExtenderBind) {
  struct {
    std::string_view name;
    std::string_view more;
    int status;
    std::string_view body;
    std::string_view want;  // "bound", "bindFailed", or "" if the API server is called next
  } cases[] = {
      {"it binds", "", 200, "{}", "bound"},
      {"it refuses", "", 200, R"({"Error":"no"})", "bindFailed"},
      {"it fails", "", 500, "", "bindFailed"},
      {"it fails and may", R"(,"ignorable":true)", 500, "", ""},
      {"it refuses and may", R"(,"ignorable":true)", 200, R"({"Error":"no"})", ""},
  };
  for (const auto& c : cases) {
    Engine engine(kHost, WithBinder(c.more));
    engine.Add(OnePod());
    engine.Run();
    JsonTree call = engine.CallFor("bind");
    EXPECT_EQ(call["url"].text(), "http://b/bind") << c.name;
    engine.Add({Completed(call, c.status, c.body)});
    std::vector<JsonTree> bindings = engine.RunFor("BindingResult");
    ASSERT_EQ(bindings.size(), c.want.empty() ? 0u : 1u) << c.name;
    if (!c.want.empty()) {
      EXPECT_EQ(bindings[0]["result"].text(), c.want) << c.name;
      continue;
    }
    EXPECT_EQ(engine.CallFor("bind")["path"].text(), "/api/v1/namespaces/default/pods/p/binding");
  }
}

}  // namespace
}  // namespace stowage
