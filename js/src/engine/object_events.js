/** Creates watch events for one object from the engine's copy of it. */
import { DEFAULT_NAMESPACE, podKeyOf } from '../kubernetes/keys.js';
import { InputError, WaitError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/values.js';
import { volumeRemovals, withoutOwnClaims } from './own_claims.js';

/**
 * @import { PodInspection } from './inspection_types.js'
 * @import { Scheduler } from './scheduler.js'
 * @import { SchedulerOptions } from './types.js'
 * @import { KubernetesObject, WatchEvent } from '../kubernetes/types.js'
 */

/**
 * Returns where a pod is. Throws if it does not exist.
 * @typedef {(pod: string) => PodInspection} Ask
 */

/** Status fields that an unplaced pod keeps: its claims need them. */
const KEPT_STATUS = ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'startTime'];

/**
 * Returns the DELETED event of an object. A pod's event needs its uid, which identifies the pod.
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
 * Returns a pod as it was before it had a node.
 * @param {KubernetesObject} pod
 * @returns {KubernetesObject}
 */
export function unplaced(pod) {
  const { nodeName, ...spec } = pod.spec ?? {};
  const status = Object.entries(pod.status ?? {}).filter(([field]) => KEPT_STATUS.includes(field));
  return { ...pod, spec, status: { phase: 'Pending', ...Object.fromEntries(status) } };
}

/**
 * Returns the pod that takes the place of a deleted one: without a node, and without the names of
 * device claims that end with the deleted pod. Controllers make new ones.
 * @param {KubernetesObject} pod complete
 * @param {Pick<Scheduler, 'get'>} objects of the cluster, before or after the deletion
 * @returns {KubernetesObject}
 */
export function successorOf(pod, objects) {
  return withoutOwnClaims(unplaced(pod), objects);
}

/**
 * Returns events that delete a pod and add it again without a node. With the simulated API it gets
 * new claims, if the scheduler keeps objects; a host's API server does not know of the deletion.
 * @param {KubernetesObject} pod complete, except for its uid
 * @param {Scheduler} scheduler
 * @param {SchedulerOptions} options
 * @returns {WatchEvent[]}
 * @throws {InputError} if the pod is on no node, or cannot be read
 */
export function unbindingOf(pod, scheduler, { api = 'simulated', keepObjects = true }) {
  const whole = { ...pod, metadata: { ...pod.metadata, uid: boundUid(pod, scheduler) } };
  const getsClaims = api === 'simulated' && keepObjects;
  const object = getsClaims ? successorOf(whole, scheduler) : unplaced(whole);
  try {
    scheduler.evaluate(object, { detail: 'summary', preemption: false });
  } catch (error) {
    if (!(error instanceof WaitError)) throw error;
  }
  return [
    { type: 'DELETED', object: { apiVersion: 'v1', kind: 'Pod', metadata: whole.metadata } },
    ...(getsClaims ? volumeRemovals(whole, scheduler) : []),
    { type: 'ADDED', object },
  ];
}

/**
 * Returns the uid of a pod on a node.
 * @param {KubernetesObject} pod
 * @param {Scheduler} scheduler
 * @throws {InputError} if it is on no node
 */
function boundUid(pod, scheduler) {
  const name = podKeyOf(pod);
  const { uid, node } = scheduler.inspect({ pod: name });
  if (node !== null) return uid;
  const detail = `pod ${name} is on no node`;
  const field = 'spec.nodeName';
  throw new InputError({ code: 'FieldValueInvalid', kind: 'Pod', field, detail });
}
