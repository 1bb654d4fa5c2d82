#include "core/plugins/default_preemption.h"

#include <gtest/gtest.h>

#include "core/config/defaults.h"
#include "core/config/expansion.h"
#include "core/plugins/default_binder.h"
#include "core/plugins/node_ports.h"
#include "core/plugins/node_resources_fit.h"
#include "core/plugins/priority_sort.h"
#include "core/runtime/framework.h"
#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"
#include "tests/support/run_to_end.h"

namespace stowage {
namespace {

using Names = std::vector<std::string>;

// NodePorts, NodeResourcesFit and DefaultPreemption on the cluster of a FakeHandle.
class Profile {
 public:
  explicit Profile(FakeHandle& cluster) : cluster_(cluster) {
    registry_.Register<PrioritySort>();
    registry_.Register<NodePorts>();
    registry_.Register<NodeResourcesFit>();
    registry_.Register<DefaultPreemption>();
    registry_.Register<DefaultBinder>();
    KubeSchedulerProfile profile;
    profile.scheduler_name = "default-scheduler";
    for (const Registry::Entry& entry : registry_.entries()) {
      profile.plugins.multi_point.enabled.push_back({entry.name, 0});
      PluginArgs args = NewPluginArgs(entry.name);
      SetArgsDefaults(cluster.features(), &args);
      profile.plugin_config.push_back({entry.name, std::move(args)});
    }
    auto points = [this](std::string_view name) -> std::optional<ExtensionPointSet> {
      const Registry::Entry* entry = registry_.Find(name);
      if (entry == nullptr) return std::nullopt;
      return entry->points;
    };
    framework_ =
        Framework::New(profile, *ExpandProfile(profile, 0, points),
                       {cluster.snapshot(), cluster.topology_index(), cluster.pod_groups(),
                        cluster.nominator(), cluster.listers(), cluster.dra(), cluster.features(),
                        registry_, cluster.extenders(), cluster.calls(), *cluster.background(),
                        cluster.metrics(), cluster.steps()})
            .Take();
    framework_->set_now({1000, 0});
  }

  // Runs PreFilter, Filter on every node, and PostFilter.
  PostFilterOutcome Schedule(const Pod& pod) {
    cluster_.fake_listers().Add(pod);
    CycleState state;
    CHECK(framework_->RunPreFilterPlugins(state, pod).status.IsSuccess());
    NodeList nodes = cluster_.snapshot().nodes();
    NodeToStatus statuses(nodes.size());
    for (const NodeInfo* node : nodes) {
      Status status = framework_->RunFilterPluginsWithNominatedPods(state, pod, *node);
      CHECK(!status.IsSuccess());
      statuses.Set(node->row(), status);
    }
    PostFilterOutcome outcome = RunToEnd(framework_->RunPostFilterPlugins(state, pod, statuses));
    report_ = *framework_->TakePreemptionReport();
    return outcome;
  }

  Status PreEnqueue(const Pod& pod) const {
    return framework_->RunPreEnqueuePlugins(pod, Symbol());
  }
  const PreemptionReport& report() const { return report_; }

 private:
  FakeHandle& cluster_;
  Registry registry_;
  std::unique_ptr<Framework> framework_;
  PreemptionReport report_;
};

Node OfCpu(std::string_view name, std::string_view cpu) {
  return MakeNode().Name(name).Allocatable({{"cpu", cpu}});
}
MakePod Prioritized(std::string_view name, int32_t priority, std::string_view cpu) {
  MakePod pod;
  pod.Name(name).Priority(priority).Req({{"cpu", cpu}});
  return pod;
}

std::string KeyOf(const PodInfoRef& info) { return info->pod->metadata.name.str(); }

// Goal: a pod of higher priority preempts others. Method: real filters on three nodes.
TEST(DefaultPreemption, NominatesANode) {
  FakeHandle cluster;
  for (std::string_view name : {"a", "b", "c"}) cluster.Add(OfCpu(name, "4"));
  cluster.Add(Prioritized("a1", 5, "3").Node("a").StartTime(1).Obj());
  cluster.Add(Prioritized("b1", 1, "2").Node("b").StartTime(1).Obj());
  cluster.Add(Prioritized("b2", 2, "2").Node("b").StartTime(1).Obj());
  cluster.Add(Prioritized("c1", 20, "3").Node("c").StartTime(1).Obj());
  Profile profile(cluster);
  PostFilterOutcome outcome = profile.Schedule(Prioritized("p", 10, "2"));
  EXPECT_TRUE(outcome.status.IsSuccess());
  EXPECT_EQ(outcome.result.nominated_node_name, Symbol("b"));
  const PreemptionReport& report = profile.report();
  EXPECT_EQ(report.message, "");
  ASSERT_TRUE(report.selected.has_value());
  ASSERT_EQ(report.selected->pods.size(), 1u);
  EXPECT_EQ(KeyOf(report.selected->pods[0]), "b1");
  ASSERT_EQ(report.dry_runs.size(), 3u);
  EXPECT_TRUE(report.dry_runs[0]->status.IsSuccess());
  EXPECT_EQ(report.dry_runs[2]->status,
            Status::UnschedulableAndUnresolvable("No preemption victims found for incoming pod"));
  EXPECT_EQ(report.admissible_nodes, std::vector<Symbol>{Symbol("b")});
}

// Goal: dry runs cover all filters, and a refusal on the emptied node names the plugin that
// refused.
TEST(DefaultPreemption, RunsAllFiltersInDryRuns) {
  FakeHandle cluster;
  for (std::string_view name : {"a", "b"}) cluster.Add(OfCpu(name, "4"));
  cluster.Add(Prioritized("a1", 1, "1").HostPort(80).Node("a").Obj());
  cluster.Add(Prioritized("a2", 2, "3").Node("a").Obj());
  cluster.Add(Prioritized("b1", 1, "1").Node("b").Obj());
  cluster.Add(Prioritized("b2", 20, "1").HostPort(80).Node("b").Obj());
  Profile profile(cluster);
  PostFilterOutcome outcome = profile.Schedule(Prioritized("p", 10, "2").HostPort(80));
  EXPECT_TRUE(outcome.status.IsSuccess());
  const PreemptionReport& report = profile.report();
  ASSERT_EQ(report.dry_runs.size(), 2u);
  ASSERT_EQ(report.dry_runs[0]->victims.pods.size(), 2u);
  EXPECT_EQ(KeyOf(report.dry_runs[0]->victims.pods[0]), "a2");
  EXPECT_EQ(KeyOf(report.dry_runs[0]->victims.pods[1]), "a1");
  EXPECT_EQ(report.dry_runs[1]->status.plugin(), Symbol("NodePorts"));
  EXPECT_EQ(report.dry_runs[1]->status.code(), Code::kUnschedulable);
}

// Goal: the nomination and the message if preemption does not help.
TEST(DefaultPreemption, ReportsWhyPreemptionDoesNotHelp) {
  const std::optional<Symbol> keep;
  const std::optional<Symbol> clear = Symbol();
  struct {
    std::string_view name;
    Pod preemptor;
    std::string_view message;
    std::optional<Symbol> nomination;
  } cases[] = {
      {"equal priority", Prioritized("p", 5, "2"),
       "preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.",
       clear},
      {"too large for one node, no help on the other", Prioritized("p", 10, "4"),
       "preemption: 0/2 nodes are available: 1 Insufficient cpu, 1 Preemption is not helpful for "
       "scheduling.",
       clear},
      {"too large for both", Prioritized("p", 10, "8"),
       "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.", clear},
      {"may not preempt", Prioritized("p", 10, "2").PreemptionPolicy("Never"),
       "preemption: not eligible due to preemptionPolicy=Never.", keep},
  };
  for (const auto& c : cases) {
    FakeHandle cluster;
    cluster.Add(OfCpu("a", "2")).Add(OfCpu("b", "4"));
    cluster.Add(Prioritized("a1", 5, "2").Node("a").Obj());
    cluster.Add(Prioritized("b1", 5, "2").Node("b").Obj());
    cluster.Add(Prioritized("b2", 20, "1").Node("b").Obj());
    Profile profile(cluster);
    PostFilterOutcome outcome = profile.Schedule(c.preemptor);
    EXPECT_EQ(outcome.status,
              Status::Unschedulable(c.message).WithPlugin(Symbol("DefaultPreemption")))
        << c.name << ": " << outcome.status.Message();
    EXPECT_EQ(outcome.result.nominated_node_name, c.nomination) << c.name;
    EXPECT_EQ(profile.report().message, c.message) << c.name;
  }
}

// Goal: an error keeps its code under the prefix. Method: a handle whose filters always pass, so
// that no victim is needed.
TEST(DefaultPreemption, PrefixesErrors) {
  PluginRunner<DefaultPreemption> runner;
  FakeHandle& cluster = runner.handle();
  cluster.Add(OfCpu("n", "2")).Add(Prioritized("low", 1, "2").Node("n").Obj());
  const Pod pod = Prioritized("p", 10, "2");
  NodeToStatus statuses(1);
  statuses.Set(0, Status::Unschedulable("x"));
  PostFilterResult result;
  EXPECT_EQ(RunToEnd(runner.plugin().PostFilter(runner.state(), pod, statuses, &result)),
            Status::Error("preemption: pod \"p\" not found"));
  cluster.fake_listers().Add(pod);
  EXPECT_EQ(RunToEnd(runner.plugin().PostFilter(runner.state(), pod, statuses, &result)),
            Status::Error("preemption: expected at least one victim pod on node \"n\""));
  EXPECT_FALSE(result.nominated_node_name.has_value());
  ASSERT_EQ(cluster.reports().size(), 2u);
  EXPECT_EQ(cluster.reports()[1].message,
            "preemption: expected at least one victim pod on node \"n\"");
}

// A node "n" full of the pods v and w.
void FillNode(FakeHandle* cluster) {
  cluster->Add(OfCpu("n", "4"));
  for (std::string_view name : {"v", "w"}) {
    Pod victim = Prioritized(name, 1, "2").Node("n");
    cluster->Add(victim);
    cluster->fake_listers().Add(victim);
  }
}

// Goal: victims leave beside the cycles, and the plugin gates their preemptor until they are gone.
TEST(DefaultPreemption, GatesAPodWhileItsVictimsLeave) {
  FakeHandle cluster;
  FillNode(&cluster);
  Profile profile(cluster);
  Pod pod = Prioritized("p", 10, "4");
  EXPECT_TRUE(profile.PreEnqueue(pod).IsSuccess());
  EXPECT_EQ(profile.Schedule(pod).result.nominated_node_name, Symbol("n"));
  EXPECT_TRUE(cluster.fake_background().api.writes.empty()) << "not within the cycle";
  EXPECT_EQ(profile.PreEnqueue(pod), Status::UnschedulableAndUnresolvable(
                                         "waiting for the preemption for this pod to be finished")
                                         .WithPlugin(Symbol("DefaultPreemption")));
  EXPECT_TRUE(profile.PreEnqueue(Prioritized("q", 10, "4")).IsSuccess());
  cluster.loop().StartSpawned();
  EXPECT_EQ(cluster.fake_background().api.writes.size(), 6u) << "patch, delete, event for each";
  EXPECT_TRUE(profile.PreEnqueue(pod).IsSuccess());
}

TEST(DefaultPreemption, EvictsWithinTheCycleWithoutAsyncPreemption) {
  for (bool is_refused : {false, true}) {
    FakeHandle cluster;
    cluster.features().scheduler_async_preemption = false;
    FillNode(&cluster);
    Profile profile(cluster);
    FakeApiClient& api = cluster.fake_background().api;
    if (is_refused) api.answer = {500, "InternalError", "refused", ""};
    Pod pod = Prioritized("p", 10, "4");
    PostFilterOutcome outcome = profile.Schedule(pod);
    EXPECT_EQ(api.writes.size(), is_refused ? 1u : 6u);
    EXPECT_TRUE(profile.PreEnqueue(pod).IsSuccess());
    if (is_refused) {
      EXPECT_EQ(outcome.status.Message(), "preemption: refused");
      EXPECT_EQ(outcome.result.nominated_node_name, std::nullopt);
    } else {
      EXPECT_EQ(outcome.result.nominated_node_name, Symbol("n"));
    }
  }
}

// Goal: in v1.33 it registers no events, so that every event wakes the pods that it gates.
TEST(DefaultPreemption, CanWaitForEveryEvent) {
  const Pod pod = MakePod().Name("p");
  Features features;
  features.behaviour.preemption_waits_for_deletions = false;
  for (bool is_asynchronous : {true, false}) {
    features.scheduler_async_preemption = is_asynchronous;
    PluginRunner<DefaultPreemption> runner(NewPluginArgs("DefaultPreemption"), features);
    for (const ClusterEvent& event :
         {AssignedPodEvent(action::kDelete), AssignedPodEvent(action::kAdd),
          NodeEvent(action::kUpdateNodeTaint)}) {
      EXPECT_EQ(HintOf(runner.plugin(), event, pod, WasAdded(pod)), "Queue") << event.Label();
    }
  }
}

TEST(DefaultPreemption, RegistersDeletedPodsOnlyForItsGate) {
  const Pod pod = MakePod().Name("p");
  const EventObjects gone = WasDeleted(MakePod().Name("victim").Node("n"));
  PluginRunner<DefaultPreemption> runner;
  EXPECT_EQ(HintOf(runner.plugin(), AssignedPodEvent(action::kDelete), pod, gone), "Skip");
  EXPECT_EQ(HintOf(runner.plugin(), AssignedPodEvent(action::kAdd), pod, WasAdded(pod)), "deaf");
  Features synchronous;
  synchronous.scheduler_async_preemption = false;
  PluginRunner<DefaultPreemption> other(NewPluginArgs("DefaultPreemption"), synchronous);
  EXPECT_TRUE(other.plugin().EventsToRegister().empty());
}

}  // namespace
}  // namespace stowage
