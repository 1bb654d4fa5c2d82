#include "core/queue/queueing_hints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

const ClusterEvent kNodeAdd{EventResource::kNode, action::kAdd};
const ClusterEvent kNodeLabel{EventResource::kNode, action::kUpdateNodeLabel};
const ClusterEvent kPodDelete{EventResource::kPod, action::kDelete};

QueueingHintFn Says(QueueingHint hint) {
  return [hint](const Pod&, const EventObjects&) { return hint; };
}

// The listeners to `event` among these rejectors, pending ones marked: "A B* ".
std::string Listeners(const QueueingHintMap& hints, const ClusterEvent& event,
                      std::set<Symbol> unschedulable, std::set<Symbol> pending = {}) {
  std::string names;
  for (const auto& one : hints.ListenersOf(event, {unschedulable, pending})) {
    names += one.plugin.str() + (one.is_pending ? "* " : " ");
  }
  return names;
}

QueueingHintMap SomeHints() {
  QueueingHintMap hints;
  hints.Add(Symbol("A"), {{kNodeAdd}, {kPodDelete}});
  hints.Add(Symbol("B"), {{{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel}}});
  hints.Add(Symbol("C"), {{{EventResource::kWildcard, action::kAll}}});
  hints.Add(Symbol("D"), {{{EventResource::kOther, action::kAdd, Symbol("foos.v1.example.com")}}});
  return hints;
}

TEST(QueueingHintMap, ListsRegisteredRejectorsAsListeners) {
  QueueingHintMap hints = SomeHints();
  Symbol a("A");
  Symbol b("B");
  Symbol c("C");
  EXPECT_EQ(Listeners(hints, kNodeAdd, {a, b, c}), "A B C ") << "in the profile's order";
  EXPECT_EQ(Listeners(hints, kNodeAdd, {b}), "B ");
  EXPECT_EQ(Listeners(hints, kNodeAdd, {a}, {b}), "A B* ");
  EXPECT_EQ(Listeners(hints, kNodeLabel, {a, b}), "B ");
  EXPECT_EQ(Listeners(hints, AssignedPodEvent(action::kDelete), {a, b}), "A ");
  EXPECT_EQ(Listeners(hints, UnscheduledPodEvent(action::kDelete), {a}), "A ");
  EXPECT_EQ(Listeners(hints, kNodeAdd, {}), "");
  EXPECT_EQ(Listeners(hints, UnschedulableTimeoutEvent(), {a, b, c}), "C ");
}

TEST(QueueingHintMap, ReportsTheRegisteredActions) {
  QueueingHintMap hints;
  EXPECT_FALSE(hints.IsInterestedIn(kNodeAdd));
  hints.Add(Symbol("A"), {{kNodeAdd}, {kPodDelete}});
  hints.Add(Symbol("B"), {{kNodeLabel}});
  EXPECT_TRUE(hints.IsInterestedIn(kNodeAdd));
  EXPECT_TRUE(hints.IsInterestedIn(AssignedPodEvent(action::kDelete)));
  EXPECT_FALSE(hints.IsInterestedIn(AssignedPodEvent(action::kAdd)));
  EXPECT_TRUE(hints.HasRegistered(Symbol("A"), kNodeAdd));
  EXPECT_FALSE(hints.HasRegistered(Symbol("A"), kNodeLabel));
  EXPECT_FALSE(hints.HasRegistered(Symbol("missing"), kNodeAdd));
  EXPECT_EQ(hints.ActionsFor(EventResource::kNode, {}), action::kAdd | action::kUpdateNodeLabel);
  EXPECT_EQ(hints.ActionsFor(EventResource::kPod, {}), action::kDelete);
  EXPECT_EQ(hints.ActionsFor(EventResource::kCsiNode, {}), 0u);
}

// Goal: the map is interested in an event if some registration matches it. Method: every resource
// and single change.
TEST(QueueingHintMap, IsInterestedInMatchingEvents) {
  const ClusterEvent registered[] = {
      {EventResource::kNode, action::kAdd | action::kUpdateNodeTaint},
      {EventResource::kPod, action::kDelete},
      {EventResource::kUnschedulablePod, action::kUpdatePodLabel},
      {EventResource::kWildcard, action::kUpdateNodeLabel},
      {EventResource::kOther, action::kAdd, Symbol("foos.v1.example.com")}};
  QueueingHintMap hints;
  for (const ClusterEvent& event : registered) hints.Add(Symbol("A"), {{event}});
  for (size_t resource = 0; resource < kNumEventResources; ++resource) {
    for (ActionType action = 1; action <= action::kAll; action *= 2) {
      for (const Symbol& other : {Symbol(), Symbol("foos.v1.example.com")}) {
        ClusterEvent event{static_cast<EventResource>(resource), action, other};
        if (event.resource != EventResource::kOther && !other.empty()) continue;
        bool is_matched = std::any_of(std::begin(registered), std::end(registered),
                                      [&](const auto& one) { return one.Matches(event); });
        EXPECT_EQ(hints.IsInterestedIn(event), is_matched) << event.Label();
      }
    }
  }
  EXPECT_FALSE(hints.IsInterestedIn({EventResource::kNode, action::kUpdate}));
}

TEST(QueueingHintMap, MatchesOtherResourcesByName) {
  QueueingHintMap hints;
  hints.Add(Symbol("D"), {{{EventResource::kOther, action::kAdd, Symbol("foos.v1.example.com")}}});
  Symbol foos("foos.v1.example.com");
  EXPECT_EQ(hints.ActionsFor(EventResource::kOther, foos), action::kAdd);
  EXPECT_EQ(hints.ActionsFor(EventResource::kOther, Symbol("bars.v1.example.com")), 0u);
  EXPECT_EQ(hints.OtherResources(), std::vector<Symbol>{foos});
  EXPECT_EQ(SomeHints().ActionsFor(EventResource::kOther, foos), action::kAll) << "C hears all";
}

// Goal: one pending plugin is enough to queue a pod at once. With pending plugins, the others can
// only move it to backoff, and further hints are called. Method: worth() of the spec.
TEST(QueueingHintMap, CallsHintsUntilTheVerdictIsSettled) {
  constexpr QueueingHint kQueue = QueueingHint::kQueue;
  constexpr QueueingHint kSkip = QueueingHint::kQueueSkip;
  constexpr QueueingStrategy kNo = QueueingStrategy::kSkip;
  constexpr QueueingStrategy kLater = QueueingStrategy::kAfterBackoff;
  constexpr QueueingStrategy kNow = QueueingStrategy::kImmediately;
  struct One {
    std::string_view plugin;
    QueueingHint hint;
    bool is_pending = false;
  };
  struct {
    std::string_view name;
    std::vector<One> listeners;
    QueueingStrategy want;
    std::string_view want_plugin;
  } cases[] = {
      {"no plugin registered", {}, kNo, ""},
      {"all skip", {{"A", kSkip}, {"B", kSkip}}, kNo, ""},
      {"the first that wants it", {{"A", kSkip}, {"B", kQueue}, {"C", kQueue}}, kLater, "B"},
      {"a pending one wants it", {{"A", kQueue, true}}, kNow, "A"},
      {"a pending one does not", {{"A", kSkip, true}}, kNo, ""},
      {"another does, the pending one not", {{"A", kQueue}, {"B", kSkip, true}}, kLater, "A"},
      {"the pending one decides, though later", {{"A", kQueue}, {"B", kQueue, true}}, kNow, "B"},
      {"two others", {{"A", kQueue}, {"B", kQueue}, {"C", kSkip, true}}, kLater, "A"},
  };
  for (const auto& c : cases) {
    QueueingHintMap hints;
    std::set<Symbol> unschedulable;
    std::set<Symbol> pending;
    for (const One& one : c.listeners) {
      hints.Add(Symbol(one.plugin), {{kNodeAdd, Says(one.hint)}});
      (one.is_pending ? pending : unschedulable).insert(Symbol(one.plugin));
    }
    Pod pod = MakePod().Name("p");
    auto listeners = hints.ListenersOf(kNodeAdd, {unschedulable, pending});
    QueueingVerdict verdict = QueueingHintMap::RunHints(listeners, !pending.empty(), pod, {});
    EXPECT_EQ(verdict.strategy, c.want) << c.name;
    EXPECT_EQ(verdict.plugin, c.want_plugin) << c.name;
  }
}

TEST(QueueingHintMap, QueuesWithoutAHint) {
  QueueingHintMap hints;
  hints.Add(Symbol("A"), {{kNodeAdd}});
  Pod pod = MakePod().Name("p");
  std::set<Symbol> rejectors = {Symbol("A")};
  std::set<Symbol> none;
  auto listeners = hints.ListenersOf(kNodeAdd, {rejectors, none});
  EXPECT_EQ(QueueingHintMap::RunHints(listeners, false, pod, {}).strategy,
            QueueingStrategy::kAfterBackoff);
}

}  // namespace
}  // namespace stowage
