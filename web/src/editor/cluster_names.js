/** Names of a cluster's objects, for fields that refer to objects. */
import { deviceNames, extendedResources } from './device_names.js';

/**
 * @import { Store } from '../../../js/apiserver/index.js'
 * @import { SchedulerSettings } from '../world/world.js'
 */

/** The longest list that is offered for one field. */
const MOST = 300;

/** The resource whose names a field takes, by field. @type {Record<string, string>} */
const NAMES_OF = {
  'core/v1.PodSpec.nodeName': 'nodes',
  'core/v1.ObjectReference.namespace': 'namespaces',
  'meta/v1.ObjectMeta.namespace': 'namespaces',
  'core/v1.PodAffinityTerm.namespaces': 'namespaces',
  'stowage/v1.Reference.namespace': 'namespaces',
  'core/v1.PodSpec.priorityClassName': 'priorityclasses',
  'core/v1.PodSpec.runtimeClassName': 'runtimeclasses',
  'core/v1.PersistentVolumeClaimSpec.storageClassName': 'storageclasses',
  'core/v1.PersistentVolumeSpec.storageClassName': 'storageclasses',
  'core/v1.PersistentVolumeClaimSpec.volumeName': 'persistentvolumes',
  'core/v1.PersistentVolumeClaimVolumeSource.claimName': 'persistentvolumeclaims',
  'core/v1.PodResourceClaim.resourceClaimName': 'resourceclaims',
  'core/v1.PodResourceClaim.resourceClaimTemplateName': 'resourceclaimtemplates',
  'core/v1.PodSchedulingGroup.podGroupName': 'podgroups',
  'scheduling/v1alpha2.PodGroupSpec.priorityClassName': 'priorityclasses',
  'resource/v1.ExactDeviceRequest.deviceClassName': 'deviceclasses',
  'resource/v1.DeviceSubRequest.deviceClassName': 'deviceclasses',
  'resource/v1.ResourceSliceSpec.nodeName': 'nodes',
  'resource/v1.Device.nodeName': 'nodes',
};

const OF_NODE_LABELS = [
  ...['core/v1.PodSpec.nodeSelector', 'core/v1.NodeSelectorRequirement.key'],
  ...['core/v1.TopologySpreadConstraint.topologyKey', 'core/v1.PodAffinityTerm.topologyKey'],
  'scheduling/v1alpha2.TopologyConstraint.key',
];

const OF_RESOURCES = [
  ...['core/v1.ResourceRequirements.requests', 'core/v1.ResourceRequirements.limits'],
  'config/v1.ResourceSpec.name',
];

/**
 * @param {string} field such as `core/v1.PodSpec.nodeName`
 * @param {{ store: Pick<Store, 'list'>, settings: SchedulerSettings }} cluster
 * @returns {string[]}
 */
export function namesInCluster(field, { store, settings }) {
  const resource = NAMES_OF[field];
  if (resource)
    return store
      .list(resource)
      .slice(0, MOST)
      .map(({ metadata }) => metadata.name);
  if (OF_NODE_LABELS.includes(field)) return keysOfNodes(store, ({ metadata }) => metadata.labels);
  if (OF_RESOURCES.includes(field))
    return [
      ...new Set([
        ...keysOfNodes(store, ({ status }) => status?.allocatable),
        ...extendedResources(store),
      ]),
    ].filter((name) => name !== 'pods');
  if (field === 'core/v1.Toleration.key') return taintKeys(store);
  if (field === 'core/v1.PodSpec.schedulerName') return schedulerNames(settings);
  return deviceNames(field, store).slice(0, MOST);
}

/**
 * @param {Pick<Store, 'list'>} store
 * @param {(node: any) => object | undefined} mapOf
 */
function keysOfNodes(store, mapOf) {
  const keys = new Set(store.list('nodes').flatMap((node) => Object.keys(mapOf(node) ?? {})));
  return [...keys].slice(0, MOST);
}

/** @param {Pick<Store, 'list'>} store */
function taintKeys(store) {
  const taints = store.list('nodes').flatMap(({ spec }) => spec?.taints ?? []);
  return [...new Set(taints.map(({ key }) => key))].slice(0, MOST);
}

/** @param {SchedulerSettings} settings */
function schedulerNames({ configuration }) {
  const { profiles = [] } = /** @type {any} */ (configuration ?? {});
  const names = profiles.flatMap((/** @type {any} */ { schedulerName }) => schedulerName ?? []);
  return names.length > 0 ? names : ['default-scheduler'];
}
