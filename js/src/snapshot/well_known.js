/** Names with a meaning to the scheduler, or that every cluster has. */
import { groupOf } from '../kubernetes/api_group.js';

/** Keys whose values are zones or regions. */
export const ZONE_KEYS = new Set([
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'topology.ebs.csi.aws.com/zone',
  'topology.gke.io/zone',
  'topology.cinder.csi.openstack.org/zone',
]);

/** Below `node.kubernetes.io/`: labels, and the taints of node controllers. */
const NODE_KEYS = [
  'disk-pressure',
  'exclude-from-external-load-balancers',
  'instance-type',
  'memory-pressure',
  'network-unavailable',
  'not-ready',
  'out-of-service',
  'pid-pressure',
  'unreachable',
  'unschedulable',
  'windows-build',
];

/** Labels of pods whose values are numbers that a controller counts. */
export const NUMBER_KEYS = new Set([
  'apps.kubernetes.io/pod-index',
  'batch.kubernetes.io/job-completion-index',
  'pod-template-generation',
]);

/** Labels of pods whose values are uids. */
export const UID_KEYS = new Set(['controller-uid', 'batch.kubernetes.io/controller-uid']);

const KEYS = new Set([
  ...ZONE_KEYS,
  ...NODE_KEYS.map((name) => `node.kubernetes.io/${name}`),
  'kubernetes.io/hostname',
  'kubernetes.io/metadata.name',
  'pod-template-hash',
  'controller-revision-hash',
  'statefulset.kubernetes.io/pod-name',
  'job-name',
  'batch.kubernetes.io/job-name',
  ...NUMBER_KEYS,
  ...UID_KEYS,
]);

/**
 * Whether the key of a label or taint stays.
 * @param {string} key
 */
export function isWellKnownKey(key) {
  return KEYS.has(key);
}

/** Annotations that the scheduler, the controllers and the commands read. */
export const ANNOTATIONS = Object.freeze({
  asTheyAre: [
    'batch.kubernetes.io/job-completion-index',
    'controller.kubernetes.io/pod-deletion-cost',
    'deployment.kubernetes.io/revision',
    'deprecated.daemonset.template.generation',
    'pv.kubernetes.io/bind-completed',
    'pv.kubernetes.io/bound-by-controller',
    'resource.kubernetes.io/extended-resource-claim',
    'storage.alpha.kubernetes.io/migrated-plugins',
    'storageclass.kubernetes.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ],
  names: [
    'kubernetes.io/config.mirror',
    'resource.kubernetes.io/pod-claim-name',
    'volume.kubernetes.io/selected-node',
    'volume.beta.kubernetes.io/storage-class',
  ],
});

/** In-tree provisioners of volumes, present or former, below `kubernetes.io/`. */
const IN_TREE = [
  'aws-ebs',
  'azure-disk',
  'azure-file',
  'cinder',
  'gce-pd',
  'glusterfs',
  'no-provisioner',
  'portworx-volume',
  'rbd',
  'vsphere-volume',
];

/** Drivers and provisioners that the scheduler knows by name. */
const DRIVERS = new Set([
  'ebs.csi.aws.com',
  'pd.csi.storage.gke.io',
  'disk.csi.azure.com',
  'file.csi.azure.com',
  'cinder.csi.openstack.org',
  'csi.vsphere.vmware.com',
  'pxd.portworx.com',
  ...IN_TREE.map((name) => `kubernetes.io/${name}`),
]);

/** @param {string} name */
export function isWellKnownDriver(name) {
  return DRIVERS.has(name);
}

/** Types of conditions of nodes, pods and Jobs that Kubernetes' own components write. */
export const CONDITION_TYPES = new Set([
  ...['DiskPressure', 'MemoryPressure', 'NetworkUnavailable', 'PIDPressure', 'Ready'],
  ...['ContainersReady', 'DisruptionTarget', 'Initialized', 'PodReadyToStartContainers'],
  ...['PodResizeInProgress', 'PodResizePending', 'PodScheduled'],
  ...['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet', 'Suspended'],
]);

/** Their reasons for conditions of pods. */
export const CONDITION_REASONS = new Set([
  ...['SchedulerError', 'SchedulingGated', 'Unschedulable'],
  ...['DeletionByPodGC', 'DeletionByTaintManager', 'EvictionByEvictionAPI'],
  ...['PreemptionByScheduler', 'TerminationByKubelet'],
  ...['ContainersNotInitialized', 'ContainersNotReady', 'PodCompleted', 'PodFailed'],
  ...['Deferred', 'Error', 'Infeasible'],
]);

/** Features of nodes in v1.36 (NodeDeclaredFeatures). */
export const FEATURES = new Set([
  'ExtendWebSocketsToKubelet',
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'RestartAllContainersOnContainerExits',
  'UserNamespacesHostNetworkSupport',
]);

/** The finalizer of allocated device claims. */
export const CLAIM_FINALIZER = 'resource.kubernetes.io/delete-protection';

/** Resources that every cluster has. */
export const RESOURCES = new Set(['cpu', 'memory', 'ephemeral-storage', 'storage', 'pods']);

/** Objects that a ResourceQuota counts, by their names there. */
export const COUNTED = new Set([
  ...['pods', 'services', 'services.loadbalancers', 'services.nodeports', 'secrets'],
  ...['configmaps', 'persistentvolumeclaims', 'replicationcontrollers', 'resourcequotas'],
  ...['deployments.apps', 'replicasets.apps', 'statefulsets.apps', 'daemonsets.apps'],
  ...['jobs.batch', 'cronjobs.batch', 'horizontalpodautoscalers.autoscaling'],
  ...['ingresses.networking.k8s.io', 'resourceclaims.resource.k8s.io'],
]);

/** @param {string} name of a PriorityClass */
export function isWellKnownPriorityClass(name) {
  return name === 'system-cluster-critical' || name === 'system-node-critical';
}

/** The groups of the owners that the scheduler knows. */
const OWNER_GROUPS = new Set(['', 'apps', 'batch']);

/** @param {unknown} apiVersion */
export function isWellKnownGroup(apiVersion) {
  return OWNER_GROUPS.has(groupOf(apiVersion));
}
