/** Pods whose own claims the simulated controllers have still to create. */
import { splitKey } from '../kubernetes/keys.js';
import { claimNameOf } from '../kubernetes/pod_claims.js';
import { itemsIn } from '../kubernetes/values.js';
import { hasEphemeralVolume } from './own_claims.js';

/**
 * @import { Scheduler } from './scheduler.js'
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

const CHECK = Object.freeze({ detail: /** @type {const} */ ('summary'), preemption: false });

/**
 * Whether controllers create claims for this pod alone: from templates, or for ephemeral volumes.
 * @param {KubernetesObject} pod
 */
export function hasOwnClaims(pod) {
  return hasEphemeralVolume(pod) || templatesOf(pod).length > 0;
}

/**
 * Whether claims may still have to be created: a pod names those of its templates in its status.
 * @param {KubernetesObject} pod
 */
function mayLackClaims(pod) {
  const isLacking = (/** @type {any} */ podClaim) => claimNameOf(pod, podClaim) === undefined;
  return hasEphemeralVolume(pod) || templatesOf(pod).some(isLacking);
}

/** @param {KubernetesObject} pod */
function templatesOf({ spec }) {
  return itemsIn(spec?.resourceClaims).filter((podClaim) => podClaim?.resourceClaimTemplateName);
}

/**
 * Calls `use` with a cluster in which the controllers have created the pod's own claims, from
 * templates and of ephemeral volumes: the scheduler itself, or a fork in which the pod waits.
 * @template T
 * @param {Scheduler} scheduler
 * @param {KubernetesObject | string} pod as for `Scheduler.evaluate`
 * @param {(scheduler: Scheduler, pod: KubernetesObject | string) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws {InputError} as `Scheduler.evaluate`
 */
export async function onceClaimsExist(scheduler, pod, use) {
  if (typeof pod === 'string' || !mayLackClaims(pod)) return use(scheduler, pod);
  // An invalid pod is refused here.
  const { pod: key } = await scheduler.evaluateAsync(pod, CHECK);
  const fork = scheduler.fork();
  try {
    applyUnplaced(fork, pod, key);
    return await use(fork, key);
  } finally {
    fork.dispose();
  }
}

/**
 * Applies a pod without a node, in the place of the pod of its name, and lets the simulated
 * controllers create its claims.
 * @param {Scheduler} fork
 * @param {KubernetesObject} pod
 * @param {string} key its `namespace/name`
 */
export function applyUnplaced(fork, pod, key) {
  if (placeOf(fork, key)) fork.remove({ apiVersion: 'v1', kind: 'Pod', metadata: splitKey(key) });
  const { nodeName: _, ...spec } = pod.spec ?? {};
  const metadata = { ...pod.metadata, ...splitKey(key) };
  fork.apply({ apiVersion: 'v1', kind: 'Pod', ...pod, metadata, spec });
  if (mayLackClaims(pod)) fork.run({ maxCycles: 0 });
}

/**
 * @param {Scheduler} fork
 * @param {string} key `namespace/name`
 * @returns {{ node: string | null } | undefined} undefined if there is no such pod
 */
export function placeOf(fork, key) {
  try {
    return fork.inspect({ pod: key });
  } catch (error) {
    // The scheduler may be that of another copy of the package, with a class of its own.
    if (error instanceof Error && error.name === 'InputError') return undefined;
    throw error;
  }
}
