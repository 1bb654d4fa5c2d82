/** One-line descriptions of the fields that affect where a pod goes. The schema has none. */

/** @type {Record<string, string>} */
const LINES = {
  'core/v1.PodSpec.nodeName': 'The node of a bound pod. The scheduler ignores such a pod',
  'core/v1.PodSpec.nodeSelector': 'Labels that the node must have',
  'core/v1.PodSpec.affinity': 'Nodes, and pods nearby, that it prefers, requires or avoids',
  'core/v1.PodSpec.schedulerName': 'The profile that decides; default default-scheduler',
  'core/v1.PodSpec.tolerations': 'Taints that it ignores',
  'core/v1.PodSpec.priorityClassName': 'The class that sets its place in the queue and its victims',
  'core/v1.PodSpec.preemptionPolicy': 'Whether it may evict others',
  'core/v1.PodSpec.overhead': 'Added to the requests of its containers',
  'core/v1.PodSpec.topologySpreadConstraints': 'How evenly pods are spread over zones or nodes',
  'core/v1.PodSpec.schedulingGates': 'The scheduler does not try it until all are removed',
  'core/v1.PodSpec.resourceClaims': 'Devices that it requests',
  'core/v1.PodSpec.resources': 'For all containers together',
  'core/v1.ResourceRequirements.requests': 'The amounts that the scheduler counts',
  'core/v1.ResourceRequirements.limits': 'The maximum use; also the default for requests',
  'core/v1.ContainerPort.hostPort': 'Only one pod per node can have it',
  'core/v1.TopologySpreadConstraint.maxSkew': 'How much fuller a domain may be than the emptiest',
  'core/v1.TopologySpreadConstraint.topologyKey':
    'Nodes with equal values of this label form a domain',
  'core/v1.TopologySpreadConstraint.whenUnsatisfiable': 'Whether it filters or only scores',
  'core/v1.TopologySpreadConstraint.labelSelector': 'The pods to count',
  'core/v1.TopologySpreadConstraint.minDomains': 'With fewer domains the emptiest counts as 0',
  'core/v1.TopologySpreadConstraint.matchLabelKeys':
    'Labels whose values in the pod are added to the selector',
  'core/v1.PodAffinityTerm.topologyKey': 'Nodes with equal values of this label form a domain',
  'core/v1.PodAffinityTerm.labelSelector': 'The pods to match',
  'core/v1.PodAffinityTerm.namespaces': 'The namespaces of these pods; default: its own',
  'core/v1.NodeSpec.unschedulable': 'Set by kubectl cordon',
  'core/v1.NodeSpec.taints': 'They repel pods that do not tolerate them',
  'core/v1.NodeStatus.allocatable': 'The amounts that pods can request',
  'core/v1.NodeStatus.capacity': 'The amounts of the machine',
  'core/v1.NodeStatus.images': 'ImageLocality scores nodes by them',
  'core/v1.Toleration.key': 'Empty, with Exists: every taint',
  'core/v1.Toleration.effect': 'Empty: all effects',
  'scheduling/v1.PriorityClass.value': 'Larger values go first',
  'core/v1.PodSpec.schedulingGroup':
    'The PodGroup that it starts with; feature gate GenericWorkload',
  'scheduling/v1alpha2.GangSchedulingPolicy.minCount': 'Fewer pods of the group are never bound',
  'scheduling/v1alpha2.TopologyConstraint.key':
    'All pods of the group are in one domain of this label',
  'core/v1.ResourceRequirements.claims': 'The claims of the pod whose devices the container gets',
  'core/v1.PodResourceClaim.resourceClaimName': 'A claim that exists, which pods may share',
  'core/v1.PodResourceClaim.resourceClaimTemplateName': 'The pod gets a claim of its own from it',
  'resource/v1.DeviceClaim.requests': 'All of them are met, on one node',
  'resource/v1.DeviceClaim.constraints': 'What the devices of requests have in common, or not',
  'resource/v1.DeviceClaim.config': 'For the drivers of the devices; no decision depends on it',
  'resource/v1.DeviceRequest.exactly': 'Devices of one class',
  'resource/v1.DeviceRequest.firstAvailable': 'Alternatives, the preferred first; at most 8',
  'resource/v1.ExactDeviceRequest.deviceClassName': 'The class whose selectors the device matches',
  'resource/v1.ExactDeviceRequest.selectors': 'All of them match the device, besides the class',
  'resource/v1.ExactDeviceRequest.allocationMode': 'ExactCount, or All matching devices',
  'resource/v1.ExactDeviceRequest.count': 'How many devices; default 1',
  'resource/v1.ExactDeviceRequest.adminAccess':
    'Also devices in use; the namespace needs the label resource.kubernetes.io/admin-access',
  'resource/v1.ExactDeviceRequest.tolerations': 'Device taints that it ignores',
  'resource/v1.ExactDeviceRequest.capacity': 'The part of a shared device that it consumes',
  'resource/v1.CELDeviceSelector.expression':
    'CEL, of device.driver, device.attributes["DOMAIN"].NAME and device.capacity["DOMAIN"].NAME',
  'resource/v1.DeviceConstraint.matchAttribute':
    'DOMAIN/NAME of an attribute with one value in all devices',
  'resource/v1.DeviceConstraint.distinctAttribute':
    'DOMAIN/NAME of an attribute with different values in all devices',
  'resource/v1.DeviceConstraint.requests': 'Empty: all requests',
  'resource/v1.DeviceClassSpec.selectors': 'All of them match the devices of the class',
  'resource/v1.DeviceClassSpec.extendedResourceName':
    'Pods that request this resource get devices of the class',
  'resource/v1.ResourceSliceSpec.pool': 'The slices of a pool are read together',
  'resource/v1.ResourcePool.generation': 'Slices of lower generations are ignored',
  'resource/v1.ResourcePool.resourceSliceCount': 'With fewer slices the pool is incomplete',
  'resource/v1.ResourceSliceSpec.nodeName': 'The node of all its devices',
  'resource/v1.ResourceSliceSpec.allNodes': 'Every node can use the devices',
  'resource/v1.ResourceSliceSpec.perDeviceNodeSelection': 'Each device says where it is',
  'resource/v1.ResourceSliceSpec.sharedCounters': 'Amounts that the devices of the pool share',
  'resource/v1.Device.attributes': 'Selectors and constraints read them',
  'resource/v1.Device.capacity': 'Amounts that selectors read and shared devices divide',
  'resource/v1.Device.consumesCounters': 'What an allocation takes of the shared counters',
  'resource/v1.Device.taints': 'They repel claims that do not tolerate them',
  'resource/v1.Device.allowMultipleAllocations': 'Several claims may have parts of it',
  'resource/v1.Device.bindingConditions': 'Their pod is bound when its driver has set all of them',
  'resource/v1.Device.bindingFailureConditions': 'Any of them ends the wait; the pod tries again',
  'resource/v1beta2.DeviceTaintRuleSpec.deviceSelector': 'The tainted devices; absent: all',
  'resource/v1beta2.DeviceTaintRuleSpec.taint':
    'The scheduler reads it with the feature gate DRADeviceTaintRules',
  'config/v1.DynamicResourcesArgs.filterTimeout': 'The longest allocation on a node; default 10s',
  'config/v1.DynamicResourcesArgs.bindingTimeout':
    'The longest wait for binding conditions; default 600s',
  'config/v1.KubeSchedulerConfiguration.parallelism':
    'No effect here: decisions do not depend on it',
  'config/v1.KubeSchedulerConfiguration.percentageOfNodesToScore':
    'Enough feasible nodes end the search; 0: adaptive',
  'config/v1.KubeSchedulerConfiguration.podInitialBackoffSeconds':
    'The first backoff in seconds; default 1',
  'config/v1.KubeSchedulerConfiguration.podMaxBackoffSeconds':
    'The longest backoff in seconds; default 10',
  'config/v1.KubeSchedulerConfiguration.profiles': 'Schedulers, which pods choose by schedulerName',
  'config/v1.KubeSchedulerConfiguration.extenders': 'HTTP services that also filter and score',
  'config/v1.KubeSchedulerProfile.plugins': 'Enabled and disabled, by extension point',
  'config/v1.KubeSchedulerProfile.pluginConfig': 'Arguments of plugins',
  'config/v1.Plugins.multiPoint': 'At all extension points that a plugin has',
  'config/v1.PluginSet.enabled': 'Added to the defaults, or replacing the weight of one',
  'config/v1.PluginSet.disabled': 'Defaults to leave out; * is all',
  'config/v1.Plugin.weight': 'Factor of its scores; default 1',
  'config/v1.DefaultPreemptionArgs.minCandidateNodesPercentage': 'Default 10',
  'config/v1.DefaultPreemptionArgs.minCandidateNodesAbsolute': 'Default 100',
  'config/v1.InterPodAffinityArgs.hardPodAffinityWeight':
    "The score of other pods' required affinity to the pod; default 1",
  'config/v1.NodeAffinityArgs.addedAffinity':
    'Added to the node affinity of every pod of the profile',
  'config/v1.NodeResourcesFitArgs.ignoredResources': 'Resources to ignore when filtering',
  'config/v1.NodeResourcesFitArgs.scoringStrategy':
    'LeastAllocated spreads, MostAllocated packs; or a custom shape',
  'config/v1.PodTopologySpreadArgs.defaultConstraints': 'For pods without constraints',
  'config/v1.PodTopologySpreadArgs.defaultingType': 'System, or List to use defaultConstraints',
  'config/v1.VolumeBindingArgs.bindTimeoutSeconds': 'Seconds to wait for volumes; default 600',
  'stowage/v1.Step.advance': 'Advances the clock by this duration, such as 90s',
  'stowage/v1.Step.at': 'Sets the clock to this duration after the start',
  'stowage/v1.Item.repeat': 'The number of objects; {n} in their values counts them',
};

/** @param {string} field such as `core/v1.PodSpec.nodeName` */
export function descriptionOf(field) {
  return LINES[field];
}
