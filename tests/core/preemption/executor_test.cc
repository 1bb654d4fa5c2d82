// Goal: victims are evicted like upstream: in its order, with its parallelism, and with its
// handling of errors (spec 06 §8). Method: writes leave as calls, which the test answers one by
// one.
#include "core/preemption/executor.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/fake_handle.h"
#include "tests/support/make_pod.h"
#include "tests/support/run_to_end.h"

namespace stowage {
namespace {

// Writes that wait for an answer.
class SlowApiClient final : public ApiClient {
 public:
  Task<ApiResponse> Bind(Calls& calls, const Pod& pod, const Symbol&) override {
    return Write(calls, "bind", pod);
  }
  Task<ApiResponse> PatchPodStatus(Calls& calls, const Pod& pod,
                                   const PodStatusPatch& patch) override {
    patches.push_back(patch);
    return Write(calls, "patch", pod);
  }
  Task<ApiResponse> PatchPodGroupStatus(Calls& calls, const PodGroup&,
                                        const PodCondition&) override {
    return Write(calls, "patch group", Pod());
  }
  Task<ApiResponse> DeletePod(Calls& calls, const Pod& pod) override {
    return Write(calls, "delete", pod);
  }
  Task<ApiResponse> Send(Calls& calls, const ApiRequest&) override {
    return Write(calls, "send", Pod());
  }
  void RecordEvent(const Pod& pod, const Symbol&, PodEvent event) override {
    events.push_back(pod.metadata.name.str() + ": " + event.note);
  }

  std::vector<PodStatusPatch> patches;
  std::vector<std::string> events;

 private:
  static Task<ApiResponse> Write(Calls& calls, std::string verb, const Pod& pod) {
    Call call;
    call.verb = std::move(verb);
    call.pod = pod.metadata.name.str();
    Completion answer = co_await calls.Answer(calls.Send(std::move(call)));
    co_return ApiResponse{answer.status, {}, std::move(answer.message), {}};
  }
};

class SlowHandle final : public FakeHandle {
 public:
  Background* background() const override { return &background_; }
  int32_t parallelism() const override { return parallelism_; }

  mutable SlowApiClient api;
  int32_t parallelism_ = 16;

 private:
  mutable Background background_{FakeHandle::background()->calls,
                                 FakeHandle::background()->spawner,
                                 api,
                                 FakeHandle::background()->waiting_pods,
                                 FakeHandle::background()->pods_in_pre_bind,
                                 FakeHandle::background()->activator};
};

class ExecutorTest : public testing::Test {
 protected:
  PreparedCandidate Candidate(const std::vector<Pod>& victims,
                              const std::vector<Pod>& nominees = {}) {
    PreparedCandidate candidate;
    candidate.preemptors = {MakePod().Name("p").Priority(9).Ref()};
    candidate.victims.node = Symbol("n");
    for (const Pod& victim : victims) {
      handle_.fake_listers().Add(victim);
      candidate.victims.pods.push_back(Info(victim));
    }
    for (const Pod& nominee : nominees) candidate.cleared_nominations.push_back(Info(nominee));
    return candidate;
  }
  PodInfoRef Info(const Pod& pod) {
    return MakePodInfo(std::make_shared<const Pod>(pod), handle_.features());
  }
  static Pod Victim(std::string_view name) { return MakePod().Name(name).Node("n"); }
  bool IsWaiting() const { return executor_.IsRunningPreemption(Symbol("p")); }

  // The calls sent since the last call: "verb pod ".
  std::string Sent() {
    std::string text;
    for (const Call& call : handle_.outbox().Take()) {
      text += call.verb + " " + call.pod + " ";
      sent_.emplace_back(call.pod, call.id);
    }
    return text;
  }
  // Answers the pod's last call.
  void Answer(std::string_view pod, int32_t status = 200, std::string_view message = "") {
    uint64_t id = 0;
    for (const auto& [name, one] : sent_) {
      if (name == pod) id = one;
    }
    EXPECT_TRUE(handle_.loop().Complete(id, {CallFault::kNone, std::string(message), status, ""}));
    handle_.loop().Resume();
  }
  // Answers both writes of an eviction.
  void Evict(std::string_view pod) {
    Answer(pod);
    EXPECT_EQ(Sent(), "delete " + std::string(pod) + " ");
    Answer(pod);
  }
  const std::vector<std::string>& activated() { return handle_.fake_background().activated; }

  SlowHandle handle_;
  Behaviour behaviour_;
  Executor executor_{handle_, "DefaultPreemption", behaviour_};

 private:
  std::vector<std::pair<std::string, uint64_t>> sent_;
};

TEST_F(ExecutorTest, WritesTheDisruptionCondition) {
  PreparedCandidate candidate = Candidate({MakePod().Name("v").Node("n").Generation(7)});
  Task<Status> task = executor_.PrepareCandidate(candidate);
  task.Start();
  EXPECT_EQ(Sent(), "patch v ");
  ASSERT_EQ(handle_.api.patches.size(), 1u);
  const PodCondition& condition = *handle_.api.patches[0].condition;
  EXPECT_EQ(condition.type, "DisruptionTarget");
  EXPECT_EQ(condition.status, "True");
  EXPECT_EQ(condition.reason, "PreemptionByScheduler");
  EXPECT_EQ(condition.message,
            "default-scheduler: preempting to accommodate a higher priority pod");
  EXPECT_EQ(condition.observed_generation, 7);
  EXPECT_EQ(condition.last_transition_time, handle_.now());
  Evict("v");
  ASSERT_TRUE(task.IsDone());
  EXPECT_TRUE(task.Take().IsSuccess());
  EXPECT_EQ(handle_.api.events, std::vector<std::string>{"v: Preempted by pod p on node n"});
}

TEST_F(ExecutorTest, SyncEvictsAllVictimsAtOnceThenClearsNominations) {
  PreparedCandidate candidate =
      Candidate({Victim("v"), Victim("w")}, {MakePod().Name("low").NominatedNodeName("n")});
  Task<Status> task = executor_.PrepareCandidate(candidate);
  task.Start();
  EXPECT_EQ(Sent(), "patch v patch w ");
  Evict("w");
  Evict("v");
  EXPECT_EQ(Sent(), "patch low ");
  EXPECT_EQ(handle_.api.patches.back().nominated_node_name, Symbol());
  Answer("low", 500, "no matter");
  ASSERT_TRUE(task.IsDone());
  EXPECT_TRUE(task.Take().IsSuccess());
  EXPECT_FALSE(IsWaiting());
}

TEST_F(ExecutorTest, SyncStopsWithAnErrorAtAFailure) {
  PreparedCandidate candidate =
      Candidate({Victim("v"), Victim("w")}, {MakePod().Name("low").NominatedNodeName("n")});
  Task<Status> task = executor_.PrepareCandidate(candidate);
  task.Start();
  Sent();
  Answer("w", 500, "patch refused");
  EXPECT_FALSE(task.IsDone()) << "the other one is under way";
  Evict("v");
  ASSERT_TRUE(task.IsDone());
  EXPECT_EQ(task.Take(), Status::Error("patch refused"));
  EXPECT_EQ(Sent(), "");
}

TEST_F(ExecutorTest, CountsAMissingVictimAsEvicted) {
  for (bool is_gone_first : {true, false}) {
    PreparedCandidate candidate = Candidate({Victim("v")});
    Task<Status> task = executor_.PrepareCandidate(candidate);
    task.Start();
    Sent();
    if (!is_gone_first) {
      Answer("v");
      Sent();
    }
    Answer("v", 404, "not found");
    ASSERT_TRUE(task.IsDone());
    EXPECT_TRUE(task.Take().IsSuccess());
    EXPECT_TRUE(handle_.api.events.empty());
  }
}

TEST_F(ExecutorTest, LimitsEvictionsByParallelism) {
  handle_.parallelism_ = 2;
  PreparedCandidate candidate = Candidate({Victim("v"), Victim("w"), Victim("x"), Victim("y")});
  Task<Status> task = executor_.PrepareCandidate(candidate);
  task.Start();
  EXPECT_EQ(Sent(), "patch v patch w ");
  Answer("w");
  EXPECT_EQ(Sent(), "delete w ");
  Answer("w");
  EXPECT_EQ(Sent(), "patch x ");
  Answer("v", 500, "refused");
  EXPECT_EQ(Sent(), "") << "after an error no other eviction begins";
  Evict("x");
  ASSERT_TRUE(task.IsDone());
  EXPECT_EQ(task.Take(), Status::Error("refused"));
}

TEST_F(ExecutorTest, AsyncClearsNominationsFirstAndEvictsOneVictimLast) {
  executor_.PrepareCandidateAsync(Candidate({Victim("v"), Victim("w"), Victim("x")},
                                            {MakePod().Name("low").NominatedNodeName("n")}));
  EXPECT_TRUE(IsWaiting()) << "from the beginning";
  EXPECT_FALSE(executor_.IsRunningPreemption(Symbol("other")));
  EXPECT_EQ(Sent(), "") << "not within the cycle";
  handle_.loop().StartSpawned();
  EXPECT_EQ(Sent(), "patch low ");
  Answer("low");
  EXPECT_EQ(Sent(), "patch v patch w ");
  Evict("v");
  EXPECT_EQ(Sent(), "");
  Evict("w");
  EXPECT_EQ(Sent(), "patch x ");
  EXPECT_TRUE(IsWaiting());
  Evict("x");
  EXPECT_FALSE(IsWaiting());
  EXPECT_FALSE(handle_.loop().IsBusy());
  EXPECT_TRUE(activated().empty()) << "the deletions wake the preemptor";
}

// Goal: the preemptor is released as soon as the last victim is known to terminate, even without an
// answer.
TEST_F(ExecutorTest, AsyncReleasesThePreemptorWhenTheLastVictimTerminates) {
  for (bool is_terminating : {true, false}) {
    executor_.PrepareCandidateAsync(Candidate({Victim("v"), Victim("w")}));
    handle_.loop().StartSpawned();
    EXPECT_EQ(Sent(), "patch v ");
    handle_.fake_listers().RemovePod(Symbol("default"), Symbol("w"));
    EXPECT_TRUE(IsWaiting()) << "w is not registered yet";
    handle_.fake_listers().Add(Victim("w"));
    Evict("v");
    EXPECT_EQ(Sent(), "patch w ");
    EXPECT_TRUE(IsWaiting());
    if (is_terminating) {
      handle_.fake_listers().Add(MakePod().Name("w").Node("n").Terminating().Obj());
    } else {
      handle_.fake_listers().RemovePod(Symbol("default"), Symbol("w"));
    }
    EXPECT_FALSE(IsWaiting());
    Evict("w");
  }
}

// Goal: until v1.34 the preemptor is released before the eviction of the last victim begins.
TEST_F(ExecutorTest, AsyncCanReleaseThePreemptorBeforeTheLastVictim) {
  behaviour_.waits_for_last_victim = false;
  executor_.PrepareCandidateAsync(Candidate({Victim("v"), Victim("w")}));
  handle_.loop().StartSpawned();
  EXPECT_EQ(Sent(), "patch v ");
  EXPECT_TRUE(IsWaiting());
  Evict("v");
  EXPECT_EQ(Sent(), "patch w ");
  EXPECT_FALSE(IsWaiting());
  Evict("w");
  EXPECT_TRUE(activated().empty());
}

TEST_F(ExecutorTest, AsyncActivatesThePreemptorAfterAFailure) {
  struct {
    std::string_view name;
    std::string_view failing;
    bool spares_last_victim;
    std::string_view want_sent_after;
  } cases[] = {{"one of the others", "v", true, ""},
               {"the last one", "w", true, ""},
               {"one of the others, until v1.35", "v", false, "patch w "}};
  for (const auto& c : cases) {
    behaviour_.failed_eviction_spares_last_victim = c.spares_last_victim;
    executor_.PrepareCandidateAsync(Candidate({Victim("v"), Victim("w")}));
    handle_.loop().StartSpawned();
    Sent();
    if (c.failing == "w") {
      Evict("v");
      EXPECT_EQ(Sent(), "patch w ") << c.name;
    }
    handle_.fake_background().activated.clear();
    Answer(c.failing, 500, "refused");
    EXPECT_EQ(Sent(), c.want_sent_after) << c.name;
    if (!c.want_sent_after.empty()) Evict("w");
    EXPECT_EQ(activated(), std::vector<std::string>{"p"}) << c.name;
    EXPECT_FALSE(IsWaiting()) << c.name;
  }
}

// Goal: evictions proceed although a nomination cannot be cleared.
TEST_F(ExecutorTest, AsyncActivatesThePreemptorIfANominationStays) {
  executor_.PrepareCandidateAsync(
      Candidate({Victim("v")}, {MakePod().Name("low").NominatedNodeName("n")}));
  handle_.loop().StartSpawned();
  Sent();
  Answer("low", 404, "not found");
  EXPECT_EQ(Sent(), "patch v ");
  EXPECT_TRUE(activated().empty());
  Evict("v");
  EXPECT_EQ(activated(), std::vector<std::string>{"p"});
}

TEST_F(ExecutorTest, SkipsTerminatingVictims) {
  Pod leaving = MakePod().Name("v").Node("n").Terminating();
  executor_.PrepareCandidateAsync(
      Candidate({leaving}, {MakePod().Name("low").NominatedNodeName("n")}));
  handle_.loop().StartSpawned();
  EXPECT_EQ(Sent(), "") << "nothing at all";
  EXPECT_FALSE(IsWaiting());
  PreparedCandidate candidate = Candidate({leaving, Victim("w")});
  Task<Status> task = executor_.PrepareCandidate(candidate);
  task.Start();
  EXPECT_EQ(Sent(), "patch w ");
}

// Goal: a victim that is not bound yet is rejected in memory, without a write.
TEST_F(ExecutorTest, RejectsVictimsInPermit) {
  WaitingPods& waiting = handle_.background()->waiting_pods;
  waiting.Add(WaitingPod(MakePod().Name("v").Node("n").Ref(), {{Symbol("W"), 1'000}}, {}));
  PreparedCandidate candidate = Candidate({Victim("v")});
  EXPECT_TRUE(RunToEnd(executor_.PrepareCandidate(candidate)).IsSuccess());
  EXPECT_EQ(Sent(), "");
  EXPECT_EQ(waiting.Get(Symbol("v"))->outcome(),
            Status::Error("preempted").WithPlugin(Symbol("DefaultPreemption")));
  EXPECT_EQ(handle_.api.events, std::vector<std::string>{
                                    "v: Preempted by pod p on node n (in kube-scheduler memory)."});
}

TEST_F(ExecutorTest, CancelsVictimsInPreBind) {
  PodsInPreBind& in_pre_bind = handle_.background()->pods_in_pre_bind;
  in_pre_bind.Add(Symbol("v"));
  PreparedCandidate candidate = Candidate({Victim("v")});
  EXPECT_TRUE(RunToEnd(executor_.PrepareCandidate(candidate)).IsSuccess());
  EXPECT_EQ(Sent(), "");
  EXPECT_EQ(in_pre_bind.Remove(Symbol("v")), "preempted by DefaultPreemption");
  EXPECT_EQ(handle_.api.events.size(), 1u);
}

// Goal: until v1.35 a victim in Permit is rejected as unschedulable, and one in PreBind is deleted.
TEST_F(ExecutorTest, CanRejectAndDeleteVictimsThatAreNotBound) {
  behaviour_.binding_victims_return = false;
  WaitingPods& waiting = handle_.background()->waiting_pods;
  waiting.Add(WaitingPod(MakePod().Name("v").Node("n").Ref(), {{Symbol("W"), 1'000}}, {}));
  handle_.background()->pods_in_pre_bind.Add(Symbol("w"));
  PreparedCandidate candidate = Candidate({Victim("v"), Victim("w")});
  Task<Status> task = executor_.PrepareCandidate(candidate);
  task.Start();
  EXPECT_EQ(waiting.Get(Symbol("v"))->outcome(),
            Status::Unschedulable("preempted").WithPlugin(Symbol("DefaultPreemption")));
  EXPECT_EQ(Sent(), "patch w ");
  EXPECT_EQ(handle_.api.events, std::vector<std::string>{"v: Preempted by pod p on node n"});
  Evict("w");
  EXPECT_EQ(handle_.background()->pods_in_pre_bind.CauseOf(Symbol("w")), nullptr);
}

// Goal: a victim that has just been allowed cannot be rejected any more, and is evicted like a
// running pod.
TEST_F(ExecutorTest, EvictsAllowedVictims) {
  WaitingPods& waiting = handle_.background()->waiting_pods;
  waiting.Add(WaitingPod(MakePod().Name("v").Node("n").Ref(), {{Symbol("W"), 1'000}}, {}));
  waiting.Get(Symbol("v"))->Allow(Symbol("W"));
  PreparedCandidate candidate = Candidate({Victim("v")});
  Task<Status> task = executor_.PrepareCandidate(candidate);
  task.Start();
  EXPECT_EQ(Sent(), "patch v ");
}

}  // namespace
}  // namespace stowage
