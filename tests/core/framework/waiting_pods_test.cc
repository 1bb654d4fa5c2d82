#include "core/framework/waiting_pods.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/loop/task.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr int64_t kSecondUs = 1'000'000;
constexpr Instant kNow{1000, 0};

const Symbol kA("A");
const Symbol kB("B");

WaitingPod Waiting(std::string_view name, std::vector<PermitWait> waits) {
  return WaitingPod(MakePod().Name(name).Ref(), waits, kNow);
}

WaitingPod WaitingForBoth() { return Waiting("p", {{kA, 20 * kSecondUs}, {kB, 10 * kSecondUs}}); }

TEST(WaitingPod, IsAllowedByAllPlugins) {
  WaitingPod pod = WaitingForBoth();
  ASSERT_EQ(pod.pending().size(), 2u);
  EXPECT_EQ(pod.pending()[0].plugin, kA);
  EXPECT_EQ(pod.pending()[0].deadline, (Instant{1020, 0}));
  EXPECT_EQ(pod.NextDeadline(), (Instant{1010, 0}));
  pod.Allow(Symbol("Other"));
  EXPECT_EQ(pod.pending().size(), 2u);
  pod.Allow(kB);
  EXPECT_FALSE(pod.outcome().has_value());
  EXPECT_EQ(pod.NextDeadline(), (Instant{1020, 0})) << "B waits no longer";
  pod.Allow(kA);
  EXPECT_EQ(pod.outcome(), Status::Success());
  EXPECT_EQ(pod.NextDeadline(), std::nullopt);
}

TEST(WaitingPod, KeepsTheFirstOutcome) {
  WaitingPod rejected = WaitingForBoth();
  EXPECT_TRUE(rejected.Reject(kA, "no"));
  EXPECT_FALSE(rejected.Reject(kB, "later"));
  EXPECT_FALSE(rejected.Preempt(kB, "later"));
  rejected.Allow(kA);
  rejected.Allow(kB);
  rejected.Expire({9999, 0});
  EXPECT_EQ(rejected.outcome(), Status::Unschedulable("no").WithPlugin(kA));
  EXPECT_EQ(rejected.NextDeadline(), std::nullopt);

  WaitingPod preempted = WaitingForBoth();
  EXPECT_TRUE(preempted.Preempt(kB, "preempted"));
  EXPECT_FALSE(preempted.Reject(kA, "later"));
  EXPECT_EQ(preempted.outcome(), Status::Error("preempted").WithPlugin(kB));

  WaitingPod allowed = Waiting("p", {{kA, kSecondUs}});
  allowed.Allow(kA);
  EXPECT_FALSE(allowed.Reject(kA, "later"));
  EXPECT_EQ(allowed.outcome(), Status::Success());
}

TEST(WaitingPod, IsRejectedAtTheFirstTimeout) {
  auto timeout = [](std::string_view text, const Symbol& plugin) {
    std::string message = "rejected due to timeout after waiting ";
    message.append(text).append(" at plugin ").append(plugin.view());
    return Status::Unschedulable(message).WithPlugin(plugin);
  };
  struct {
    std::string_view name;
    std::vector<PermitWait> waits;
    Instant now;
    std::optional<Status> want;
  } cases[] = {
      {"just before", {{kA, 10 * kSecondUs}}, {1009, 999'999'000}, std::nullopt},
      {"on time", {{kA, 10 * kSecondUs}}, {1010, 0}, timeout("10s", kA)},
      {"the earlier one",
       {{kA, 90 * kSecondUs}, {kB, 60 * kSecondUs}},
       {2000, 0},
       timeout("1m0s", kB)},
      {"the first of two at once",
       {{kB, 900 * kSecondUs}, {kA, 900 * kSecondUs}},
       {1900, 0},
       timeout("15m0s", kB)},
      {"no patience", {{kA, 0}}, kNow, timeout("0s", kA)},
      {"half a second", {{kA, kSecondUs / 2}}, {1001, 0}, timeout("500ms", kA)},
  };
  for (const auto& c : cases) {
    WaitingPod pod = Waiting("p", c.waits);
    pod.Expire(c.now);
    EXPECT_EQ(pod.outcome(), c.want) << c.name;
  }
}

Task<void> Wait(WaitingPods& pods, std::string uid, std::string* log) {
  Status outcome = co_await pods.WaitOn(Symbol(uid));
  *log += uid + ":" + std::string(CodeName(outcome.code())) + " ";
}

TEST(WaitingPods, ResumesSettledPodsInOrderOfUid) {
  WaitingPods pods;
  std::string log;
  for (std::string_view name : {"c", "a", "b"}) pods.Add(Waiting(name, {{kA, 10 * kSecondUs}}));
  Task<void> c = Wait(pods, "c", &log);
  Task<void> a = Wait(pods, "a", &log);
  Task<void> b = Wait(pods, "b", &log);
  c.Start();
  a.Start();
  b.Start();
  EXPECT_EQ(pods.NextDeadline(), (Instant{1010, 0}));
  pods.Get(Symbol("c"))->Allow(kA);
  pods.Get(Symbol("a"))->Reject(kA, "no");
  EXPECT_EQ(log, "") << "not before Resume";
  EXPECT_TRUE(pods.HasSettled());
  pods.Resume();
  EXPECT_FALSE(pods.HasSettled());
  EXPECT_EQ(log, "a:Unschedulable c:Success ");
  EXPECT_EQ(pods.Get(Symbol("a")), nullptr) << "taken out";
  ASSERT_EQ(pods.pods().size(), 1u);
  pods.Expire({1010, 0});
  EXPECT_TRUE(pods.HasSettled());
  EXPECT_EQ(pods.NextDeadline(), std::nullopt);
  pods.Resume();
  EXPECT_EQ(log, "a:Unschedulable c:Success b:Unschedulable ");
  EXPECT_TRUE(pods.pods().empty());
}

TEST(WaitingPods, DoesNotWaitForASettledPod) {
  WaitingPods pods;
  std::string log;
  pods.Add(Waiting("p", {{kA, kSecondUs}}));
  pods.Get(Symbol("p"))->Reject(kA, "no");
  EXPECT_FALSE(pods.HasSettled()) << "no pod waits";
  pods.Resume();
  EXPECT_NE(pods.Get(Symbol("p")), nullptr) << "it is still there";
  Task<void> task = Wait(pods, "p", &log);
  task.Start();
  EXPECT_TRUE(task.IsDone());
  EXPECT_EQ(log, "p:Unschedulable ");
  EXPECT_TRUE(pods.pods().empty());
}

TEST(WaitingPods, ReportsTheEarliestDeadline) {
  WaitingPods pods;
  EXPECT_EQ(pods.NextDeadline(), std::nullopt);
  pods.Add(Waiting("a", {{kA, 30 * kSecondUs}}));
  pods.Add(Waiting("b", {{kA, 20 * kSecondUs}}));
  pods.Add(Waiting("c", {{kA, 10 * kSecondUs}}));
  pods.Get(Symbol("c"))->Allow(kA);
  EXPECT_EQ(pods.NextDeadline(), (Instant{1020, 0}));
}

TEST(PodsInPreBind, KeepsTheFirstCause) {
  PodsInPreBind pods;
  const Symbol uid("p");
  EXPECT_FALSE(pods.Cancel(uid, "too early"));
  pods.Add(uid);
  EXPECT_TRUE(pods.Cancel(uid, "first"));
  EXPECT_TRUE(pods.Cancel(uid, "second"));
  EXPECT_EQ(pods.Remove(uid), "first");
  EXPECT_FALSE(pods.Cancel(uid, "too late"));
  pods.Add(uid);
  EXPECT_EQ(pods.Remove(uid), std::nullopt) << "begun anew";
  EXPECT_EQ(pods.Remove(uid), std::nullopt) << "not in PreBind";
}

}  // namespace
}  // namespace stowage
