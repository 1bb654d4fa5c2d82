/** The kinds of objects that decisions read, who reads each, and the command that gets them all. */
import { resourceText, SCHEDULER_KINDS } from '../kubernetes/watched_kinds.js';

/** @import { Kind } from '../kubernetes/watched_kinds.js' */

/**
 * `readers`: the plugins of the scheduler, the admission plugins of the API server, and the
 * controllers whose work is done before a pod is decided on.
 * @typedef {Kind & { kind: string, readers: readonly string[] }} NeededKind
 */

const CORE = { group: undefined, version: 'v1' };
const APPS = { group: 'apps', version: 'v1' };
const STORAGE = { group: 'storage.k8s.io', version: 'v1' };
const DEVICES = { group: 'resource.k8s.io', version: 'v1' };

/** What reads the owners of a pod that names no constraints of its own. */
const DEFAULT_SPREADING = ['PodTopologySpread'];

/** @type {readonly Readonly<NeededKind>[]} */
export const NEEDED_KINDS = Object.freeze(
  [
    needed('Node', CORE, 'nodes', ['NodeResourcesFit', 'NodeAffinity', 'TaintToleration']),
    needed('Pod', CORE, 'pods', ['NodeResourcesFit', 'InterPodAffinity', 'PodTopologySpread']),
    needed('Namespace', CORE, 'namespaces', ['InterPodAffinity']),
    needed('Service', CORE, 'services', DEFAULT_SPREADING),
    needed('ReplicationController', CORE, 'replicationcontrollers', DEFAULT_SPREADING),
    needed('ReplicaSet', APPS, 'replicasets', DEFAULT_SPREADING),
    needed('StatefulSet', APPS, 'statefulsets', DEFAULT_SPREADING),
    needed('Deployment', APPS, 'deployments', ['DeploymentController']),
    needed('DaemonSet', APPS, 'daemonsets', ['DaemonSetController']),
    needed('Job', { group: 'batch', version: 'v1' }, 'jobs', ['JobController']),
    needed('PodDisruptionBudget', { group: 'policy', version: 'v1' }, 'poddisruptionbudgets', [
      'DefaultPreemption',
    ]),
    needed('PersistentVolume', CORE, 'persistentvolumes', [
      'VolumeBinding',
      'VolumeZone',
      'NodeVolumeLimits',
    ]),
    needed('PersistentVolumeClaim', CORE, 'persistentvolumeclaims', [
      'VolumeBinding',
      'VolumeZone',
      'VolumeRestrictions',
      'NodeVolumeLimits',
    ]),
    needed('StorageClass', STORAGE, 'storageclasses', ['VolumeBinding', 'DefaultStorageClass']),
    needed('CSINode', STORAGE, 'csinodes', ['NodeVolumeLimits']),
    needed('CSIDriver', STORAGE, 'csidrivers', ['VolumeBinding']),
    needed('CSIStorageCapacity', STORAGE, 'csistoragecapacities', ['VolumeBinding']),
    needed('VolumeAttachment', STORAGE, 'volumeattachments', ['NodeVolumeLimits']),
    needed('PriorityClass', { group: 'scheduling.k8s.io', version: 'v1' }, 'priorityclasses', [
      'Priority',
    ]),
    needed('RuntimeClass', { group: 'node.k8s.io', version: 'v1' }, 'runtimeclasses', [
      'RuntimeClass',
    ]),
    needed('LimitRange', CORE, 'limitranges', ['LimitRanger']),
    needed('ResourceQuota', CORE, 'resourcequotas', ['ResourceQuota']),
    needed('ResourceClaim', DEVICES, 'resourceclaims', ['DynamicResources']),
    needed('ResourceClaimTemplate', DEVICES, 'resourceclaimtemplates', ['ResourceClaimController']),
    needed('ResourceSlice', DEVICES, 'resourceslices', ['DynamicResources']),
    needed('DeviceClass', DEVICES, 'deviceclasses', ['DynamicResources']),
  ].map((kind) => Object.freeze(kind)),
);

const RESOURCES = NEEDED_KINDS.map(({ resource }) => resource).join();

/** What kubectl is asked for, to have all of them. */
export const GET_ALL_KINDS = `kubectl get ${RESOURCES} -A -o json`;

/**
 * Those of a live cluster that are listed besides what a scheduler watches.
 * @type {readonly Kind[]}
 */
export const KINDS_BESIDES = NEEDED_KINDS.filter(
  (kind) => !SCHEDULER_KINDS.some((watched) => resourceText(watched) === resourceText(kind)),
);

/**
 * The plugins and controllers that read objects of a kind.
 * @param {string} kind of the table
 * @returns {readonly string[]}
 */
export function readersOf(kind) {
  return NEEDED_KINDS.find((needed) => needed.kind === kind)?.readers ?? [];
}

/**
 * @param {string} kind
 * @param {{ group?: string, version: string }} place
 * @param {string} resource
 * @param {string[]} readers
 * @returns {NeededKind}
 */
function needed(kind, { group, version }, resource, readers) {
  return { kind, group, version, resource, readers };
}
