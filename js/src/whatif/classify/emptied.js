/** Asks about a pod in its cluster without any other pods. */
import { keyOf } from '../../kubernetes/keys.js';
import { itemsIn } from '../../kubernetes/values.js';
import { onFork } from '../on_fork.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Evaluation } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 */

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Every node, with what refuses the pod there. */
const QUESTION = Object.freeze({ everyNode: true, allPlugins: true, preemption: false });

/**
 * What the pod would get if no other pod existed. `relaxed`: without its required pod affinity,
 * which other pods have to meet; undefined if it has none, or fits. `bare`: then also without its
 * volumes and claims, which need other objects; undefined if it has none, or fits with them.
 * @typedef {{ alone: Evaluation, relaxed?: Evaluation, bare?: Evaluation }} Emptied
 */

/**
 * @param {Scheduler} scheduler one that keeps objects
 * @param {KubernetesObject} pod complete
 * @param {AbortSignal} [signal]
 * @returns {Promise<Emptied>}
 */
export function askEmptied(scheduler, pod, signal) {
  const own = scheduler.get('Pod', keyOf(pod));
  // A new list of pods, in which the others are missing.
  const list = [
    { type: 'SYNC_BEGIN', resource: 'pods' },
    ...(own ? [{ type: 'ADDED', object: own }] : []),
    { type: 'SYNC_END', resource: 'pods' },
  ];
  return onFork(scheduler, async (fork) => {
    fork.apply(list.map((line) => JSON.stringify(line)).join('\n'), { format: 'lines' });
    // The simulated controllers free what the removed pods had reserved.
    fork.run({ maxCycles: 0 });
    const ask = (/** @type {KubernetesObject} */ one) =>
      fork.evaluateAsync(one, { ...QUESTION, signal });
    const alone = await ask(pod);
    if (alone.node) return { alone };
    const relaxed = requiresPods(pod) ? await ask(withoutPodAffinity(pod)) : undefined;
    if (relaxed?.node || !requiresObjects(pod)) return { alone, relaxed };
    return { alone, relaxed, bare: await ask(withoutObjects(pod)) };
  });
}

/** Whether the pod needs other pods near it. @param {KubernetesObject} pod */
function requiresPods({ spec }) {
  return itemsIn(spec.affinity?.podAffinity?.[REQUIRED]).length > 0;
}

/** Whether the pod needs volumes or claims. @param {KubernetesObject} pod */
function requiresObjects({ spec }) {
  return itemsIn(spec.volumes).length + itemsIn(spec.resourceClaims).length > 0;
}

/** @param {KubernetesObject} pod @returns {KubernetesObject} */
function withoutObjects(pod) {
  const { volumes: _, resourceClaims: __, ...spec } = withoutPodAffinity(pod).spec;
  return { ...pod, spec };
}

/** @param {KubernetesObject} pod @returns {KubernetesObject} */
function withoutPodAffinity(pod) {
  const { podAffinity: _, ...affinity } = pod.spec.affinity ?? {};
  return { ...pod, spec: { ...pod.spec, affinity } };
}

/**
 * Returns the nodes that have all pods near them that the pod requires, in the cluster as it is.
 * @param {Scheduler} scheduler
 * @param {KubernetesObject} pod
 * @param {AbortSignal} [signal]
 * @returns {Promise<string[]>}
 */
export async function nodesNearRequired(scheduler, pod, signal) {
  const { namespace, name } = pod.metadata;
  // Only the affinity remains: without labels no other pod's anti-affinity excludes it either.
  const asked = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name: `${name}-near`, uid: `${pod.metadata.uid}-near` },
    spec: {
      schedulerName: pod.spec.schedulerName,
      affinity: { podAffinity: { [REQUIRED]: pod.spec.affinity.podAffinity[REQUIRED] } },
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'main', image: 'none' }],
    },
  };
  const {
    filter = [],
    filterAll = filter,
    preFilter,
    table,
  } = await scheduler.evaluateAsync(asked, {
    detail: 'table',
    everyNode: true,
    allPlugins: true,
    preemption: false,
    signal,
  });
  if (preFilter) return [];
  const refused = new Set(
    filterAll.filter(({ plugin }) => plugin === 'InterPodAffinity').flatMap(({ nodes }) => nodes),
  );
  return (table?.nodes ?? []).filter((node) => !refused.has(node));
}
