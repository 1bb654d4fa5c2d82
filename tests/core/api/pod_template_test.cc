// Goal: pods of one template differ in the pods' own fields and nothing else.
#include "core/api/pod_template.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

struct ChangeCase {
  std::string name;
  std::function<void(Pod&)> change;
};

Pod Template() {
  return MakePod()
      .Name("web-0")
      .Namespace("shop")
      .Uid("u-0")
      .Label("app", "web")
      .OwnerReference("apps/v1", "ReplicaSet", "web")
      .Req({{"cpu", "1"}})
      .Obj();
}

ResourceList OneCpu() { return MakePod().Overhead({{"cpu", "1"}}).Obj().spec.overhead; }

TEST(PodTemplate, IgnoresNamesAndTimes) {
  const ChangeCase cases[] = {
      {"name", [](Pod& p) { p.metadata.name = Symbol("web-1"); }},
      {"uid", [](Pod& p) { p.metadata.uid = Symbol("u-1"); }},
      {"resourceVersion", [](Pod& p) { p.metadata.resource_version = "2"; }},
      {"annotations", [](Pod& p) { p.metadata.annotations.Set(Symbol("a"), Symbol("1")); }},
      {"creationTimestamp", [](Pod& p) { p.metadata.creation_timestamp = Instant::FromMicros(1); }},
      {"startTime", [](Pod& p) { p.status.start_time = Instant::FromMicros(1); }},
      {"source", [](Pod& p) { p.metadata.source = std::make_shared<const std::string>("{}"); }},
  };
  Pod first = Template();
  for (const ChangeCase& c : cases) {
    Pod other = first;
    c.change(other);
    EXPECT_TRUE(AreOfOneTemplate(first, other)) << c.name;
    EXPECT_EQ(HashOfTemplate(first), HashOfTemplate(other)) << c.name;
  }
}

TEST(PodTemplate, ComparesAllOtherFields) {
  const ChangeCase cases[] = {
      {"namespace", [](Pod& p) { p.metadata.namespace_ = Symbol("other"); }},
      {"generation", [](Pod& p) { p.metadata.generation = 7; }},
      {"labels", [](Pod& p) { p.metadata.labels.Set(Symbol("tier"), Symbol("1")); }},
      {"ownerReferences", [](Pod& p) { p.metadata.owner_references.clear(); }},
      {"deletionTimestamp", [](Pod& p) { p.metadata.deletion_timestamp = Instant(); }},
      {"nodeName", [](Pod& p) { p.spec.node_name = Symbol("n"); }},
      {"schedulerName", [](Pod& p) { p.spec.scheduler_name = Symbol("mine"); }},
      {"priority", [](Pod& p) { p.spec.priority = 5; }},
      {"priorityClassName", [](Pod& p) { p.spec.priority_class_name = Symbol("high"); }},
      {"preemptionPolicy", [](Pod& p) { p.spec.preemption_policy = Symbol("Never"); }},
      {"nodeSelector",
       [](Pod& p) {
         p.spec.node_selector = LabelMap({{"disk", "ssd"}});
       }},
      {"affinity", [](Pod& p) { p.spec.affinity.emplace(); }},
      {"tolerations", [](Pod& p) { p.spec.tolerations.push_back({}); }},
      {"topologySpreadConstraints",
       [](Pod& p) { p.spec.topology_spread_constraints.push_back({}); }},
      {"schedulingGates", [](Pod& p) { p.spec.scheduling_gates.push_back({}); }},
      {"containers", [](Pod& p) { p.spec.containers.Mutable()[0].image = Symbol("i"); }},
      {"initContainers", [](Pod& p) { p.spec.init_containers.push_back({}); }},
      {"resources", [](Pod& p) { p.spec.resources.emplace(); }},
      {"overhead", [](Pod& p) { p.spec.overhead = OneCpu(); }},
      {"volumes", [](Pod& p) { p.spec.volumes.push_back({}); }},
      {"resourceClaims", [](Pod& p) { p.spec.resource_claims.push_back({}); }},
      {"schedulingGroup", [](Pod& p) { p.spec.scheduling_group.emplace(); }},
      {"os", [](Pod& p) { p.spec.os.emplace(); }},
      {"hostNetwork", [](Pod& p) { p.spec.host_network = true; }},
      {"hostUsers", [](Pod& p) { p.spec.host_users = true; }},
      {"phase", [](Pod& p) { p.status.phase = Symbol("Pending"); }},
      {"nominatedNodeName", [](Pod& p) { p.status.nominated_node_name = Symbol("n"); }},
      {"conditions", [](Pod& p) { p.status.conditions.push_back({}); }},
      {"status.resources", [](Pod& p) { p.status.resources.emplace(); }},
      {"allocatedResources", [](Pod& p) { p.status.allocated_resources = OneCpu(); }},
      {"containerStatuses", [](Pod& p) { p.status.container_statuses.push_back({}); }},
      {"initContainerStatuses", [](Pod& p) { p.status.init_container_statuses.push_back({}); }},
      {"resourceClaimStatuses", [](Pod& p) { p.status.resource_claim_statuses.push_back({}); }},
      {"extendedResourceClaimStatus",
       [](Pod& p) { p.status.extended_resource_claim_status.emplace(); }},
      {"nodeAllocatableResourceClaimStatuses",
       [](Pod& p) { p.status.node_allocatable_resource_claim_statuses.push_back({}); }},
  };
  Pod first = Template();
  for (const ChangeCase& c : cases) {
    Pod other = first;
    c.change(other);
    EXPECT_FALSE(AreOfOneTemplate(first, other)) << c.name;
    EXPECT_FALSE(AreOfOneTemplate(other, first)) << c.name;
  }
}

// Workloads often differ in one of these parts alone.
// Goal: the claim of an ephemeral volume has the pod's name and owner.
TEST(PodTemplate, IsOfOnePodWithEphemeralVolumes) {
  Pod first = MakePod().Name("web-0").Uid("u-0").EphemeralVolume().Obj();
  Pod other = first;
  EXPECT_TRUE(AreOfOneTemplate(first, other));
  other.metadata.name = Symbol("web-1");
  EXPECT_FALSE(AreOfOneTemplate(first, other));
  other = first;
  other.metadata.uid = Symbol("u-1");
  EXPECT_FALSE(AreOfOneTemplate(first, other));
}

TEST(PodTemplate, HashesPartsThatDifferBetweenTemplates) {
  const ChangeCase cases[] = {
      {"labels", [](Pod& p) { p.metadata.labels.Set(Symbol("tier"), Symbol("1")); }},
      {"affinity", [](Pod& p) { p.spec.affinity.emplace(); }},
      {"tolerations", [](Pod& p) { p.spec.tolerations.push_back({}); }},
      {"topologySpreadConstraints",
       [](Pod& p) { p.spec.topology_spread_constraints.push_back({}); }},
      {"containers", [](Pod& p) { p.spec.containers.Mutable()[0].image = Symbol("i"); }},
  };
  Pod first = Template();
  for (const ChangeCase& c : cases) {
    Pod other = first;
    c.change(other);
    EXPECT_NE(HashOfTemplate(first), HashOfTemplate(other)) << c.name;
  }
}

// Equal lists and texts count as different unless they are shared.
TEST(PodTemplate, RequiresSharedParts) { EXPECT_FALSE(AreOfOneTemplate(Template(), Template())); }

}  // namespace
}  // namespace stowage
