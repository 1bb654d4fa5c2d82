/**
 * Drops the fields of features whose gate is off. Counterparts: `DropDisabledPodFields` of
 * pkg/api/pod/util.go, and what strategies of pkg/registry drop, v1.36.
 */
import { isRecord } from '../src/kubernetes/values.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Gate } from './feature_gates.js'
 */

/**
 * `to`: what the field gets instead. `unless`: the value that stays. `isLast`: the object around it
 * is dropped with its last field.
 * @typedef {{ to?: unknown, unless?: unknown, isLast?: boolean }} Rule
 */

/**
 * A field of a gate; `*` is each item of a list, or each value of a map.
 * @typedef {readonly [gate: Gate, path: string, rule?: Rule]} Field
 */

/** @param {string} place @param {readonly Field[]} fields @returns {Field[]} */
function at(place, fields) {
  return fields.map(([gate, path, rule]) => [gate, `${place}.${path}`, rule]);
}

/** @type {Field[]} */
const OF_CONTAINERS = [
  ['ContainerRestartRules', 'restartPolicyRules'],
  ['ContainerStopSignals', 'lifecycle.stopSignal', { isLast: true }],
  ['DynamicResourceAllocation', 'resources.claims'],
  ['EnvFiles', 'env.*.valueFrom.fileKeyRef'],
  ['InPlacePodVerticalScaling', 'resizePolicy'],
  ['ProcMountType', 'securityContext.procMount', { to: 'Default', unless: 'Default' }],
];

/** @type {Field[]} */
const OF_PODS = [
  ...['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) =>
    at(`${list}.*`, OF_CONTAINERS),
  ),
  ['ContainerRestartRules', 'containers.*.restartPolicy'],
  ['ContainerRestartRules', 'ephemeralContainers.*.restartPolicy'],
  ['ContainerRestartRules', 'initContainers.*.restartPolicy', { unless: 'Always' }],
  ['ClusterTrustBundleProjection', 'volumes.*.projected.sources.*.clusterTrustBundle'],
  ['DynamicResourceAllocation', 'resourceClaims'],
  ['GenericWorkload', 'schedulingGroup'],
  ['HostnameOverride', 'hostnameOverride'],
  // Validation refuses a volume that is left without a source; one that never had it gets one.
  ['ImageVolume', 'volumes.*.image', { to: null }],
  ['MatchLabelKeysInPodTopologySpread', 'topologySpreadConstraints.*.matchLabelKeys'],
  ['PodCertificateRequest', 'volumes.*.projected.sources.*.podCertificate'],
  ['PodLevelResources', 'resources'],
  ['SELinuxChangePolicy', 'securityContext.seLinuxChangePolicy'],
  ['SupplementalGroupsPolicy', 'securityContext.supplementalGroupsPolicy'],
  ['UserNamespacesSupport', 'hostUsers'],
];

/** @type {Field[]} */
const OF_POD_STATUSES = [
  ...['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'].flatMap((list) =>
    at(`${list}.*`, [
      ['InPlacePodVerticalScaling', 'allocatedResources'],
      ['InPlacePodVerticalScaling', 'resources'],
      ['ResourceHealthStatus', 'allocatedResourcesStatus'],
      ['SupplementalGroupsPolicy', 'user'],
    ]),
  ),
  ['DRAExtendedResource', 'extendedResourceClaimStatus'],
  ['DynamicResourceAllocation', 'resourceClaimStatuses'],
  ['InPlacePodLevelResourcesVerticalScaling', 'allocatedResources'],
  ['InPlacePodLevelResourcesVerticalScaling', 'resources'],
  ['PodObservedGenerationTracking', 'conditions.*.observedGeneration'],
  ['PodObservedGenerationTracking', 'observedGeneration'],
];

/** @type {Field[]} */
const OF_CLAIMS = [
  ['DRAAdminAccess', 'devices.requests.*.exactly.adminAccess'],
  ['DRAPrioritizedList', 'devices.requests.*.firstAvailable'],
  ['DRAConsumableCapacity', 'devices.requests.*.exactly.capacity'],
  ['DRAConsumableCapacity', 'devices.requests.*.firstAvailable.*.capacity'],
  ['DRAConsumableCapacity', 'devices.constraints.*.distinctAttribute'],
];

/** @type {Field[]} */
const OF_CLAIM_STATUSES = [
  ['DRAResourceClaimDeviceStatus', 'devices'],
  ['DRAConsumableCapacity', 'allocation.devices.results.*.consumedCapacity'],
  ['DRAConsumableCapacity', 'allocation.devices.results.*.shareID'],
  ['DRAConsumableCapacity', 'devices.*.shareID'],
  ['DRADeviceBindingConditions', 'allocation.devices.results.*.bindingConditions'],
  ['DRADeviceBindingConditions', 'allocation.devices.results.*.bindingFailureConditions'],
];

/** @type {Field[]} */
const OF_DEVICES = [
  ['DRAConsumableCapacity', 'allowMultipleAllocations'],
  ['DRAConsumableCapacity', 'capacity.*.requestPolicy'],
  ['DRADeviceBindingConditions', 'bindingConditions'],
  ['DRADeviceBindingConditions', 'bindingFailureConditions'],
  ['DRADeviceBindingConditions', 'bindsToNode'],
  ['DRADeviceTaints', 'taints'],
  ...['bools', 'ints', 'strings', 'versions'].map(
    (list) => /** @type {Field} */ (['DRAListTypeAttributes', `attributes.*.${list}`]),
  ),
  ['DRANodeAllocatableResources', 'nodeAllocatableResourceMappings'],
  ['DRAPartitionableDevices', 'allNodes'],
  ['DRAPartitionableDevices', 'consumesCounters'],
  ['DRAPartitionableDevices', 'nodeName'],
  ['DRAPartitionableDevices', 'nodeSelector'],
];

/** @type {Field[]} */
const OF_GROUPS = [
  ['DRAWorkloadResourceClaims', 'resourceClaims'],
  ['TopologyAwareWorkloadScheduling', 'schedulingConstraints'],
  ['WorkloadAwarePreemption', 'disruptionMode'],
  ['WorkloadAwarePreemption', 'priority'],
  ['WorkloadAwarePreemption', 'priorityClassName'],
];

/** @type {Field[]} */
const OF_JOBS = [['JobManagedBy', 'managedBy'], ...at('template.spec', OF_PODS)];

const TEMPLATE = at('spec.template.spec', OF_PODS);

/** @type {Field[]} */
const WITH_TERMINATING = [
  ...TEMPLATE,
  ['DeploymentReplicaSetTerminatingReplicas', 'status.terminatingReplicas'],
];

/** By kind; the other kinds may have a template of pods. @type {Record<string, Field[]>} */
const FIELDS = {
  CSIDriver: [
    ['CSIServiceAccountTokenSecrets', 'spec.serviceAccountTokenInSecrets'],
    ['MutableCSINodeAllocatableCount', 'spec.nodeAllocatableUpdatePeriodSeconds'],
    ['VolumeLimitScaling', 'spec.preventPodSchedulingIfMissing'],
  ],
  CronJob: at('spec.jobTemplate.spec', OF_JOBS),
  Deployment: WITH_TERMINATING,
  DeviceClass: [['DRAExtendedResource', 'spec.extendedResourceName']],
  Job: at('spec', OF_JOBS),
  Node: [['NodeDeclaredFeatures', 'status.declaredFeatures']],
  PersistentVolume: [['VolumeAttributesClass', 'spec.volumeAttributesClassName']],
  PersistentVolumeClaim: [
    ['CrossNamespaceVolumeDataSource', 'spec.dataSourceRef.namespace'],
    ['VolumeAttributesClass', 'spec.volumeAttributesClassName'],
  ],
  Pod: [...at('spec', OF_PODS), ...at('status', OF_POD_STATUSES)],
  PodGroup: [
    ...at('spec', OF_GROUPS),
    ['DRAWorkloadResourceClaims', 'status.resourceClaimStatuses'],
  ],
  PodTemplate: at('template.spec', OF_PODS),
  ReplicaSet: WITH_TERMINATING,
  ResourceClaim: [...at('spec', OF_CLAIMS), ...at('status', OF_CLAIM_STATUSES)],
  ResourceClaimTemplate: at('spec.spec', OF_CLAIMS),
  ResourceSlice: [
    ...at('spec.devices.*', OF_DEVICES),
    ['DRAPartitionableDevices', 'spec.perDeviceNodeSelection'],
    ['DRAPartitionableDevices', 'spec.sharedCounters'],
  ],
  StatefulSet: [
    ...TEMPLATE,
    ['MaxUnavailableStatefulSet', 'spec.updateStrategy.rollingUpdate.maxUnavailable'],
  ],
  Workload: at('spec.podGroupTemplates.*', OF_GROUPS),
};

/**
 * Returns the object without the fields of features that are off. All fields of a feature stay if
 * the stored object has one of them.
 * @param {KubernetesObject} object
 * @param {(gate: Gate) => boolean} isOn
 * @param {KubernetesObject} [old] what is stored
 * @returns {KubernetesObject} the same if there is nothing to drop
 */
export function withoutDisabledFields(object, isOn, old) {
  const fields = (FIELDS[object.kind ?? ''] ?? TEMPLATE).filter(([gate]) => !isOn(gate));
  const used = new Set(fields.filter((field) => without(old, field) !== old).map(([gate]) => gate));
  return fields
    .filter(([gate]) => !used.has(gate))
    .reduce((left, field) => without(left, field), object);
}

/**
 * @param {any} object
 * @param {Field} field
 */
function without(object, [, path, rule = {}]) {
  return withoutPath(object, path.split('.'), rule);
}

/**
 * @param {any} part
 * @param {string[]} path
 * @param {Rule} rule
 * @returns {any} the same without such a field
 */
function withoutPath(part, [name, ...rest], rule) {
  if (name === '*') return withoutInEach(part, rest, rule);
  if (!isRecord(part) || part[name] == null) return part;
  const { [name]: field, ...others } = part;
  if (rest.length === 0) {
    if (field === rule.unless) return part;
    return 'to' in rule ? { ...part, [name]: rule.to } : others;
  }
  const left = withoutPath(field, rest, rule);
  if (left === field) return part;
  return rule.isLast && Object.keys(left).length === 0 ? others : { ...part, [name]: left };
}

/**
 * @param {any} part a list or a map
 * @param {string[]} path in each item
 * @param {Rule} rule
 */
function withoutInEach(part, path, rule) {
  if (!isRecord(part) && !Array.isArray(part)) return part;
  const entries = Object.entries(part);
  const left = entries.map(
    ([key, item]) => /** @type {const} */ ([key, withoutPath(item, path, rule)]),
  );
  if (left.every(([, item], index) => item === entries[index][1])) return part;
  return Array.isArray(part) ? left.map(([, item]) => item) : Object.fromEntries(left);
}
