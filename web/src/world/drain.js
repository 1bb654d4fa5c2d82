/** The pods that `kubectl drain --ignore-daemonsets --force --delete-emptydir-data` evicts. */

/** @import { KubernetesObject } from '../../../js/src/index.js' */

const MIRROR = 'kubernetes.io/config.mirror';

/**
 * The node's pods, except pods of DaemonSets and mirror pods, which would return at once, and pods
 * that are already being deleted.
 * @param {readonly KubernetesObject[]} pods all pods on the node
 * @returns {string[]} `namespace/name`
 */
export function podsToEvict(pods) {
  return pods
    .filter((pod) => !isMirror(pod) && !isOfDaemonSet(pod) && !pod.metadata.deletionTimestamp)
    .map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
}

/** @param {KubernetesObject} pod */
function isMirror({ metadata: { annotations = {} } }) {
  return MIRROR in annotations;
}

/** @param {KubernetesObject} pod */
function isOfDaemonSet({ metadata: { ownerReferences = [] } }) {
  return ownerReferences.some(
    (/** @type {any} */ { kind, controller }) => kind === 'DaemonSet' && controller,
  );
}
