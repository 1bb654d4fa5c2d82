/**
 * The meaning of claims, volumes and classes, and which of them match: the simulation's own
 * reading, which shares no code with the engine (spec plugins/volume-binding.md,
 * plugins/volume-zone.md).
 */
import { amountsOf } from './amounts.js';

export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
export const ZONE = 'topology.kubernetes.io/zone';
export const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

const ZONE_KEYS = [
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  ZONE,
  'topology.kubernetes.io/region',
];

/**
 * A claim of a pod by one of its volumes.
 *
 * @typedef {object} PodClaim
 * @property {string} name
 * @property {string} key        namespace/name
 * @property {boolean} isEphemeral the claim is created for the pod
 */

/** @param {any} pod @returns {PodClaim[]} */
export function claimsOf({ metadata: { namespace, name: podName }, spec: { volumes = [] } }) {
  return volumes.flatMap(
    (/** @type {any} */ { name: volume, persistentVolumeClaim, ephemeral }) => {
      if (!persistentVolumeClaim && !ephemeral) return [];
      const name = persistentVolumeClaim?.claimName ?? `${podName}-${volume}`;
      return [{ name, key: `${namespace}/${name}`, isEphemeral: !persistentVolumeClaim }];
    },
  );
}

/** @param {any} object @returns {Record<string, string>} */
export const annotationsOf = ({ metadata: { annotations } }) => annotations ?? {};

/** @param {any} object  a claim or a volume @returns {string} */
export const classOf = ({ spec: { storageClassName } }) => storageClassName ?? '';

/** @param {any} claim */
export function isFullyBound(claim) {
  return Boolean(claim.spec.volumeName) && BIND_COMPLETED in annotationsOf(claim);
}

/** @param {any} storageClass  or undefined */
export const isDelayed = (storageClass) =>
  storageClass?.volumeBindingMode === 'WaitForFirstConsumer';

/** @param {any} claim @param {any} pod */
export function isControlledBy({ metadata: { ownerReferences = [] } }, pod) {
  const owner = ownerReferences.find((/** @type {any} */ { controller }) => controller);
  return owner?.uid === pod.metadata.uid;
}

/** Whether the volume names the claim as its own. @param {any} volume @param {any} claim */
export function isSetAsideFor({ spec: { claimRef } }, { metadata: { namespace, name, uid } }) {
  if (claimRef?.name !== name || claimRef.namespace !== namespace) return false;
  return !claimRef.uid || claimRef.uid === uid;
}

/** @param {any} volume */
export const capacityOf = ({ spec: { capacity } }) => amountsOf(capacity).storage ?? 0;

/** @param {any} claim */
export const requestOf = ({ spec: { resources } }) => amountsOf(resources?.requests).storage ?? 0;

/**
 * Whether the volume satisfies a claim for which it was made.
 * @param {any} volume @param {any} claim
 */
export const isLargeEnough = (volume, claim) =>
  capacityOf(volume) >= requestOf(claim) && !volume.metadata.deletionTimestamp;

/**
 * Whether the volume satisfies any claim like this one.
 * @param {any} volume @param {any} claim
 */
export function suits(volume, claim) {
  const modes = volume.spec.accessModes ?? [];
  return (
    isLargeEnough(volume, claim) &&
    classOf(volume) === classOf(claim) &&
    (claim.spec.accessModes ?? []).every((/** @type {string} */ mode) => modes.includes(mode))
  );
}

/** Whether the volume is unclaimed. @param {any} volume */
export const isFree = ({ spec: { claimRef }, status }) =>
  !claimRef && status?.phase === 'Available';

/**
 * Whether labels satisfy expressions, all of which are of the form "key In values".
 * @param {{key: string, values: string[]}[]} expressions @param {Record<string, string>} labels
 */
const haveAll = (expressions, labels) =>
  expressions.every(({ key, values }) => key in labels && values.includes(labels[key]));

/** Whether the volume's affinity matches the node. @param {any} volume @param {any} node */
export function reaches({ spec: { nodeAffinity } }, { metadata: { labels = {} } }) {
  if (!nodeAffinity?.required) return true;
  return nodeAffinity.required.nodeSelectorTerms.some(
    (/** @type {any} */ { matchExpressions = [] }) =>
      matchExpressions.length > 0 && haveAll(matchExpressions, labels),
  );
}

/**
 * Whether the node is in a zone that the volume's labels name.
 * @param {any} volume @param {any} node
 */
export function isInZoneOf({ metadata: { labels: demands = {} } }, { metadata: { labels = {} } }) {
  if (!ZONE_KEYS.some((key) => key in labels)) return true;
  return ZONE_KEYS.filter((key) => key in demands).every((key) => {
    const zones = demands[key].split('__').map((/** @type {string} */ zone) => zone.trim());
    if (zones.includes('')) return true;
    const own = labels[key] ?? labels[key.replace('failure-domain.beta', 'topology')];
    return own !== undefined && zones.includes(own);
  });
}

/**
 * Whether the class allows provisioning for the node.
 * @param {any} storageClass @param {any} node
 */
export function allows({ allowedTopologies = [] }, { metadata: { labels = {} } }) {
  if (allowedTopologies.length === 0) return true;
  return allowedTopologies.some((/** @type {any} */ { matchLabelExpressions = [] }) => {
    return matchLabelExpressions.length > 0 && haveAll(matchLabelExpressions, labels);
  });
}

/** Whether the class has a provisioner. @param {any} storageClass  or undefined */
export function hasProvisioner(storageClass) {
  return Boolean(storageClass?.provisioner) && storageClass.provisioner !== NO_PROVISIONER;
}

/**
 * Whether there is capacity for the claim at the node, if its driver reports capacity.
 * @param {{claim: any, storageClass: any, node: any}} wish
 * @param {{driver: any, capacities: Iterable<any>}} known
 */
export function hasRoom({ claim, storageClass, node }, { driver, capacities }) {
  if (!claim.spec.resources?.requests?.storage || !driver?.spec.storageCapacity) return true;
  return [...capacities].some(({ storageClassName, nodeTopology, ...offer }) => {
    const limit = offer.maximumVolumeSize ?? offer.capacity;
    const isLarge =
      storageClassName === storageClass.metadata.name &&
      limit !== undefined &&
      amountsOf({ storage: limit }).storage >= requestOf(claim);
    const labels = node.metadata.labels ?? {};
    const wanted = Object.entries(nodeTopology?.matchLabels ?? {});
    return isLarge && nodeTopology && wanted.every(([key, value]) => labels[key] === value);
  });
}
