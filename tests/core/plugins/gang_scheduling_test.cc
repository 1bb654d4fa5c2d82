#include "core/plugins/gang_scheduling.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

using Stage = PodGroupState::Stage;

constexpr int64_t kFiveMinutesUs = 300'000'000;

Pod Member(std::string_view name, std::string_view namespace_ = "default",
           std::string_view group = "gang") {
  Pod pod = MakePod().Name(name).Namespace(namespace_).Uid(name);
  pod.spec.scheduling_group.emplace().pod_group_name = Symbol(group);
  return pod;
}

// A group without a minimum count has the basic policy.
PodGroup Group(std::optional<int32_t> min_count, std::string_view name = "gang",
               std::string_view namespace_ = "default") {
  PodGroup group;
  group.metadata.name = Symbol(name);
  group.metadata.namespace_ = Symbol(namespace_);
  if (min_count) group.spec.scheduling_policy.gang = GangSchedulingPolicy{*min_count};
  return group;
}

class GangSchedulingTest : public testing::Test {
 protected:
  GangSchedulingTest() { groups().set_is_enabled(true); }

  FakeHandle& handle() { return runner_.handle(); }
  PodGroupStates& groups() { return handle().fake_pod_groups(); }
  void Know(std::string_view name, Stage stage) {
    groups().Put(std::make_shared<const Pod>(Member(name)), stage);
  }
  std::string PreEnqueue(const Pod& pod) {
    Status status = runner_.plugin().PreEnqueue(pod);
    return std::string(CodeName(status.code())) + ":" + status.Message();
  }
  Status Permit(const Pod& pod, bool is_pod_group_cycle = false) {
    CycleState state;
    state.set_is_pod_group_cycle(is_pod_group_cycle);
    timeout_us_ = 0;
    return runner_.plugin().Permit(state, pod, Symbol("node"), &timeout_us_);
  }
  // Lets a pod wait at Permit for this plugin and another one.
  void Wait(std::string_view name) {
    handle().fake_background().waiting_pods.Add(
        WaitingPod(std::make_shared<const Pod>(Member(name)),
                   {{Symbol("GangScheduling"), kFiveMinutesUs}, {Symbol("Other"), kFiveMinutesUs}},
                   handle().now()));
  }
  size_t NumWaits(std::string_view name) {
    return handle().fake_background().waiting_pods.Get(Symbol(name))->pending().size();
  }

  PluginRunner<GangScheduling> runner_;
  int64_t timeout_us_ = 0;
};

// Goal: a pod may enter the active queue once its group and enough of its pods are known.
TEST_F(GangSchedulingTest, PreEnqueueWaitsForTheGroupAndForMinCountPods) {
  constexpr std::string_view kNoQuorum =
      "UnschedulableAndUnresolvable:"
      "waiting for minCount pods from a gang to appear in scheduling queue";
  EXPECT_EQ(PreEnqueue(MakePod().Name("p")), "Success:");
  EXPECT_EQ(PreEnqueue(Member("p")),
            "UnschedulableAndUnresolvable:"
            "waiting for pods's pod group \"gang\" to appear in scheduling queue");
  handle().fake_listers().Add(Group(std::nullopt, "basic"));
  EXPECT_EQ(PreEnqueue(Member("p", "default", "basic")), "Success:");
  handle().fake_listers().Add(Group(3));
  EXPECT_TRUE(PreEnqueue(Member("p")).starts_with("Error:"));
  Know("p", Stage::kUnscheduled);
  EXPECT_EQ(PreEnqueue(Member("p")), kNoQuorum);
  Know("q", Stage::kAssigned);
  EXPECT_EQ(PreEnqueue(Member("p")), kNoQuorum);
  Know("r", Stage::kAssumed);
  EXPECT_EQ(PreEnqueue(Member("p")), "Success:");
}

TEST_F(GangSchedulingTest, PermitIgnoresPodsWithoutAGang) {
  EXPECT_TRUE(Permit(MakePod().Name("p")).IsSuccess());
  EXPECT_EQ(Permit(Member("p")).Message(),
            "failed to get podGroup default/gang: podgroup.scheduling.k8s.io \"gang\" not found");
  handle().fake_listers().Add(Group(std::nullopt));
  EXPECT_TRUE(Permit(Member("p")).IsSuccess());
}

// Goal: a pod waits for five minutes until minCount pods have nodes, and activates those that have
// none. Bound pods count too.
TEST_F(GangSchedulingTest, PermitWaitsAndActivatesTheOthers) {
  handle().fake_listers().Add(Group(3));
  Know("p", Stage::kAssumed);
  Know("q", Stage::kAssigned);
  Know("r", Stage::kUnscheduled);
  Know("s", Stage::kUnscheduled);
  Status status = Permit(Member("p"));
  EXPECT_EQ(status.code(), Code::kWait);
  EXPECT_EQ(status.Message(), "waiting for minCount pods from a gang to be scheduled");
  EXPECT_EQ(timeout_us_, kFiveMinutesUs);
  EXPECT_EQ(handle().fake_background().activated, (std::vector<std::string>{"r", "s"}));
}

TEST_F(GangSchedulingTest, PermitActivatesNoPodInsideAPodGroupCycle) {
  handle().fake_listers().Add(Group(2));
  Know("p", Stage::kAssumed);
  Know("q", Stage::kUnscheduled);
  EXPECT_EQ(Permit(Member("p"), true).code(), Code::kWait);
  EXPECT_TRUE(handle().fake_background().activated.empty());
}

// Goal: the last pod allows all pods that wait, in this plugin's name only.
TEST_F(GangSchedulingTest, TheLastPodAllowsAllOthers) {
  handle().fake_listers().Add(Group(2));
  for (std::string_view name : {"p", "q"}) {
    Know(name, Stage::kAssumed);
    Wait(name);
  }
  Wait("stranger");
  EXPECT_TRUE(Permit(Member("q")).IsSuccess());
  EXPECT_EQ(NumWaits("p"), 1);
  EXPECT_EQ(NumWaits("q"), 1);
  EXPECT_EQ(NumWaits("stranger"), 2);
}

TEST_F(GangSchedulingTest, HintsAtPodsAndGroups) {
  const ClusterEvent pod_added = UnscheduledPodEvent(action::kAdd);
  const ClusterEvent group_added{EventResource::kPodGroup, action::kAdd};
  auto added = [](PodGroup group) {
    return EventObjects{std::nullopt, AnyObject(std::make_shared<const PodGroup>(group))};
  };
  const Pod pod = Member("p", "a");
  const HintCase cases[] = {
      {"of the group", pod_added, pod, WasAdded(Member("q", "a")), "Queue"},
      {"already on a node", AssignedPodEvent(action::kAdd), pod, WasAdded(Member("q", "a")),
       "Queue"},
      {"of another group", pod_added, pod, WasAdded(Member("q", "a", "other")), "Skip"},
      {"of another namespace", pod_added, pod, WasAdded(Member("q", "b")), "Skip"},
      {"of none", pod_added, pod, WasAdded(MakePod().Name("q").Namespace("a")), "Skip"},
      {"the pod has none", pod_added, MakePod().Name("p"), WasAdded(MakePod().Name("q")), "Skip"},
      {"the object is no pod", pod_added, pod, WithWrongNew(WasAdded(MakePod())), "Queue"},
      {"its group", group_added, pod, added(Group(2, "gang", "a")), "Queue"},
      {"another group", group_added, pod, added(Group(2, "other", "a")), "Skip"},
      {"the group elsewhere", group_added, pod, added(Group(2, "gang", "b")), "Skip"},
      {"a group, the pod has none", group_added, MakePod().Name("p").Namespace("a"),
       added(Group(2, "gang", "a")), "Skip"},
  };
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner_.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
