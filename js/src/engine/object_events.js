/** Creates watch events for one object from the engine's copy of it. */
import { DEFAULT_NAMESPACE, podKeyOf } from '../kubernetes/keys.js';
import { InputError, WaitError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/values.js';

/**
 * @import { PodInspection } from './inspection_types.js'
 * @import { Scheduler } from './scheduler.js'
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
 * Returns events that delete a pod and add it again without a node.
 * @param {KubernetesObject} pod complete, except for its uid
 * @param {Pick<Scheduler, 'evaluate' | 'inspect'>} scheduler
 * @returns {WatchEvent[]}
 * @throws {InputError} if the pod is on no node, or cannot be read
 */
export function unbindingOf(pod, scheduler) {
  const unbinding = unbindingEvents(pod, (name) => scheduler.inspect({ pod: name }));
  try {
    scheduler.evaluate(unbinding.pod, { detail: 'summary', preemption: false });
  } catch (error) {
    if (!(error instanceof WaitError)) throw error;
  }
  return unbinding.events;
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
 * Returns events that delete a pod and add it again without a node.
 * @param {KubernetesObject} pod complete, except for its uid
 * @param {Ask} ask
 * @returns {{ events: WatchEvent[], pod: KubernetesObject }}
 * @throws {InputError} if it is on no node
 */
function unbindingEvents(pod, ask) {
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
