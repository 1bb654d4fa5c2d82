/** Names that mean something to the scheduler, or that everybody has. */
import { groupOf } from '../api_group.js';

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

const KEYS = new Set([...ZONE_KEYS, 'kubernetes.io/hostname', 'kubernetes.io/metadata.name']);

/**
 * Whether the key of a label or taint stays as it is.
 * @param {string} key
 */
export function isWellKnownKey(key) {
  return KEYS.has(key) || key.startsWith('node.kubernetes.io/');
}

/** Annotations that the scheduler and the controllers of volumes read. */
export const ANNOTATIONS = Object.freeze({
  asTheyAre: [
    'pv.kubernetes.io/bind-completed',
    'pv.kubernetes.io/bound-by-controller',
    'storage.alpha.kubernetes.io/migrated-plugins',
    'storageclass.kubernetes.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ],
  names: ['volume.kubernetes.io/selected-node', 'volume.beta.kubernetes.io/storage-class'],
});

/** Drivers and provisioners that the scheduler knows by name. */
const DRIVERS = new Set([
  'ebs.csi.aws.com',
  'pd.csi.storage.gke.io',
  'disk.csi.azure.com',
  'file.csi.azure.com',
  'cinder.csi.openstack.org',
  'csi.vsphere.vmware.com',
  'pxd.portworx.com',
]);

/** @param {string} name */
export function isWellKnownDriver(name) {
  return DRIVERS.has(name) || name.startsWith('kubernetes.io/');
}

/** Resources that every cluster has. */
export const RESOURCES = new Set(['cpu', 'memory', 'ephemeral-storage', 'storage', 'pods']);

/** @param {string} name of a PriorityClass */
export function isWellKnownPriorityClass(name) {
  return name === 'system-cluster-critical' || name === 'system-node-critical';
}

export const DEFAULT_SCHEDULER = 'default-scheduler';

/** Where the kinds of owners are that the scheduler knows. */
const OWNER_GROUPS = new Set(['', 'apps', 'batch']);

/** @param {unknown} apiVersion */
export function isWellKnownGroup(apiVersion) {
  return OWNER_GROUPS.has(groupOf(apiVersion));
}
