/** Watch events about one object, made of what the engine has of it. */
import { DEFAULT_NAMESPACE, podKeyOf } from '../kubernetes/keys.js';
import { InputError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/values.js';

/**
 * @import { PodInspection } from './inspection_types.js'
 * @import { KubernetesObject, WatchEvent } from '../kubernetes/types.js'
 */

/**
 * Answers where a pod is, and throws where there is none.
 * @typedef {(pod: string) => PodInspection} Ask
 */

/** What is known of a pod that was never bound, or that its claims need. */
const KEPT_STATUS = ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'startTime'];

/**
 * The DELETED event of an object. A pod's event needs its uid, which identifies the pod.
 * @param {KubernetesObject} object
 * @param {Ask} ask
 * @returns {WatchEvent}
 */
export function removalOf(object, ask) {
  if (object?.kind !== 'Pod' || !isRecord(object.metadata)) return { type: 'DELETED', object };
  const uid = object.metadata.uid ?? ask(podKeyOf(object)).uid;
  const metadata = { namespace: DEFAULT_NAMESPACE, ...object.metadata, uid };
  return { type: 'DELETED', object: { ...object, metadata } };
}

/**
 * That a pod is gone, and that it is there anew, on no node.
 * @param {KubernetesObject} pod complete, but for its uid
 * @param {Ask} ask
 * @returns {{ events: WatchEvent[], pod: KubernetesObject }}
 * @throws {InputError} when it is on no node
 */
export function unbindingOf(pod, ask) {
  const name = podKeyOf(pod);
  const { uid, node } = ask(name);
  if (node === null) {
    const detail = `pod ${name} is on no node`;
    throw new InputError({
      code: 'FieldValueInvalid',
      kind: 'Pod',
      field: 'spec.nodeName',
      detail,
    });
  }
  const metadata = { ...pod.metadata, uid };
  const unbound = unplaced({ ...pod, metadata });
  const events = [
    { type: 'DELETED', object: { apiVersion: 'v1', kind: 'Pod', metadata } },
    { type: 'ADDED', object: unbound },
  ];
  return { events, pod: unbound };
}

/**
 * A pod as it was before it had a node.
 * @param {KubernetesObject} pod
 * @returns {KubernetesObject}
 */
export function unplaced(pod) {
  const { nodeName, ...spec } = pod.spec ?? {};
  const status = Object.entries(pod.status ?? {}).filter(([field]) => KEPT_STATUS.includes(field));
  return { ...pod, spec, status: { phase: 'Pending', ...Object.fromEntries(status) } };
}
