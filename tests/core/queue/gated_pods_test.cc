// Goal: a gate that answers for many gated pods is asked once, unless one answer is not enough, and
// the pods then have the last move that each would have had.
#include "core/queue/gated_pods.h"

#include "tests/core/queue/queue_fixture.h"

namespace stowage {
namespace {

const Symbol kGate("G");
const Symbol kOther("O");

class GatedPodsTest : public QueueFixture {
 protected:
  static Pod Member(std::string_view name, std::string_view group) {
    Pod pod = MakePod().Name(name);
    pod.spec.scheduling_group.emplace().pod_group_name = Symbol(group);
    return pod;
  }
  static EventObjects Added(const Pod& pod) {
    return {std::nullopt, AnyObject(std::make_shared<const Pod>(pod))};
  }
  // The gate's hint, which counts its calls.
  QueueingHintFn Hint() {
    return [this](const Pod& pod, const EventObjects& objects) {
      ++num_calls_;
      return QueueIf(PodGroupNameOf(pod) == PodGroupNameOf(*objects.New<Pod>()));
    };
  }
  void BuildWithoutMoves() {
    SchedulingQueue::Options options;
    options.has_moves = false;
    Build(options);
  }
  std::string EventOf(std::string_view name) { return Find(name)->last_move->event.str(); }

  const ClusterEvent pod_add_ = UnscheduledPodEvent(action::kAdd);
  size_t num_calls_ = 0;
};

TEST_F(GatedPodsTest, AnswerTogetherUnlessOneAnswerIsNotEnough) {
  struct {
    std::string_view name;
    bool has_moves;
    bool selects_events;
    bool pops_from_backoff;
    bool has_other_rejector;
    std::string_view group;
    size_t want_calls;
  } cases[] = {
      {"one call", false, true, true, false, "g", 1},
      {"another pod group", false, true, true, false, "h", 0},
      {"moves are read", true, true, true, false, "g", 3},
      {"any gate may be asked first", false, false, true, false, "g", 3},
      {"no PreEnqueue before backoff", false, true, false, false, "g", 3},
      {"another rejector listens", false, true, true, true, "g", 3},
  };
  for (const auto& c : cases) {
    features_.behaviour.gating_plugin_selects_events = c.selects_events;
    features_.scheduler_pop_from_backoff_q = c.pops_from_backoff;
    SchedulingQueue::Options options;
    options.has_moves = c.has_moves;
    Build(options);
    hints() = QueueingHintMap();
    hints().Add(
        kGate,
        {{.event = {EventResource::kPod, action::kAdd}, .hint = Hint(), .is_of_pod_group = true}});
    hints().Add(kOther, {{NodeAdd()}, {{EventResource::kPod, action::kAdd}}});
    for (std::string_view name : {"a", "b", "c"}) {
      gates_.clear();
      if (c.has_other_rejector) AddRejected(Member(name, "g"), {kOther});
      gates_[std::string(name)] = {"G"};
      c.has_other_rejector ? Move(NodeAdd()) : Add(Member(name, "g"));
      ASSERT_TRUE(Find(name)->IsGated()) << c.name;
    }
    for (std::string_view name : {"a", "b", "c"}) gates_[std::string(name)] = {"G"};
    std::string before = EventOf("a");
    num_calls_ = 0;
    Sleep(kSecondUs);
    Move(pod_add_, Added(Member("new", c.group)));
    EXPECT_EQ(num_calls_, c.want_calls) << c.name;
    for (std::string_view name : {"a", "b", "c"}) {
      EXPECT_EQ(WhereIs(name), "unschedulable") << c.name;
      EXPECT_EQ(EventOf(name), c.want_calls > 0 ? pod_add_.Label() : before) << c.name;
      EXPECT_EQ(Find(name)->last_move->at == now_, c.want_calls > 0) << c.name;
    }
  }
}

TEST_F(GatedPodsTest, AreAskedAgainAfterAChangeOfTheGate) {
  uint64_t changes = 0;
  BuildWithoutMoves();
  hints().Add(kGate, {{.event = NodeAdd(), .gate_changes = &changes}});
  gates_["a"] = gates_["b"] = {"G"};
  Add("a");
  Add("b");
  Move(NodeAdd());
  gates_["a"].clear();
  moves_.clear();
  Move(NodeAdd());
  EXPECT_EQ(moves_, "") << "nothing changed";
  EXPECT_EQ(EventOf("a"), "NodeAdd");
  ++changes;
  Move(NodeAdd());
  EXPECT_EQ(WhereIs("a"), "active");
  EXPECT_EQ(WhereIs("b"), "unschedulable");
  // A pod that came, or was changed, since then has not been asked.
  gates_["c"] = {"G"};
  Add("c");
  gates_["b"].clear();
  Update(MakePod().Name("b"), MakePod().Name("b").Label("k", "v"));
  gates_["c"].clear();
  Move(NodeAdd());
  EXPECT_EQ(WhereIs("b"), "active");
  EXPECT_EQ(WhereIs("c"), "active");
}

}  // namespace
}  // namespace stowage
