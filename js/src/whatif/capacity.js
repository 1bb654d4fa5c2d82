/** Counts how many more pods of one kind fit into a cluster. Counterpart: cluster-capacity. */
import { keyOf } from '../kubernetes/keys.js';
import { InputError } from '../kubernetes/errors.js';
import { nodeRow } from '../engine/evaluation.js';
import { expand } from '../manifests/expand.js';
import { WORKLOAD_KINDS } from '../kubernetes/kinds.js';
import { itemsIn } from '../kubernetes/values.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { ExpandContext, KubernetesObject } from '../kubernetes/types.js'
 */

/**
 * @typedef {object} Capacity
 * @property {string} pod `namespace/name` of the given pod
 * @property {number} total the number of pods that still fit
 * @property {{ node: string, pods: number, next: string[] }[]} nodes all nodes of the cluster;
 *   `next`: the reason why the node takes no more
 * @property {'Unschedulable' | 'SchedulingGated' | 'SchedulerError' | 'LimitReached'} stoppedBy
 * @property {string} message about the next pod, in the words of kube-scheduler; empty at a limit
 */

/** The number of clones that are applied at once. */
const BATCH = 100;

/** The default limit: some pods without requests are limited by no plugin. */
export const MOST_CLONES = 10_000;

/** Workloads whose pods are all alike. */
const KINDS = [...WORKLOAD_KINDS].filter((kind) => kind !== 'DaemonSet');

/** @type {Readonly<Record<string, Capacity['stoppedBy']>>} */
const STOPS = Object.freeze({
  unschedulable: 'Unschedulable',
  gated: 'SchedulingGated',
});

/**
 * Returns the pod of an object, and the objects that it needs: for a workload its first pod, as if
 * it had none yet.
 * @param {KubernetesObject} object
 * @param {ExpandContext} context
 * @returns {{ pod: KubernetesObject, others: KubernetesObject[] }}
 * @throws {InputError} if its pods differ, or as `expand`
 */
export function templateOf(object, context) {
  const isPod = object.kind === 'Pod';
  if (!isPod && !KINDS.includes(object.kind ?? ''))
    throw invalid(object, 'kind', `is none of Pod, ${KINDS.join(', ')}`);
  if (object.spec?.volumeClaimTemplates?.length > 0)
    throw invalid(object, 'spec.volumeClaimTemplates', 'gives each pod claims of its own');
  const { suspend, ...spec } = object.spec ?? {};
  const counts = { replicas: 1, parallelism: 1, completions: 1 };
  const single = isPod ? object : { ...object, spec: { ...spec, ...counts }, status: undefined };
  const made = expand(single, { ...context, existing: [] });
  return {
    pod: /** @type {KubernetesObject} */ (made.find(({ kind }) => kind === 'Pod')),
    others: made.filter(({ kind }) => kind !== 'Pod'),
  };
}

/**
 * Schedules clones of a pod one after another until one finds no node. No pods are evicted for
 * them, and pending pods stay pending.
 * @param {Scheduler} scheduler with the cluster, and the simulated API
 * @param {KubernetesObject} pod complete
 * @param {{ nodes: string[], isTaken?: (pod: string) => boolean, atMost?: number, progress?:
 *   (count: number) => void, onPlaced?: (clone: KubernetesObject) => void }} options `nodes`: names
 *   of all; `isTaken`: whether a pod with that `namespace/name` exists; `atMost`: the limit;
 *   `onPlaced` gets each clone that fits
 * @returns {Promise<Capacity>}
 */
export async function measureCapacity(scheduler, pod, options) {
  const { nodes, isTaken = () => false, atMost = MOST_CLONES, progress, onPlaced } = options;
  const clones = clonesOf(pod, isTaken);
  const step = hasEphemeralVolume(pod) ? 1 : BATCH;
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {import('../engine/types.js').Decision | undefined} */
  let last;
  let total = 0;
  /** @type {KubernetesObject[]} */
  let batch = [];
  for (let index = 0; total < atMost; index++) {
    if (index % step === 0) {
      batch = Array.from({ length: step }, () => clones.next().value);
      scheduler.apply(batch);
    }
    if (index % BATCH === 0) progress?.(total);
    const clone = batch[index % step];
    last = await scheduler.scheduleOne(keyOf(clone));
    if (!last.node) break;
    onPlaced?.(clone);
    counts.set(last.node, (counts.get(last.node) ?? 0) + 1);
    total += 1;
  }
  const evaluation = await scheduler.evaluateAsync(clones.next().value, {
    everyNode: true,
    preemption: false,
  });
  return {
    pod: keyOf(pod),
    total,
    nodes: nodes.map((node) => ({
      node,
      pods: counts.get(node) ?? 0,
      next: nodeRow(evaluation, node).refusals.flatMap(({ reasons }) => reasons),
    })),
    stoppedBy: total < atMost ? (STOPS[last?.result ?? ''] ?? 'SchedulerError') : 'LimitReached',
    message: total < atMost && last ? filterMessage(last) : '',
  };
}

/**
 * Whether clones have claims of their own. They are created as soon as a clone is applied, so
 * clones that are never scheduled must not be applied.
 * @param {KubernetesObject} pod
 */
function hasEphemeralVolume({ spec }) {
  return itemsIn(spec?.volumes).some((volume) => volume?.ephemeral);
}

/**
 * Returns the message without the part about preemption, which is disabled here.
 * @param {import('../engine/types.js').Decision} decision
 */
function filterMessage({ message = '', preemption }) {
  const tail = preemption?.message ? ` ${preemption.message}` : '';
  return tail && message.endsWith(tail) ? message.slice(0, -tail.length) : message;
}

/**
 * Yields clones without end, with names that no other pod has.
 * @param {KubernetesObject} pod
 * @param {(pod: string) => boolean} isTaken
 * @returns {Generator<KubernetesObject, never>}
 */
function* clonesOf(pod, isTaken) {
  for (let index = 0; ; index++) {
    const clone = cloneOf(pod, index);
    if (!isTaken(keyOf(clone))) yield clone;
  }
}

/**
 * @param {KubernetesObject} pod
 * @param {number} index
 * @returns {KubernetesObject}
 */
function cloneOf({ metadata, spec, ...pod }, index) {
  const { nodeName, ...rest } = spec;
  return {
    ...pod,
    metadata: {
      ...metadata,
      name: `${metadata.name}-${index}`,
      uid: `${metadata.uid}-${index}`,
      deletionTimestamp: undefined,
    },
    spec: { ...rest, preemptionPolicy: 'Never' },
    status: { phase: 'Pending' },
  };
}

/**
 * @param {KubernetesObject} object
 * @param {string} field
 * @param {string} detail
 */
function invalid({ apiVersion, kind, metadata }, field, detail) {
  const { namespace, name } = metadata ?? {};
  const code = 'FieldValueNotSupported';
  return new InputError({ code, apiVersion, kind, namespace, name, field, detail });
}
