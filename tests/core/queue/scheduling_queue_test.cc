// The order of pops, and where a returned or updated pod goes (spec 03 §3–§6).
#include "core/queue/scheduling_queue.h"

#include "core/base/rng.h"
#include "tests/core/queue/queue_fixture.h"

namespace stowage {
namespace {

using SchedulingQueueTest = QueueFixture;

const Symbol kA("A");
const Symbol kB("B");

TEST_F(SchedulingQueueTest, PopsByPriorityThenArrival) {
  Add("a", 1);
  Add("b", 2);
  Add("c", 2);
  Add("d", 1);
  Sleep(-5 * kSecondUs);
  Add("older", 1);
  EXPECT_EQ(Names(queue().ActivePods()), "b c older a d ");
  EXPECT_EQ(PopAll(), "b c older a d ");
  EXPECT_FALSE(queue().HasPodToPop());
}

// Goal: what is read ahead is the pod that the next Pop returns.
TEST_F(SchedulingQueueTest, ReadsTheNextPodAhead) {
  EXPECT_EQ(queue().ReadNextAhead(), nullptr);
  Add("a", 1);
  Add("b", 2);
  Add("c", 1);
  for (std::string_view name : {"b", "a", "c"}) {
    const Pod* next = queue().ReadNextAhead();
    ASSERT_NE(next, nullptr);
    EXPECT_EQ(next->metadata.name, name);
    EXPECT_EQ(Pop(), name);
  }
}

// Goal: all of a turn has one time; pods that enter a queue in a turn keep their order, whether new
// or back from an attempt.
TEST_F(SchedulingQueueTest, PopsEqualTimesByOrderOfEntry) {
  features_.scheduler_pop_from_backoff_q = false;
  SchedulingQueue::Options without_backoff;
  without_backoff.max_backoff_us = 0;
  Build(without_backoff);
  Listen("A", NodeAdd());
  Add("a");
  Add("b");
  EXPECT_EQ(Pop(), "a");
  Move(NodeAdd());
  Return("a", {kA});
  Add("c");
  EXPECT_EQ(PopAll(), "b a c ");
}

TEST_F(SchedulingQueueTest, KeepsGatedPodsInThePool) {
  gates_["p"] = {"G"};
  Add(MakePod().Name("p").NominatedNodeName("n"));
  EXPECT_EQ(WhereIs("p"), "unschedulable");
  EXPECT_TRUE(Find("p")->IsGated());
  EXPECT_EQ(Find("p")->gating_plugin, "G");
  EXPECT_EQ(Find("p")->gating_message, "held by G");
  EXPECT_EQ(Find("p")->unschedulable_plugins, Plugins{Symbol("G")});
  EXPECT_EQ(gated_, "p:G ");
  EXPECT_EQ(moves_, "p:UnschedulablePodAdd:>unschedulable ");
  EXPECT_EQ(nominator_.size(), 0u);
  EXPECT_EQ(Pop(), "-");
}

// Goal: the plugin that gates a pod runs first the next time, and is reported once.
TEST_F(SchedulingQueueTest, RunsTheGatingPluginFirst) {
  gates_["p"] = {"G", "H"};
  Add("p");
  gates_["p"] = {"H", "G"};
  queue().Activate({Find("p")->pod_info->pod});
  EXPECT_EQ(gated_, "p:G ") << "nothing new";
  gates_["p"] = {"H"};
  queue().Activate({Find("p")->pod_info->pod});
  EXPECT_EQ(gated_, "p:G p:H ");
  EXPECT_EQ(Find("p")->unschedulable_plugins, (Plugins{Symbol("G"), Symbol("H")}));
  gates_["p"].clear();
  queue().Activate({Find("p")->pod_info->pod});
  EXPECT_EQ(WhereIs("p"), "active");
  EXPECT_FALSE(Find("p")->IsGated());
}

TEST_F(SchedulingQueueTest, CountsAttemptsRejectionsAndErrors) {
  Add("p");
  struct {
    Plugins rejectors;
    uint32_t want_unschedulable;
    uint32_t want_errors;
  } attempts[] = {{{}, 0, 1}, {{}, 0, 2}, {{kA}, 1, 0}, {{}, 1, 1}, {{kB}, 2, 0}, {{kB}, 3, 0}};
  uint32_t attempt = 0;
  for (const auto& one : attempts) {
    Sleep(20 * kSecondUs);
    QueuedPodRef pod = PopNamed("p");
    EXPECT_EQ(pod->attempts, ++attempt);
    Return("p", one.rejectors);
    EXPECT_EQ(pod->unschedulable_count, one.want_unschedulable) << attempt;
    EXPECT_EQ(pod->consecutive_errors_count, one.want_errors) << attempt;
    EXPECT_EQ(pod->timestamp, now_);
  }
}

// Goal: a first rejection leads to the pool without backoff, an error directly to backoff.
TEST_F(SchedulingQueueTest, ReturnsPodsWithoutEvents) {
  Add("p");
  Add("q");
  Pop();
  Pop();
  Return("p", {kA});
  Return("q", {});
  EXPECT_EQ(WhereIs("p"), "unschedulable");
  EXPECT_EQ(WhereIs("q"), "error");
  EXPECT_TRUE(queue().InFlightPods().empty());
}

// Goal: an idle scheduler pops a pod in backoff early, unless it is there after an error.
TEST_F(SchedulingQueueTest, PopsEarlyFromBackoff) {
  Listen("A", NodeAdd());
  AddRejected("p", {kA});
  Move(NodeAdd());
  Add("q");
  PopNamed("q");
  Return("q", {});
  EXPECT_EQ(queue().ReadNextAhead(), nullptr) << "only active pods are read ahead";
  Add("r");
  EXPECT_EQ(WhereIs("p"), "backoff");
  EXPECT_EQ(WhereIs("q"), "error");
  EXPECT_TRUE(queue().HasPodToPop());
  EXPECT_EQ(Pop(), "r") << "who is active comes first";
  EXPECT_EQ(Pop(), "p");
  EXPECT_EQ(PopNamed("q")->popped_from, "backoff");
}

TEST_F(SchedulingQueueTest, NeverPopsErrorsEarly) {
  Add("q");
  Pop();
  Return("q", {});
  EXPECT_FALSE(queue().HasPodToPop());
  EXPECT_EQ(Pop(), "-");
  Sleep(1'999'999);
  queue().FlushBackoffQCompleted();
  EXPECT_EQ(Pop(), "-");
  Sleep(1);
  EXPECT_EQ(queue().NextBackoffFlush(), now_);
  queue().FlushBackoffQCompleted();
  EXPECT_EQ(Pop(), "q");
}

TEST_F(SchedulingQueueTest, WaitsForBackoffWithoutTheFeature) {
  features_.scheduler_pop_from_backoff_q = false;
  Sleep(300'000);
  Listen("A", NodeAdd());
  AddRejected("p", {kA});
  Move(NodeAdd());
  EXPECT_EQ(WhereIs("p"), "backoff");
  EXPECT_FALSE(queue().HasPodToPop());
  EXPECT_EQ(Pop(), "-");
  EXPECT_EQ(queue().BackoffExpirationOf(Find("p")), (Instant{1001, 300'000'000})) << "not cut";
  Sleep(1'600'000);
  queue().FlushBackoffQCompleted();
  EXPECT_EQ(Pop(), "-") << "the flush goes by whole seconds";
  Sleep(100'000);
  gates_["p"] = {"G"};
  queue().FlushBackoffQCompleted();
  EXPECT_EQ(WhereIs("p"), "unschedulable") << "asked when it leaves backoff";
}

TEST_F(SchedulingQueueTest, OrdersBackoffByWindowThenPriority) {
  Listen("A", NodeAdd());
  Sleep(100'000);
  AddRejected(MakePod().Name("low").Priority(1), {kA});
  Sleep(800'000);
  AddRejected(MakePod().Name("high").Priority(9), {kA});
  Sleep(100'000);
  AddRejected(MakePod().Name("later").Priority(99), {kA});
  Move(NodeAdd());
  EXPECT_EQ(Names(queue().BackoffPods()), "high low later ");
  EXPECT_EQ(queue().NextBackoffFlush(), (Instant{1002, 0}));
  Sleep(kSecondUs);
  moves_.clear();
  queue().FlushBackoffQCompleted();
  EXPECT_EQ(moves_, "high:BackoffComplete:backoff>active low:BackoffComplete:backoff>active ");
  EXPECT_EQ(queue().NextBackoffFlush(), (Instant{1003, 0}));
  Sleep(50 * kSecondUs);
  queue().FlushBackoffQCompleted();
  EXPECT_EQ(queue().NumBackoff(), 0u) << "a late flush makes up for all";
  EXPECT_FALSE(queue().NextBackoffFlush().has_value());
}

TEST_F(SchedulingQueueTest, OrdersBackoffByItsEndWithoutTheFeature) {
  features_.scheduler_pop_from_backoff_q = false;
  Listen("A", NodeAdd());
  AddRejected(MakePod().Name("low").Priority(1), {kA});
  AddRejected(MakePod().Name("high").Priority(9), {kA});
  Move(NodeAdd());
  EXPECT_EQ(Names(queue().BackoffPods()), "low high ") << "in order of entry";
}

TEST_F(SchedulingQueueTest, OrdersErrorBackoffByItsEnd) {
  Add("a", 9);
  PopNamed("a");
  Return("a", {});
  Sleep(kSecondUs);
  PopNamed("a");
  Return("a", {});  // until 1003
  Add("b", 1);
  PopNamed("b");
  Return("b", {});  // until 1002
  EXPECT_EQ(Names(queue().ErrorBackoffPods()), "b a ");
  moves_.clear();
  Sleep(60 * kSecondUs);
  queue().FlushBackoffQCompleted();
  EXPECT_EQ(moves_, "b:BackoffComplete:backoff>active a:BackoffComplete:backoff>active ");
}

// Goal: a moved pod keeps its timestamp, so it stays before pods that came later.
TEST_F(SchedulingQueueTest, MovesKeepTheTimestamp) {
  Listen("A", NodeAdd());
  AddRejected("old", {kA});
  Instant returned = Find("old")->timestamp;
  Sleep(5 * kSecondUs);
  Add("new");
  Move(NodeAdd());
  EXPECT_EQ(Find("old")->timestamp, returned);
  EXPECT_EQ(Names(queue().ActivePods()), "old new ");
}

TEST_F(SchedulingQueueTest, RetriesPodsThatWaitTooLong) {
  Listen("A", NodeAdd());
  AddRejected("p", {kA});
  gates_["gated"] = {"G"};
  Add("gated");
  EXPECT_EQ(queue().NextLeftoverFlush(), (Instant{1330, 0}));
  Sleep(300 * kSecondUs);
  queue().FlushUnschedulablePodsLeftover();
  EXPECT_EQ(WhereIs("p"), "unschedulable") << "longer than five minutes, not as long";
  EXPECT_EQ(queue().NextLeftoverFlush(), (Instant{1330, 0}));
  Sleep(29 * kSecondUs);
  queue().FlushUnschedulablePodsLeftover();
  EXPECT_EQ(WhereIs("p"), "unschedulable") << "every 30 s";
  Add("b");
  PopNamed("b");
  Sleep(kSecondUs);
  moves_.clear();
  queue().FlushUnschedulablePodsLeftover();
  EXPECT_EQ(moves_, "p:UnschedulableTimeout:unschedulable>active ");
  EXPECT_EQ(WhereIs("gated"), "unschedulable") << "gates do not open by themselves";
  Return("b", {kA});
  EXPECT_EQ(WhereIs("b"), "backoff") << "it happened while b was in flight";
  PopNamed("p");
  Return("p", {kA});
}

TEST_F(SchedulingQueueTest, ReportsAReturningPodWhoseNameIsTaken) {
  struct {
    std::string_view name;
    std::string_view place;
    std::string_view want;
  } cases[] = {
      {"active", "active", "Pod default/active is already present in the active queue"},
      {"pool", "unschedulable", "Pod default/pool is already present in unschedulable queue"},
      {"backoff", "error", "Pod default/backoff is already present in the backoff queue"},
  };
  for (const auto& c : cases) {
    Add(MakePod().Name(c.name).Uid("first"));
    QueuedPodRef first = PopNamed(c.name);
    first->unschedulable_plugins = {kA};
    Add(MakePod().Name(c.name));
    if (c.place != "active") {
      PopNamed(c.name);
      Return(c.name, c.place == "error" ? Plugins{} : Plugins{kA});
    }
    EXPECT_EQ(WhereIs(c.name), c.place);
    EXPECT_EQ(queue().AddUnschedulableIfNotPresent(first), c.want);
    EXPECT_FALSE(queue().IsInFlight(Symbol("first"))) << c.name;
    EXPECT_EQ(WhereIs(c.name), c.place) << "the other one stays";
  }
}

// Goal: a uid is in flight once; a second pod with that uid is dropped when popped, as upstream
// does.
TEST_F(SchedulingQueueTest, DropsAPoppedPodWhoseUidIsInFlight) {
  Add("p");
  Pop();
  Add("p");
  Add("q");
  EXPECT_EQ(Pop(), "q");
  EXPECT_EQ(WhereIs("p"), "inFlight");
  queue().Done(Symbol("p"));
  EXPECT_EQ(WhereIs("p"), "-");
}

TEST_F(SchedulingQueueTest, PopsOnePodFromAnywhere) {
  Listen("A", NodeAdd());
  Add("active");
  AddRejected("pool", {kA});
  gates_["gated"] = {"G"};
  Add("gated");
  for (std::string_view name : {"active", "pool"}) {
    EXPECT_EQ(PopNamed(name)->pod().metadata.name, name);
    EXPECT_EQ(WhereIs(name), "inFlight");
  }
  Status gated;
  EXPECT_EQ(queue().PopSpecific(KeyOf("gated"), &gated), nullptr);
  EXPECT_EQ(gated.Message(), "held by G");
  EXPECT_EQ(WhereIs("gated"), "unschedulable");
  gated = Status::Success();
  EXPECT_EQ(queue().PopSpecific(KeyOf("missing"), &gated), nullptr);
  EXPECT_TRUE(gated.IsSuccess());
  gates_["gated"].clear();
  EXPECT_FALSE(PopNamed("gated")->IsGated());
  EXPECT_EQ(Find("gated"), nullptr);
}

TEST_F(SchedulingQueueTest, DeletesFromEverywhere) {
  Listen("A", NodeAdd());
  AddRejected("backoff", {kA});
  Move(NodeAdd());
  AddRejected("pool", {kA});
  Add(MakePod().Name("active").NominatedNodeName("n"));
  Add("error");
  PopNamed("error");
  Return("error", {});
  Add("flying");
  PopNamed("flying");
  EXPECT_EQ(nominator_.size(), 1u);
  for (std::string_view name : {"backoff", "pool", "active", "error", "flying", "missing"}) {
    queue().Delete(MakePod().Name(name));
  }
  EXPECT_EQ(queue().NumActive() + queue().NumBackoff() + queue().UnschedulablePodList().size(), 0u);
  EXPECT_EQ(WhereIs("flying"), "inFlight") << "an attempt goes on";
  EXPECT_EQ(nominator_.size(), 0u);
  EXPECT_FALSE(queue().NextBackoffFlush().has_value());
  EXPECT_FALSE(queue().NextLeftoverFlush().has_value());
}

TEST_F(SchedulingQueueTest, MaintainsNominations) {
  MakePod pod = MakePod().Name("p").NominatedNodeName("n").Req({{"cpu", "2"}});
  Add(pod);
  auto milli_cpu = [this] {
    return nominator_.NominatedPodsForNode(Symbol("n")).at(0)->requests.milli_cpu;
  };
  EXPECT_EQ(milli_cpu(), 2000);
  Update(pod, MakePod(pod).Req({{"cpu", "1"}}));
  EXPECT_EQ(milli_cpu(), 3000);
  Pop();
  EXPECT_EQ(milli_cpu(), 0) << "in flight it counts as nothing";
}

// Goal: a pod that returns by its own update counts with the nomination in its status.
TEST_F(SchedulingQueueTest, AnUpdateReplacesANominationInMemory) {
  Listen("A", UnscheduledPodEvent(action::kUpdate));
  MakePod pod = MakePod().Name("p").Priority(1);
  AddRejected(pod, {kA});
  nominator_.AddNominatedPod(MakePodInfo(pod.Ref(), features_), Symbol("n"));
  Sleep(60 * kSecondUs);
  moves_.clear();
  Update(pod, MakePod(pod).Annotation("a", "b"));
  EXPECT_EQ(moves_, "p:UnschedulablePodUpdate:unschedulable>active ");
  EXPECT_EQ(nominator_.size(), 0u);
}

// Goal: keys order pods like Less. Method: a random history by seed, in a queue with keys and in
// one without; the places and the order are compared after every step.
class KeyedQueueTest : public QueueFixture, public testing::WithParamInterface<uint64_t> {
 protected:
  std::string History(const QueueSortPlugin& queue_sort) {
    queue_sort_ = &queue_sort;
    now_ = {1000, 0};
    Build();
    Rng rng(GetParam());
    std::vector<std::string> popped;
    std::string history;
    for (int step = 0; step < 200; ++step) {
      Step(step, &rng, &popped);
      history += Names(queue().ActivePods()) + "| " + Names(queue().BackoffPods()) + "| " +
                 Names(queue().ErrorBackoffPods()) + "\n";
    }
    return history;
  }

 private:
  void Step(int step, Rng* rng, std::vector<std::string>* popped) {
    auto priority = static_cast<int32_t>(rng->Below(3));
    switch (rng->Below(6)) {
      case 0:
      case 1:
        return Add("p" + std::to_string(step), priority);
      case 2:
        if (std::string name = Pop(); name != "-") popped->push_back(name);
        return;
      case 3: {
        if (popped->empty()) return;
        EXPECT_EQ(Return(popped->back(), rng->Below(2) == 0 ? Plugins{kA} : Plugins{}),
                  std::nullopt);
        popped->pop_back();
        return Move(ForceActivateEvent());
      }
      case 4: {
        std::vector<QueuedPodRef> waiting = queue().ActivePods();
        if (waiting.empty()) return;
        Pod pod = waiting[rng->Below(waiting.size())]->pod();
        Pod changed = pod;
        changed.spec.priority = priority;
        return Update(pod, changed);
      }
      default:
        Sleep(static_cast<int64_t>(rng->Below(2)) * 700'000);
        return queue().FlushBackoffQCompleted();
    }
  }
};

TEST_P(KeyedQueueTest, OrdersByKeysLikeLess) {
  for (bool has_windows : {true, false}) {
    features_.scheduler_pop_from_backoff_q = has_windows;
    std::string plain = History(by_priority_);
    EXPECT_EQ(History(KeyedByPriority()), plain);
    EXPECT_NE(plain.find("| p"), std::string::npos) << "a seed that says nothing";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, KeyedQueueTest, testing::Range<uint64_t>(1, 21));

}  // namespace
}  // namespace stowage
