// Goal: every plugin registers the same events as in the reference (spec 02 §6), and so does the
// profile as a whole (spec 02 §5). Method: the default profile, built from the registry.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/config/defaults.h"
#include "core/config/expansion.h"
#include "core/plugins/in_tree_registry.h"
#include "core/runtime/framework.h"
#include "tests/support/fake_handle.h"

namespace stowage {
namespace {

using R = EventResource;

constexpr ActionType kAddOrUpdate = action::kAdd | action::kUpdate;

struct Registered {
  EventResource resource;
  ActionType action;
  bool has_hint = true;

  friend bool operator==(const Registered&, const Registered&) = default;
  friend void PrintTo(const Registered& one, std::ostream* out) {
    *out << ClusterEvent{one.resource, one.action}.Label() << (one.has_hint ? "" : " =");
  }
};

constexpr Registered kNodeTaints{R::kNode, action::kUpdateNodeTaint, false};

using EventsByPlugin = std::map<std::string, std::vector<Registered>>;

EventsByPlugin EventsOfDefaultProfile(const Features& features) {
  KubeSchedulerConfiguration configuration;
  SetDefaults(features, &configuration);
  FakeHandle handle;
  handle.features() = features;
  Registry registry = InTreeRegistry();
  auto points = [&registry](std::string_view name) -> std::optional<ExtensionPointSet> {
    const Registry::Entry* entry = registry.Find(name);
    if (entry == nullptr) return std::nullopt;
    return entry->points;
  };
  const KubeSchedulerProfile& profile = configuration.profiles.front();
  auto framework = Framework::New(profile, *ExpandProfile(profile, 0, points),
                                  {handle.snapshot(), handle.topology_index(), handle.pod_groups(),
                                   handle.nominator(), handle.listers(), handle.dra(),
                                   handle.features(), registry, handle.extenders(), handle.calls(),
                                   *handle.background(), handle.metrics(), handle.steps()})
                       .Take();
  EventsByPlugin events;
  for (const Framework::RegisteredEvents& registered : framework->EventsToRegister()) {
    std::vector<Registered>& list = events[registered.plugin.str()];
    for (const ClusterEventWithHint& one : registered.events) {
      list.push_back({one.event.resource, one.event.action, one.hint != nullptr});
    }
  }
  return events;
}

std::map<EventResource, ActionType> Masks(const EventsByPlugin& events) {
  std::map<EventResource, ActionType> masks;
  for (const auto& [plugin, list] : events) {
    for (const Registered& one : list) masks[one.resource] |= one.action;
  }
  return masks;
}

EventsByPlugin FiltersOfPodsAndNodes() {
  return {
      {"SchedulingGates", {{R::kPod, action::kUpdatePodSchedulingGatesEliminated}}},
      {"NodeUnschedulable",
       {{R::kNode, action::kAdd | action::kUpdateNodeTaint},
        {R::kPod, action::kUpdatePodToleration}}},
      {"NodeName", {{R::kNode, action::kAdd, false}, kNodeTaints}},
      {"TaintToleration",
       {{R::kNode, action::kAdd | action::kUpdateNodeTaint},
        {R::kPod, action::kUpdatePodToleration}}},
      {"NodeAffinity", {{R::kNode, action::kAdd | action::kUpdateNodeLabel}, kNodeTaints}},
      {"NodePorts", {{R::kPod, action::kDelete}, {R::kNode, action::kAdd, false}, kNodeTaints}},
      {"NodeResourcesFit",
       {{R::kPod, action::kDelete | action::kUpdatePodScaleDown},
        {R::kNode, action::kAdd | action::kUpdateNodeAllocatable},
        {R::kDeviceClass, kAddOrUpdate},
        kNodeTaints}},
      {"PodTopologySpread",
       {{R::kPod,
         action::kAdd | action::kUpdatePodLabel | action::kUpdatePodToleration | action::kDelete},
        {R::kNode,
         action::kAdd | action::kDelete | action::kUpdateNodeLabel | action::kUpdateNodeTaint}}},
      {"InterPodAffinity",
       {{R::kPod, action::kAdd | action::kUpdatePodLabel | action::kDelete},
        {R::kNode, action::kAdd | action::kUpdateNodeLabel},
        kNodeTaints}},
      {"NodeDeclaredFeatures",
       {{R::kNode, action::kAdd | action::kUpdateNodeDeclaredFeature},
        {R::kPod, action::kUpdate},
        kNodeTaints}},
      {"DefaultPreemption", {{R::kPod, action::kDelete}}},
  };
}

EventsByPlugin VolumesAndClaims() {
  const Registered node_labels{R::kNode, action::kAdd | action::kUpdateNodeLabel, false};
  const Registered claims{R::kPersistentVolumeClaim, kAddOrUpdate};
  return {
      {"VolumeRestrictions",
       {{R::kPod, action::kDelete},
        {R::kNode, action::kAdd, false},
        {R::kPersistentVolumeClaim, action::kAdd},
        kNodeTaints}},
      {"NodeVolumeLimits",
       {{R::kCsiNode, action::kAdd, false},
        {R::kCsiNode, action::kUpdate},
        {R::kPod, action::kDelete},
        {R::kPersistentVolumeClaim, action::kAdd},
        {R::kVolumeAttachment, action::kDelete}}},
      {"VolumeBinding",
       {{R::kStorageClass, kAddOrUpdate},
        claims,
        {R::kPersistentVolume, kAddOrUpdate, false},
        node_labels,
        {R::kCsiNode, kAddOrUpdate},
        {R::kCsiDriver, action::kUpdate},
        {R::kCsiStorageCapacity, kAddOrUpdate},
        kNodeTaints}},
      {"VolumeZone",
       {{R::kStorageClass, action::kAdd},
        node_labels,
        claims,
        {R::kPersistentVolume, kAddOrUpdate},
        kNodeTaints}},
      {"DynamicResources",
       {{R::kNode, action::kAdd | action::kUpdateNodeLabel | action::kUpdateNodeAllocatable, false},
        {R::kResourceClaim, kAddOrUpdate},
        {R::kPod, action::kUpdatePodGeneratedResourceClaim},
        {R::kDeviceClass, kAddOrUpdate, false},
        {R::kResourceSlice, kAddOrUpdate, false},
        kNodeTaints}},
  };
}

TEST(RegisteredEvents, EqualTheReferencesForEachPlugin) {
  EventsByPlugin want = FiltersOfPodsAndNodes();
  want.merge(VolumesAndClaims());
  EventsByPlugin events = EventsOfDefaultProfile({});
  for (const auto& [plugin, list] : want) EXPECT_EQ(events[plugin], list) << plugin;
  EXPECT_EQ(events.size(), want.size()) << "a plugin that rejects no pod registers nothing";
}

TEST(RegisteredEvents, CoverTheDefaultProfileByResource) {
  const std::map<EventResource, ActionType> want = {
      {R::kPod, action::kAll},
      {R::kNode, action::kAdd | action::kDelete | action::kUpdateNodeAllocatable |
                     action::kUpdateNodeLabel | action::kUpdateNodeTaint |
                     action::kUpdateNodeDeclaredFeature},
      {R::kPersistentVolume, kAddOrUpdate},
      {R::kPersistentVolumeClaim, kAddOrUpdate},
      {R::kCsiNode, kAddOrUpdate},
      {R::kCsiDriver, action::kUpdate},
      {R::kVolumeAttachment, action::kDelete},
      {R::kCsiStorageCapacity, kAddOrUpdate},
      {R::kStorageClass, kAddOrUpdate},
      {R::kResourceClaim, kAddOrUpdate},
      {R::kResourceSlice, kAddOrUpdate},
      {R::kDeviceClass, kAddOrUpdate},
  };
  EXPECT_EQ(Masks(EventsOfDefaultProfile({})), want);
}

TEST(RegisteredEvents, FollowTheGates) {
  Features off;
  off.scheduler_async_preemption = false;
  off.node_declared_features = false;
  off.dra_extended_resource = false;
  EventsByPlugin events = EventsOfDefaultProfile(off);
  EXPECT_EQ(events["DefaultPreemption"], std::vector<Registered>());
  EXPECT_FALSE(events.contains("NodeDeclaredFeatures"));
  EXPECT_EQ(Masks(events)[R::kNode] & action::kUpdateNodeDeclaredFeature, 0u);

  Features groups;
  groups.generic_workload = true;
  groups.gang_scheduling = true;
  events = EventsOfDefaultProfile(groups);
  const std::vector<Registered> want = {{R::kPod, action::kAdd}, {R::kPodGroup, action::kAdd}};
  EXPECT_EQ(events["GangScheduling"], want);
}

}  // namespace
}  // namespace stowage
