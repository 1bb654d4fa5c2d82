#include "core/plugins/in_tree_registry.h"

#include "core/plugins/default_binder.h"
#include "core/plugins/default_preemption.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/gang_scheduling.h"
#include "core/plugins/image_locality.h"
#include "core/plugins/inter_pod_affinity.h"
#include "core/plugins/node_affinity.h"
#include "core/plugins/node_declared_features.h"
#include "core/plugins/node_name.h"
#include "core/plugins/node_ports.h"
#include "core/plugins/node_resources_balanced_allocation.h"
#include "core/plugins/node_resources_fit.h"
#include "core/plugins/node_unschedulable.h"
#include "core/plugins/node_volume_limits.h"
#include "core/plugins/pod_group_pods_count.h"
#include "core/plugins/pod_topology_spread.h"
#include "core/plugins/priority_sort.h"
#include "core/plugins/scheduling_gates.h"
#include "core/plugins/taint_toleration.h"
#include "core/plugins/topology_placement_generator.h"
#include "core/plugins/volume_binding.h"
#include "core/plugins/volume_restrictions.h"
#include "core/plugins/volume_zone.h"

namespace stowage {

Registry InTreeRegistry(const Behaviour& behaviour) {
  Registry registry;
  registry.Register<SchedulingGates>();
  registry.Register<PrioritySort>();
  registry.Register<NodeUnschedulable>();
  registry.Register<NodeName>();
  registry.Register<TaintToleration>();
  registry.Register<NodeAffinity>();
  registry.Register<NodePorts>();
  registry.Register<NodeResourcesFit>();
  registry.Register<VolumeRestrictions>();
  registry.Register<NodeVolumeLimits>();
  registry.Register<VolumeBinding>();
  registry.Register<VolumeZone>();
  registry.Register<PodTopologySpread>();
  registry.Register<InterPodAffinity>();
  registry.Register<DynamicResources>();
  if (!behaviour.dynamic_resources_scores) {
    registry.Withdraw(DynamicResources::kName, ExtensionPoint::kScore);
  }
  registry.Register<DefaultPreemption>();
  registry.Register<NodeResourcesBalancedAllocation>();
  registry.Register<ImageLocality>();
  registry.Register<DefaultBinder>();
  registry.Register<NodeDeclaredFeatures>();
  registry.Register<GangScheduling>();
  registry.Register<TopologyPlacementGenerator>();
  registry.Register<PodGroupPodsCount>();
  return registry;
}

}  // namespace stowage
