/**
 * Prepares the deletion of an object.
 * Counterpart: `BeforeDelete` of apiserver/pkg/registry/rest, and the generic registry's handling
 * of finalizers, v1.36.
 */
import { isPodFinished } from '../src/kubernetes/workloads/pods.js';
import { isEqual } from './frozen.js';
import { FOREGROUND, ORPHAN, present, timestamp } from './object_meta.js';
import { strategyOf } from './strategies.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 */

/**
 * @typedef {object} DeleteOptions as `metav1.DeleteOptions`
 * @property {number} [gracePeriodSeconds]
 * @property {{ uid?: string, resourceVersion?: string }} [preconditions]
 * @property {'Background' | 'Foreground' | 'Orphan'} [propagationPolicy]
 * @property {boolean} [dryRun]
 */

/** Grace period of pods that set none: seconds. */
const DEFAULT_GRACE = 30;

/**
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {DeleteOptions} options
 * @param {{ now: number, gracefulDeletion: boolean }} context `gracefulDeletion`: whether pods wait
 *   for a kubelet
 * @returns {{ object: KubernetesObject, isKept: boolean }} the object in its waiting state, or its
 *   last state
 */
export function beforeDelete(resource, object, options, { now, gracefulDeletion }) {
  const finalizers = finalizersOf(resource, object, options);
  const draft = isEqual(finalizers, object.metadata.finalizers ?? [])
    ? object
    : { ...object, metadata: present({ ...object.metadata, finalizers }) };
  if (resource.plural === 'pods') {
    const asked = options.gracePeriodSeconds ?? undefined;
    const grace = asked !== undefined && asked < 0 ? 1 : asked;
    const pod = deletedPod(draft, gracefulDeletion ? grace : 0, now);
    const isKept = finalizers.length > 0 || pod.metadata.deletionGracePeriodSeconds > 0;
    return { object: pod, isKept };
  }
  if (resource.plural === 'namespaces') {
    const isKept = finalizers.length > 0 || draft.spec?.finalizers?.length > 0;
    return { object: isKept ? terminating(draft, now) : draft, isKept };
  }
  const isKept = finalizers.length > 0;
  return { object: isKept ? marked(draft, 0, now) : draft, isKept };
}

/**
 * @param {KubernetesObject} pod
 * @param {number | undefined} asked seconds
 * @param {number} now
 */
function deletedPod(pod, asked, now) {
  const { metadata, spec } = pod;
  const isRunning = spec.nodeName && !isPodFinished(pod);
  if (!metadata.deletionTimestamp) {
    const grace = asked ?? spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE;
    return marked(pod, isRunning ? (grace < 0 ? 1 : grace) : 0, now);
  }
  const left = metadata.deletionGracePeriodSeconds ?? 0;
  // A deletion in progress can only be shortened, and its time began with the first request. One
  // that would be over is still ended by the kubelet.
  if (asked === undefined || asked >= left) return pod;
  const since = Date.parse(metadata.deletionTimestamp) - left * 1000;
  const until = since + asked * 1000;
  const grace = until < now ? Math.min(asked, 1) : asked;
  const deletionTimestamp = timestamp(Math.max(until, now));
  return {
    ...pod,
    metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: grace },
  };
}

/**
 * @param {KubernetesObject} object
 * @param {number} grace seconds
 * @param {number} now
 */
function marked(object, grace, now) {
  const { metadata } = object;
  if (metadata.deletionTimestamp) return object;
  const generation = metadata.generation > 0 ? metadata.generation + 1 : undefined;
  return {
    ...object,
    metadata: present({
      ...metadata,
      generation,
      deletionTimestamp: timestamp(now + grace * 1000),
      deletionGracePeriodSeconds: grace,
    }),
  };
}

/**
 * A namespace is removed when its controller has emptied it.
 * @param {KubernetesObject} namespace
 * @param {number} now
 */
function terminating(namespace, now) {
  const { metadata, status } = namespace;
  if (metadata.deletionTimestamp) return namespace;
  const deletionTimestamp = timestamp(now);
  return {
    ...namespace,
    metadata: { ...metadata, deletionTimestamp },
    status: { ...status, phase: 'Terminating' },
  };
}

/**
 * Returns the finalizers, with those by which the garbage collector knows the propagation policy.
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {DeleteOptions} options
 * @returns {string[]}
 */
function finalizersOf(resource, { metadata }, { propagationPolicy }) {
  const finalizers = metadata.finalizers ?? [];
  const isCollector = (/** @type {string} */ one) => one === ORPHAN || one === FOREGROUND;
  if (!propagationPolicy && finalizers.some(isCollector)) return finalizers;
  const policy =
    propagationPolicy ?? (strategyOf(resource).orphansDependents ? 'Orphan' : 'Background');
  const others = finalizers.filter((/** @type {string} */ one) => !isCollector(one));
  if (policy === 'Orphan') return [...others, ORPHAN];
  return policy === 'Foreground' ? [...others, FOREGROUND] : others;
}
