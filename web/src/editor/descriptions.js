/** One line on fields that decide where a pod goes; the table of types has no words. */

/** @type {Record<string, string>} */
const LINES = {
  'core/v1.PodSpec.nodeName':
    'The node it is bound to. With it the scheduler has nothing to decide',
  'core/v1.PodSpec.nodeSelector': 'Labels that the node must have',
  'core/v1.PodSpec.affinity': 'Which nodes, and which pods nearby, it wants or avoids',
  'core/v1.PodSpec.schedulerName': 'The profile that decides; default default-scheduler',
  'core/v1.PodSpec.tolerations': 'Taints that do not keep it away',
  'core/v1.PodSpec.priorityClassName': 'Who goes first, and whom it may evict',
  'core/v1.PodSpec.preemptionPolicy': 'Whether it may evict others',
  'core/v1.PodSpec.overhead': 'Added to the requests of its containers',
  'core/v1.PodSpec.topologySpreadConstraints': 'How evenly pods are spread over zones or nodes',
  'core/v1.PodSpec.schedulingGates': 'Until all are taken away it is not tried',
  'core/v1.PodSpec.resourceClaims': 'Devices that it wants',
  'core/v1.PodSpec.resources': 'Of all its containers together',
  'core/v1.ResourceRequirements.requests': 'What the scheduler counts',
  'core/v1.ResourceRequirements.limits':
    'What the container may use; requests, where there are none',
  'core/v1.ContainerPort.hostPort': 'One pod of a node can have it',
  'core/v1.TopologySpreadConstraint.maxSkew': 'How much fuller a domain may be than the emptiest',
  'core/v1.TopologySpreadConstraint.topologyKey': 'Nodes with equal values of this label: a domain',
  'core/v1.TopologySpreadConstraint.whenUnsatisfiable': 'Whether it filters or only scores',
  'core/v1.TopologySpreadConstraint.labelSelector': 'The pods that are counted',
  'core/v1.TopologySpreadConstraint.minDomains': 'With fewer domains the emptiest counts as 0',
  'core/v1.TopologySpreadConstraint.matchLabelKeys':
    'Labels whose own values are added to the selector',
  'core/v1.PodAffinityTerm.topologyKey': 'Nodes with equal values of this label are one place',
  'core/v1.PodAffinityTerm.labelSelector': 'The pods that are looked for',
  'core/v1.PodAffinityTerm.namespaces': 'Where they are looked for; default: its own namespace',
  'core/v1.NodeSpec.unschedulable': 'What kubectl cordon sets',
  'core/v1.NodeSpec.taints': 'Keep pods away that do not tolerate them',
  'core/v1.NodeStatus.allocatable': 'What pods can request',
  'core/v1.NodeStatus.capacity': 'What the machine has',
  'core/v1.NodeStatus.images': 'ImageLocality scores nodes by them',
  'core/v1.Toleration.key': 'Empty, with Exists: every taint',
  'core/v1.Toleration.effect': 'Empty: all effects',
  'scheduling/v1.PriorityClass.value': 'The larger goes first',
  'config/v1.KubeSchedulerConfiguration.parallelism':
    'Of no effect here: decisions do not depend on it',
  'config/v1.KubeSchedulerConfiguration.percentageOfNodesToScore':
    'Enough feasible nodes end the search; 0: adaptive',
  'config/v1.KubeSchedulerConfiguration.podInitialBackoffSeconds':
    'How long the first backoff takes; default 1',
  'config/v1.KubeSchedulerConfiguration.podMaxBackoffSeconds': 'The longest backoff; default 10',
  'config/v1.KubeSchedulerConfiguration.profiles': 'Schedulers, which pods choose by schedulerName',
  'config/v1.KubeSchedulerConfiguration.extenders': 'HTTP services that are asked as well',
  'config/v1.KubeSchedulerProfile.plugins': 'Enabled and disabled, by extension point',
  'config/v1.KubeSchedulerProfile.pluginConfig': 'Arguments of plugins',
  'config/v1.Plugins.multiPoint': 'At all extension points that a plugin has',
  'config/v1.PluginSet.enabled': 'Added to the defaults, or in their place with another weight',
  'config/v1.PluginSet.disabled': 'Defaults to leave out; * is all',
  'config/v1.Plugin.weight': 'Of scores; default 1',
  'config/v1.DefaultPreemptionArgs.minCandidateNodesPercentage': 'Default 10',
  'config/v1.DefaultPreemptionArgs.minCandidateNodesAbsolute': 'Default 100',
  'config/v1.InterPodAffinityArgs.hardPodAffinityWeight':
    "What others' required affinity to the pod scores; default 1",
  'config/v1.NodeAffinityArgs.addedAffinity': 'Added to that of every pod of the profile',
  'config/v1.NodeResourcesFitArgs.ignoredResources': 'Not filtered by',
  'config/v1.NodeResourcesFitArgs.scoringStrategy': 'Spread, pack, or a line of your own',
  'config/v1.PodTopologySpreadArgs.defaultConstraints': 'For pods that have none',
  'config/v1.PodTopologySpreadArgs.defaultingType': 'System, or List: defaultConstraints',
  'config/v1.VolumeBindingArgs.bindTimeoutSeconds': 'How long it waits for volumes; default 600',
  'stowage/v1.Step.advance': 'Lets this duration go by, such as 90s',
  'stowage/v1.Step.at': 'Sets the clock to this duration after the start',
  'stowage/v1.Item.repeat': 'So many objects, with {n} in their values',
};

/** @param {string} field such as `core/v1.PodSpec.nodeName` */
export function descriptionOf(field) {
  return LINES[field];
}
