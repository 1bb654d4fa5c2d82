/** The values of fields that the schema describes as `string` only. */
import { RESOURCES } from '../../../js/src/kubernetes.js';
import { OWN_TYPES } from './own_types.js';

const EFFECTS = 'NoSchedule PreferNoSchedule NoExecute';
const DEVICE_EFFECTS = 'NoSchedule NoExecute None';
const LABEL_OPERATORS = 'In NotIn Exists DoesNotExist';
const NODE_LABELS =
  'kubernetes.io/hostname topology.kubernetes.io/zone topology.kubernetes.io/region';
const POLICIES = 'Honor Ignore';

/** The values by field, the most common first. @type {Record<string, string>} */
const FIXED = {
  'core/v1.Taint.effect': EFFECTS,
  'core/v1.Toleration.effect': EFFECTS,
  'core/v1.Toleration.operator': 'Equal Exists',
  'core/v1.NodeSelectorRequirement.operator': `${LABEL_OPERATORS} Gt Lt`,
  'meta/v1.LabelSelectorRequirement.operator': LABEL_OPERATORS,
  'core/v1.TopologySpreadConstraint.whenUnsatisfiable': 'DoNotSchedule ScheduleAnyway',
  'core/v1.TopologySpreadConstraint.nodeAffinityPolicy': POLICIES,
  'core/v1.TopologySpreadConstraint.nodeTaintsPolicy': POLICIES,
  'core/v1.PodSpec.restartPolicy': 'Always OnFailure Never',
  'core/v1.PodSpec.dnsPolicy': 'ClusterFirst ClusterFirstWithHostNet Default None',
  'core/v1.PodSpec.preemptionPolicy': 'PreemptLowerPriority Never',
  'core/v1.PodSpec.priorityClassName': 'system-cluster-critical system-node-critical',
  'core/v1.Container.imagePullPolicy': 'IfNotPresent Always Never',
  'core/v1.ContainerPort.protocol': 'TCP UDP SCTP',
  'core/v1.ServicePort.protocol': 'TCP UDP SCTP',
  'core/v1.ServiceSpec.type': 'ClusterIP NodePort LoadBalancer ExternalName',
  'core/v1.PodStatus.phase': 'Pending Running Succeeded Failed',
  'core/v1.NodeCondition.type': 'Ready MemoryPressure DiskPressure PIDPressure NetworkUnavailable',
  'core/v1.NodeCondition.status': 'True False Unknown',
  'core/v1.PodCondition.status': 'True False Unknown',
  'core/v1.PersistentVolumeClaimSpec.accessModes':
    'ReadWriteOnce ReadOnlyMany ReadWriteMany ReadWriteOncePod',
  'core/v1.PersistentVolumeSpec.accessModes':
    'ReadWriteOnce ReadOnlyMany ReadWriteMany ReadWriteOncePod',
  'core/v1.PersistentVolumeSpec.persistentVolumeReclaimPolicy': 'Retain Delete Recycle',
  'core/v1.PersistentVolumeClaimSpec.volumeMode': 'Filesystem Block',
  'core/v1.PersistentVolumeSpec.volumeMode': 'Filesystem Block',
  'storage/v1.StorageClass.volumeBindingMode': 'WaitForFirstConsumer Immediate',
  'storage/v1.StorageClass.reclaimPolicy': 'Delete Retain',
  'scheduling/v1.PriorityClass.preemptionPolicy': 'PreemptLowerPriority Never',
  'scheduling/v1alpha2.PodGroupSpec.disruptionMode': 'Pod PodGroup',
  'policy/v1.PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy': 'IfHealthyBudget AlwaysAllow',
  'apps/v1.DeploymentStrategy.type': 'RollingUpdate Recreate',
  'apps/v1.StatefulSetSpec.podManagementPolicy': 'OrderedReady Parallel',
  'batch/v1.JobSpec.completionMode': 'NonIndexed Indexed',
  'resource/v1.ExactDeviceRequest.allocationMode': 'ExactCount All',
  'resource/v1.DeviceSubRequest.allocationMode': 'ExactCount All',
  'resource/v1.DeviceToleration.operator': 'Equal Exists',
  'resource/v1.DeviceToleration.effect': DEVICE_EFFECTS,
  'resource/v1.DeviceTaint.effect': DEVICE_EFFECTS,
  'resource/v1beta2.DeviceTaint.effect': DEVICE_EFFECTS,
  'resource/v1.DeviceAllocationConfiguration.source': 'FromClass FromClaim',
  'core/v1.TopologySpreadConstraint.topologyKey': NODE_LABELS,
  'core/v1.PodAffinityTerm.topologyKey': NODE_LABELS,
  'core/v1.PodSpec.nodeSelector': `${NODE_LABELS} kubernetes.io/os kubernetes.io/arch`,
  'core/v1.NodeSelectorRequirement.key': `${NODE_LABELS} kubernetes.io/os kubernetes.io/arch`,
  'core/v1.ResourceRequirements.requests': 'cpu memory ephemeral-storage',
  'core/v1.ResourceRequirements.limits': 'cpu memory ephemeral-storage',
  'core/v1.PodSpec.overhead': 'cpu memory ephemeral-storage',
  'core/v1.NodeStatus.allocatable': 'cpu memory ephemeral-storage pods',
  'core/v1.NodeStatus.capacity': 'cpu memory ephemeral-storage pods',
  'core/v1.VolumeResourceRequirements.requests': 'storage',
  'config/v1.ResourceSpec.name': 'cpu memory ephemeral-storage',
  'config/v1.ScoringStrategy.type': 'LeastAllocated MostAllocated RequestedToCapacityRatio',
  'config/v1.PodTopologySpreadArgs.defaultingType': 'System List',
  'config/v1.KubeSchedulerProfile.schedulerName': 'default-scheduler',
};

/** @param {string} field such as `core/v1.Taint.effect` */
export function fixedValues(field) {
  return FIXED[field]?.split(' ') ?? [];
}

/** The resources whose objects are stored. */
const STORED = RESOURCES.filter(({ verbs }) => verbs.includes('list'));

/**
 * The apiVersions that fit an object's kind, or the kinds that fit its apiVersion.
 * @param {'apiVersion' | 'kind'} field
 * @param {{ apiVersion?: unknown, kind?: unknown }} object
 */
export function identityValues(field, { apiVersion, kind }) {
  const isFit =
    field === 'kind'
      ? (/** @type {{ apiVersion: string }} */ one) => one.apiVersion === apiVersion
      : (/** @type {{ kind: string }} */ one) => one.kind === kind;
  const fit = STORED.filter(isFit);
  return [...new Set((fit.length > 0 ? fit : STORED).map((resource) => resource[field]))];
}

/** The in-tree plugins with their extension points. @type {Record<string, string>} */
const PLUGINS = {
  SchedulingGates: 'preEnqueue',
  PrioritySort: 'queueSort',
  NodeUnschedulable: 'filter',
  NodeName: 'filter',
  TaintToleration: 'filter preScore score',
  NodeAffinity: 'preFilter filter preScore score',
  NodePorts: 'preFilter filter',
  NodeResourcesFit: 'preFilter filter preScore score',
  VolumeRestrictions: 'preFilter filter',
  NodeVolumeLimits: 'preFilter filter',
  VolumeBinding: 'preFilter filter preScore score reserve preBind',
  VolumeZone: 'preFilter filter',
  PodTopologySpread: 'preFilter filter preScore score',
  InterPodAffinity: 'preFilter filter preScore score',
  DynamicResources: 'preEnqueue preFilter filter postFilter score reserve preBind',
  DefaultPreemption: 'preEnqueue postFilter',
  NodeResourcesBalancedAllocation: 'preScore score',
  ImageLocality: 'score',
  DefaultBinder: 'bind',
  NodeDeclaredFeatures: 'preFilter filter',
};

/** The plugins whose arguments have a type. */
const WITH_ARGS = [...OWN_TYPES.matchAll(/^type config\/v1\.(\w+)Args$/gm)]
  .map(([, name]) => name)
  .filter((name) => name !== 'Plugin');

/**
 * The plugins that a configuration may name at a path.
 * @param {import('../../../js/src/manifests.js').Step[]} path with `plugins` or
 *   `pluginConfig` in it
 */
export function pluginNames(path) {
  const at = path.indexOf('plugins');
  if (at < 0) return WITH_ARGS;
  const point = String(path[at + 1]);
  const names = Object.keys(PLUGINS).filter(
    (name) => point === 'multiPoint' || PLUGINS[name].split(' ').includes(point),
  );
  return path[at + 2] === 'disabled' ? [...names, '*'] : names;
}
