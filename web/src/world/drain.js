/** Whom `kubectl drain --ignore-daemonsets --force --delete-emptydir-data` evicts. */

/** @import { KubernetesObject } from '../../../js/src/index.js' */

const MIRROR = 'kubernetes.io/config.mirror';

/**
 * The pods of a node but those that would be there again at once, of DaemonSets and of the kubelet
 * itself, and those that go already.
 * @param {readonly KubernetesObject[]} pods that are on it
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
