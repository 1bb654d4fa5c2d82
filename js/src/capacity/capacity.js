/** How many more pods of one kind fit into a cluster. Counterpart: cluster-capacity. */
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
 * @property {string} pod `namespace/name` of the one that was asked about
 * @property {number} total how many more fit
 * @property {{ node: string, pods: number, next: string[] }[]} nodes all of the cluster's; `next`:
 *   why the node takes no more
 * @property {'Unschedulable' | 'SchedulingGated' | 'SchedulerError' | 'LimitReached'} stoppedBy
 * @property {string} message about the next pod, in the words of kube-scheduler; empty at a limit
 */

/** How many clones come into the scheduler at once. */
const BATCH = 100;

/**
 * Where counting stops unless the caller says so: pods that request nothing may be bounded by no
 * plugin.
 */
export const MOST_CLONES = 10_000;

/** Workloads whose pods are all alike. */
const KINDS = [...WORKLOAD_KINDS].filter((kind) => kind !== 'DaemonSet');

/** @type {Readonly<Record<string, Capacity['stoppedBy']>>} */
const STOPS = Object.freeze({
  unschedulable: 'Unschedulable',
  gated: 'SchedulingGated',
});

/**
 * The pod that an object stands for, and what has to be there with it: of a workload its first pod
 * as if there were no others.
 * @param {KubernetesObject} object
 * @param {ExpandContext} context
 * @returns {{ pod: KubernetesObject, others: KubernetesObject[] }}
 * @throws {InputError} when its pods are not alike, or as `expand` does
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
 * Schedules clones of a pod, one after another, until one finds no node. Nobody is evicted for
 * them, and pods that are pending stay so.
 * @param {Scheduler} scheduler with the cluster in it, and the simulated API
 * @param {KubernetesObject} pod complete
 * @param {{ nodes: string[], isTaken?: (pod: string) => boolean, atMost?: number, progress?:
 *   (count: number) => void, onPlaced?: (clone: KubernetesObject) => void }} options `nodes`: names
 *   of all; `isTaken`: whether a pod of that `namespace/name` is there already; `atMost`: where to
 *   stop counting, as no plugin may; `onPlaced` gets each clone that fits
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
 * Whether a clone has claims of its own, which are made as soon as it is in the scheduler: for one
 * whose turn never comes there are to be none.
 * @param {KubernetesObject} pod
 */
function hasEphemeralVolume({ spec }) {
  return itemsIn(spec?.volumes).some((volume) => volume?.ephemeral);
}

/**
 * Without what is said about preemption: that there is none was our choice.
 * @param {import('../engine/types.js').Decision} decision
 */
function filterMessage({ message = '', preemption }) {
  const tail = preemption?.message ? ` ${preemption.message}` : '';
  return tail && message.endsWith(tail) ? message.slice(0, -tail.length) : message;
}

/**
 * Clones without end, whose names no other pod has.
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
