// How events move waiting pods: hints, gates, pods in flight, updates and activation (spec 03 §4,
// §6, §7).
#include <algorithm>

#include "core/base/rng.h"
#include "tests/core/queue/queue_fixture.h"

namespace stowage {
namespace {

const Symbol kA("A");
const Symbol kB("B");
const Symbol kP("P");

const ClusterEvent kNodeLabel{EventResource::kNode, action::kUpdateNodeLabel};
const ClusterEvent kNodeTaint{EventResource::kNode, action::kUpdateNodeTaint};
const ClusterEvent kPodLabel{EventResource::kPod, action::kUpdatePodLabel};

class QueueMovesTest : public QueueFixture {
 protected:
  EventObjects Node(std::string_view name) {
    return {std::nullopt, AnyObject(MakeNode().Name(name).Ref())};
  }
  // A hint that returns kQueue only for nodes of that name.
  static QueueingHintFn Only(std::string_view name) {
    return [name = Symbol(name)](const Pod&, const EventObjects& objects) {
      return QueueIf(objects.New<stowage::Node>()->metadata.name == name);
    };
  }
};

TEST_F(QueueMovesTest, MovesOnlyPodsWhoseRejectorsQueueThem) {
  Listen("A", NodeAdd(), Only("good"));
  Listen("B", kNodeLabel);
  AddRejected("a", {kA});
  AddRejected("b", {kB});
  AddRejected("ab", {kA, kB});
  Sleep(10 * kSecondUs);
  moves_.clear();
  Move(NodeAdd(), Node("bad"));
  EXPECT_EQ(moves_, "");
  Move(NodeAdd(), Node("good"));
  EXPECT_EQ(moves_, "a:NodeAdd:unschedulable>active ab:NodeAdd:unschedulable>active ");
  EXPECT_EQ(Find("ab")->last_move->plugin, "A");
  EXPECT_EQ(Find("ab")->last_move->hint, "Queue");
  EXPECT_EQ(Find("ab")->last_move->at, now_);
  EXPECT_EQ(WhereIs("b"), "unschedulable");
}

TEST_F(QueueMovesTest, MovesToBackoffUnlessAPendingPluginQueuesThePod) {
  Listen("A", NodeAdd());
  Listen("P", kNodeTaint);
  AddRejected("p", {kA}, {kP});
  AddRejected("q", {kA}, {kP});
  Move(NodeAdd());
  EXPECT_EQ(WhereIs("p"), "backoff");
  PopNamed("p");
  Return("p", {kA}, {kP});
  Move(kNodeTaint);
  EXPECT_EQ(WhereIs("p"), "active") << "at once, backing off or not";
  EXPECT_EQ(WhereIs("q"), "backoff") << "not in the pool any more";
}

TEST_F(QueueMovesTest, MovesOnlyPodsThatPassThePreCheck) {
  Listen("A", NodeAdd());
  AddRejected("p", {kA});
  AddRejected("q", {kA});
  Add("flying");
  PopNamed("flying");
  Move(NodeAdd(), {}, [](const Pod& pod) { return pod.metadata.name == "q"; });
  EXPECT_EQ(WhereIs("p"), "unschedulable");
  EXPECT_EQ(WhereIs("q"), "backoff");
  Return("flying", {kA});
  EXPECT_EQ(WhereIs("flying"), "backoff") << "checks do not hide events from pods in flight";
}

TEST_F(QueueMovesTest, IgnoresUnregisteredEvents) {
  Listen("A", NodeAdd());
  AddRejected("p", {kA});
  Add("flying");
  PopNamed("flying");
  EXPECT_FALSE(queue().IsInterestedIn(kNodeLabel));
  EXPECT_TRUE(queue().IsInterestedIn(UnschedulableTimeoutEvent())) << "wildcards always are";
  Move(kNodeLabel);
  EXPECT_EQ(WhereIs("p"), "unschedulable");
  Return("flying", {kA});
  EXPECT_EQ(WhereIs("flying"), "unschedulable");
}

// Goal: the events that a pod missed during its attempt decide where it goes.
TEST_F(QueueMovesTest, ReturnsAPodByTheEventsInFlight) {
  struct {
    std::string_view name;
    std::vector<std::pair<ClusterEvent, std::string_view>> events;
    std::set<Symbol> rejectors;
    std::set<Symbol> pending;
    std::string_view want;
    std::string_view want_label;
  } cases[] = {
      {"nothing happened", {}, {kA}, {}, "unschedulable", "ScheduleAttemptFailure"},
      {"nothing for it", {{NodeAdd(), "bad"}}, {kA}, {}, "unschedulable", "ScheduleAttemptFailure"},
      {"something for it",
       {{NodeAdd(), "bad"}, {NodeAdd(), "good"}},
       {kA},
       {},
       "backoff",
       "NodeAdd"},
      {"the first for it names it",
       {{kNodeLabel, "x"}, {NodeAdd(), "good"}},
       {kA, kB},
       {},
       "backoff",
       "NodeUpdateNodeLabel"},
      {"pending: the last may still matter",
       {{NodeAdd(), "good"}, {kNodeTaint, "x"}},
       {kA},
       {kP},
       "active",
       "NodeUpdateNodeTaint"},
      {"pending, and nothing more", {{NodeAdd(), "good"}}, {kA}, {kP}, "backoff", "NodeAdd"},
      {"pending alone", {{kNodeTaint, "x"}}, {}, {kP}, "active", "NodeUpdateNodeTaint"},
      {"an error does not ask", {{kNodeTaint, "x"}}, {}, {}, "error", "ScheduleAttemptFailure"},
  };
  Listen("A", NodeAdd(), Only("good"));
  Listen("B", kNodeLabel);
  Listen("P", kNodeTaint);
  for (const auto& c : cases) {
    Add("p");
    PopNamed("p");
    for (const auto& [event, node] : c.events) Move(event, Node(node));
    Return("p", c.rejectors, c.pending);
    EXPECT_EQ(WhereIs("p"), c.want) << c.name;
    EXPECT_EQ(Find("p")->last_move->event, c.want_label) << c.name;
    queue().Delete(MakePod().Name("p"));
  }
}

// Goal: for a pod that was done before it failed, as in PreBind and Bind, no missed events are
// known.
TEST_F(QueueMovesTest, ReturnsAFinishedPodAfterBackoff) {
  Add("p");
  PopNamed("p");
  queue().Done(Symbol("p"));
  Return("p", {kA});
  EXPECT_EQ(WhereIs("p"), "backoff");
}

TEST_F(QueueMovesTest, ChecksGatedPodsOnlyForEventsOfTheirGate) {
  Listen("A", NodeAdd());
  Listen("G", kNodeLabel);
  AddRejected("p", {kA});
  gates_["p"] = {"G"};
  Move(NodeAdd());
  EXPECT_EQ(WhereIs("p"), "unschedulable") << "held back on its way";
  EXPECT_EQ(gated_, "p:G ");
  EXPECT_EQ(Find("p")->unschedulable_plugins, (Plugins{kA, Symbol("G")}));
  gates_["p"].clear();
  Move(NodeAdd());
  EXPECT_EQ(WhereIs("p"), "unschedulable") << "not asked, though it might pass";
  moves_.clear();
  Move(kNodeLabel);
  EXPECT_EQ(moves_, "p:NodeUpdateNodeLabel:unschedulable>backoff ");
  EXPECT_FALSE(Find("p")->IsGated());
}

// Goal: in v1.33 an event moves a gated pod as any other, unless SchedulingGates rejected it.
TEST_F(QueueMovesTest, CanCheckGatedPodsForAllEvents) {
  struct {
    std::string_view gate;
    bool selects_events;
    std::string_view want_asked;      // asked once more by the event of A
    std::string_view want_timed_out;  // where a wildcard moves it
  } cases[] = {
      {"G", true, "unschedulable", "unschedulable"},
      {"G", false, "backoff", "backoff"},
      {"SchedulingGates", true, "unschedulable", "unschedulable"},
      {"SchedulingGates", false, "unschedulable", "unschedulable"},
  };
  for (const auto& c : cases) {
    features_.behaviour.gating_plugin_selects_events = c.selects_events;
    for (bool is_wildcard : {false, true}) {
      Build();
      hints() = QueueingHintMap();
      gates_.clear();
      Listen("A", NodeAdd());
      AddRejected("p", {kA});
      gates_["p"] = {std::string(c.gate)};
      Move(NodeAdd());
      EXPECT_TRUE(Find("p")->IsGated());
      gates_["p"].clear();
      Move(is_wildcard ? UnschedulableTimeoutEvent() : NodeAdd());
      EXPECT_EQ(WhereIs("p"), is_wildcard ? c.want_timed_out : c.want_asked)
          << c.gate << c.selects_events;
    }
  }
}

TEST_F(QueueMovesTest, ActivatesPodsInEveryQueue) {
  Listen("A", NodeAdd());
  AddRejected("backoff", {kA});
  Move(NodeAdd());
  AddRejected("pool", {kA});
  Add("error");
  PopNamed("error");
  Return("error", {});
  gates_["gated"] = {"G"};
  Add("gated");
  for (std::string_view name : {"flying", "other"}) {
    Add(name);
    PopNamed(name);
  }
  Add("active");
  std::vector<PodRef> pods;
  for (std::string_view name :
       {"backoff", "pool", "error", "gated", "flying", "active", "missing"}) {
    pods.push_back(MakePod().Name(name).Ref());
  }
  moves_.clear();
  queue().Activate(pods);
  EXPECT_EQ(moves_,
            "backoff:ForceActivate:backoff>active pool:ForceActivate:unschedulable>active "
            "error:ForceActivate:backoff>active "
            "gated:ForceActivate:unschedulable>unschedulable ");
  Return("flying", {kA});
  EXPECT_EQ(WhereIs("flying"), "backoff") << "it was meant";
  EXPECT_EQ(Find("flying")->last_move->event, "ForceActivate");
  Return("other", {kA});
  EXPECT_EQ(WhereIs("other"), "unschedulable") << "it was not";
  EXPECT_EQ(WhereIs("missing"), "-");
}

// Goal: PreEnqueue ran when a pod entered backoff, so it runs again only for pods of the pool.
TEST_F(QueueMovesTest, RunsPreEnqueueForActivatedPodsOfThePool) {
  Listen("A", NodeAdd());
  AddRejected("backoff", {kA});
  Move(NodeAdd());
  AddRejected("pool", {kA});
  gates_["backoff"] = gates_["pool"] = {"G"};
  queue().Activate({MakePod().Name("backoff").Ref(), MakePod().Name("pool").Ref()});
  EXPECT_EQ(WhereIs("backoff"), "active");
  EXPECT_EQ(WhereIs("pool"), "unschedulable");
  EXPECT_EQ(gated_, "pool:G ");
}

TEST_F(QueueMovesTest, UpdatesPodsInEveryQueue) {
  Listen("A", NodeAdd());
  Listen("A", kPodLabel);
  AddRejected("backoff", {kA});
  Move(NodeAdd());
  AddRejected("pool", {kA});
  Add("error");
  PopNamed("error");
  Return("error", {});
  Add("flying");
  PopNamed("flying");
  Add("active");
  moves_.clear();
  for (std::string_view name : {"backoff", "pool", "error", "flying", "active", "new"}) {
    Update(MakePod().Name(name), MakePod().Name(name).Label("k", "v").Priority(7));
  }
  EXPECT_EQ(moves_,
            "pool:UnschedulablePodUpdatePodLabel:unschedulable>backoff "
            "new:UnschedulablePodUpdate:>active ");
  for (std::string_view name : {"backoff", "pool", "error", "active", "new"}) {
    EXPECT_EQ(Find(name)->pod().spec.priority, 7) << name;
  }
  EXPECT_EQ(Find("new")->attempts, 0u);
  EXPECT_EQ(WhereIs("error"), "error");
  Return("flying", {kA});
  EXPECT_EQ(WhereIs("flying"), "backoff") << "its own update counts";
  EXPECT_EQ(Find("flying")->last_move->event, "UnschedulablePodUpdatePodLabel");
}

TEST_F(QueueMovesTest, ReordersAnUpdatedPod) {
  Add("a", 1);
  Add("b", 1);
  Instant added = Find("b")->timestamp;
  Sleep(kSecondUs);
  Update(MakePod().Name("b").Priority(1), MakePod().Name("b").Priority(2));
  EXPECT_EQ(Names(queue().ActivePods()), "b a ");
  EXPECT_EQ(Find("b")->timestamp, added);
}

// Goal: each change of an update is checked until one moves the pod; without a change there is no
// move.
TEST_F(QueueMovesTest, ChecksEveryChangeOfAnUpdate) {
  Listen("A", {EventResource::kPod, action::kUpdatePodToleration});
  AddRejected("p", {kA});
  Update(MakePod().Name("p"), MakePod().Name("p").Label("k", "v"));
  EXPECT_EQ(WhereIs("p"), "unschedulable");
  moves_.clear();
  Update(MakePod().Name("p").Label("k", "v"),
         MakePod().Name("p").Label("k", "w").Toleration("t", "Exists"));
  EXPECT_EQ(moves_, "p:UnschedulablePodUpdatePodToleration:unschedulable>backoff ");
}

TEST_F(QueueMovesTest, UngatesAPodWhenTheReasonIsGone) {
  Listen("G", {EventResource::kPod, action::kUpdatePodSchedulingGatesEliminated});
  gates_["p"] = {"G"};
  MakePod gated = MakePod().Name("p").SchedulingGates({"x"});
  Add(gated);
  gates_["p"].clear();
  Update(gated, MakePod().Name("p"));
  EXPECT_EQ(WhereIs("p"), "active") << "it never failed";
}

// Goal: one call answers for pods that share what the hint reads, unless the event may be about one
// of them; pods move in the order of their names.
TEST_F(QueueMovesTest, AsksOnceForPodsThatAreAlike) {
  size_t num_calls = 0;
  QueueingHintFn hint = [&num_calls](const Pod& pod, const EventObjects&) {
    ++num_calls;
    return QueueIf(!pod.metadata.labels.Has(Symbol("stay")));
  };
  ActionType actions = action::kAdd | action::kDelete | action::kUpdatePodLabel;
  hints().Add(kA, {{{EventResource::kPod, actions}, hint, true}});
  hints().Add(kB, {{{EventResource::kPod, actions}, hint}});
  Pod one = MakePod().Label("k", "1");
  Pod other = MakePod().Label("k", "2");
  Pod staying = MakePod().Label("stay", "");
  const std::pair<std::string_view, const Pod*> all[] = {
      {"a", &one}, {"b", &other}, {"c", &staying}, {"d", &one}, {"e", &staying}};
  struct {
    std::string_view name;
    std::set<Symbol> rejectors;
    ClusterEvent event;
    SchedulingQueue::PreCheck pre_check;
    size_t want_calls;
  } cases[] = {
      {"alike", {kA}, AssignedPodEvent(action::kAdd), nullptr, 3},
      {"removal", {kA}, AssignedPodEvent(action::kDelete), nullptr, 3},
      {"an update", {kA}, AssignedPodEvent(action::kUpdatePodLabel), nullptr, 5},
      {"of a waiting pod", {kA}, UnscheduledPodEvent(action::kDelete), nullptr, 5},
      {"a hint that reads more", {kA, kB}, AssignedPodEvent(action::kAdd), nullptr, 7},
      {"a check", {kA}, AssignedPodEvent(action::kAdd), [](const Pod&) { return true; }, 5},
  };
  for (const auto& c : cases) {
    for (const auto& [name, like] : all) {
      Pod pod = *like;
      pod.metadata.name = pod.metadata.uid = Symbol(name);
      AddRejected(pod, c.rejectors);
    }
    num_calls = 0;
    moves_.clear();
    Move(c.event, {}, c.pre_check);
    EXPECT_EQ(num_calls, c.want_calls) << c.name;
    std::string label = c.event.Label();
    std::string want;
    for (std::string_view name : {"a", "b", "d"}) {
      want += std::string(name) + ":" + label + ":unschedulable>backoff ";
    }
    EXPECT_EQ(moves_, want) << c.name;
    for (const auto& [name, like] : all) queue().Delete(MakePod().Name(name));
  }
}

// One registration, as worth() in the spec reads it.
struct Registered {
  Symbol plugin;
  ClusterEvent event;
  QueueingHintFn hint;
};

// The strategy for one pod alone after an event (spec 03 §7).
QueueingStrategy WorthAlone(const QueuedPodInfo& pod, const ClusterEvent& event,
                            const EventObjects& objects, const std::vector<Registered>& all) {
  auto matches = [&](const Registered& one) { return one.event.Matches(event); };
  if (pod.IsGated() && std::none_of(all.begin(), all.end(), [&](const Registered& one) {
        return one.plugin == pod.gating_plugin && matches(one);
      })) {
    return QueueingStrategy::kSkip;
  }
  QueueingStrategy best = QueueingStrategy::kSkip;
  for (const Registered& one : all) {
    bool is_pending = pod.pending_plugins.contains(one.plugin);
    bool is_rejector = is_pending || pod.unschedulable_plugins.contains(one.plugin);
    if (!is_rejector || !matches(one)) continue;
    if (one.hint(pod.pod(), objects) == QueueingHint::kQueueSkip) continue;
    if (is_pending) return QueueingStrategy::kImmediately;
    if (pod.pending_plugins.empty()) return QueueingStrategy::kAfterBackoff;
    best = QueueingStrategy::kAfterBackoff;
  }
  return best;
}

// Goal: the pool, which checks groups, moves the same pods to the same places as a check of each
// pod alone. Method: random registrations, rejectors, gates and events by seed.
class GroupedPoolTest : public QueueMovesTest, public testing::WithParamInterface<uint64_t> {
 protected:
  static constexpr size_t kPlugins = 6;

  size_t Below(size_t bound) { return static_cast<size_t>(rng_.Below(bound)); }
  Symbol SomePlugin() { return Symbol("P" + std::to_string(Below(kPlugins))); }
  ClusterEvent SomeEvent() {
    static const ClusterEvent kEvents[] = {NodeAdd(), kNodeLabel, kNodeTaint,
                                           AssignedPodEvent(action::kDelete),
                                           AssignedPodEvent(action::kUpdatePodLabel)};
    return kEvents[Below(std::size(kEvents))];
  }

  void RegisterSome() {
    for (size_t index = 0; index < kPlugins; ++index) {
      Symbol plugin("P" + std::to_string(index));
      for (size_t count = 1 + Below(3); count > 0; --count) {
        ClusterEvent event = SomeEvent();
        if (event.resource == EventResource::kAssignedPod) event.resource = EventResource::kPod;
        if (Below(4) == 0) event.action |= action::kAdd;
        auto salt = static_cast<int32_t>(Below(3));
        bool reads_shared_parts = Below(2) == 0;
        QueueingHintFn hint = [salt, reads_shared_parts](const Pod& pod, const EventObjects&) {
          int32_t seen = reads_shared_parts ? static_cast<int32_t>(pod.metadata.labels.size())
                                            : pod.spec.priority.value_or(0);
          return QueueIf((seen + salt) % 3 != 0);
        };
        all_.push_back({plugin, event, hint});
        hints().Add(plugin, {{event, hint, reads_shared_parts}});
      }
    }
  }

  void AddSome(const std::string& name) {
    Plugins rejectors = {SomePlugin()};
    Plugins pending;
    if (Below(3) == 0) rejectors.insert(SomePlugin());
    if (Below(4) == 0) pending.insert(SomePlugin());
    Pod pod = MakePod().Name(name).Priority(static_cast<int32_t>(Below(5)));
    pod.metadata.labels = labels_[Below(std::size(labels_))];
    if (Below(5) == 0) {
      gates_[name] = {SomePlugin().str()};
      Add(pod);
      gates_[name].clear();  // it would be ungated if PreEnqueue ran
    } else {
      AddRejected(pod, rejectors, pending);
    }
    Sleep(static_cast<int64_t>(Below(600)) * 1000);
  }

  // The expected place of every pod of the pool after the event.
  std::map<std::string, std::string> Expected(const ClusterEvent& event) {
    std::map<std::string, std::string> places;
    for (const QueuedPodRef& pod : queue().UnschedulablePodList()) {
      QueueingStrategy strategy = WorthAlone(*pod, event, {}, all_);
      bool is_backing_off = queue().BackoffExpirationOf(pod) >= FloorToSecond(now_);
      std::string place = "active";
      if (strategy == QueueingStrategy::kAfterBackoff && is_backing_off) place = "backoff";
      if (strategy == QueueingStrategy::kSkip) place = "unschedulable";
      places[pod->pod().metadata.name.str()] = place;
    }
    return places;
  }

  Rng rng_{GetParam()};
  // Pods with the same of these share them.
  const LabelMap labels_[3] = {{}, {{"a", "1"}}, {{"a", "1"}, {"b", "2"}}};
  std::vector<Registered> all_;
};

TEST_P(GroupedPoolTest, EqualsCheckingEachPodAlone) {
  RegisterSome();
  for (int count = 0; count < 40; ++count) AddSome("p" + std::to_string(count));
  size_t moved = 0;
  for (int step = 0; step < 4; ++step) {
    ClusterEvent event = SomeEvent();
    std::map<std::string, std::string> expected = Expected(event);
    Move(event);
    for (const auto& [name, place] : expected) {
      EXPECT_EQ(WhereIs(name), place) << name << " after " << event.Label();
      if (place != "unschedulable") ++moved;
    }
  }
  EXPECT_GT(moved, 0u) << "a seed that says nothing";
}

INSTANTIATE_TEST_SUITE_P(Seeds, GroupedPoolTest, testing::Range<uint64_t>(1, 41));

}  // namespace
}  // namespace stowage
