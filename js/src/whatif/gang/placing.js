/** Places the pods of a gang on a fork: by the cycle of their group, or as ordinary pods. */
import { withoutOwnClaims } from '../../engine/own_claims.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { filterMessage } from '../filter_message.js';

/**
 * @import { PodGroupDecision } from '../../engine/record_types.js'
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Decision } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Gang } from './members.js'
 */

/**
 * What became of one pod. A group's cycle that fails names no nodes. `message` is the one of a pod
 * without a node, without what preemption says.
 * @typedef {object} Placing
 * @property {string} pod `namespace/name`
 * @property {boolean} isPlaced
 * @property {string | null} node
 * @property {string} message
 * @property {Decision['reasons']} [reasons]
 * @property {string[]} victims the pods that were evicted for it
 */

/**
 * `signal` ends the work, `onPod` is called after each pod.
 * @typedef {{ signal?: AbortSignal, onPod?: () => void }} PlacingOptions
 */

/** The start of a pod's message if the pod found a node but its group cannot start. */
const FAILED_WITH_GROUP = 'pod group is unschedulable';

/** The cycles of a pod that preempts: one evicts, the next one places it. */
const CYCLES = 2;

/** @param {Placing[]} placings */
export function countPlaced(placings) {
  return placings.filter(({ isPlaced }) => isPlaced).length;
}

/**
 * Removes the pods from a fork, those that exist.
 * @param {Scheduler} fork
 * @param {KubernetesObject[]} pods
 */
export function removePods(fork, pods) {
  const known = pods.filter((pod) => fork.get('Pod', podKeyOf(pod)) !== undefined);
  fork.apply(
    known.map((pod) => ({
      type: /** @type {const} */ ('DELETED'),
      object: { apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata },
    })),
  );
}

/**
 * Places pods one after another as ordinary pods, without their group. They must not exist.
 * @param {Scheduler} fork
 * @param {KubernetesObject[]} pods complete, without a node
 * @param {PlacingOptions & { mayPreempt?: boolean, stop?: (placing: Placing) => boolean }}
 *   [options] `stop`: whether no further pod is placed
 * @returns {Promise<Placing[]>}
 */
export async function placeInTurn(fork, pods, options = {}) {
  const { signal, onPod, mayPreempt = false, stop } = options;
  /** @type {Placing[]} */
  const placings = [];
  for (const pod of pods) {
    signal?.throwIfAborted();
    const single = withoutOwnClaims(asSinglePod(pod), fork);
    fork.apply([mayPreempt ? single : withoutPreemption(single)]);
    // A turn makes the pod's claims from their templates.
    if (single.spec.resourceClaims) fork.run({ maxCycles: 0 });
    const placing = await placeOne(fork, podKeyOf(pod));
    placings.push(placing);
    onPod?.();
    if (stop?.(placing)) break;
  }
  return placings;
}

/**
 * Returns a pod without its group.
 * @param {KubernetesObject} pod
 * @returns {KubernetesObject}
 */
export function asSinglePod(pod) {
  const { schedulingGroup: _, ...spec } = pod.spec;
  return { ...pod, apiVersion: 'v1', kind: 'Pod', spec };
}

/**
 * @param {Scheduler} fork
 * @param {string} pod `namespace/name`
 * @returns {Promise<Placing>}
 */
async function placeOne(fork, pod) {
  /** @type {string[]} */
  const victims = [];
  for (let cycle = 1; ; cycle++) {
    const decision = await fork.scheduleOne(pod);
    for (const victim of decision.preemption?.victims ?? []) victims.push(victim);
    if (cycle < CYCLES && !decision.node && decision.preemption?.nominatedNode) continue;
    return { ...placingOf(decision), victims };
  }
}

/**
 * Places the pods by the cycle of their PodGroup, without preemption. The group's minimum is
 * `minCount`.
 * @param {Scheduler} fork with the pods
 * @param {Gang} gang of a PodGroup
 * @param {PlacingOptions & { minCount: number, hasTopology?: boolean }} options `hasTopology`:
 *   whether the group keeps its topology constraint
 * @returns {Promise<{ placings: Placing[], group: PodGroupDecision | undefined }>} in the order of
 *   the cycle, then the pods that are held back; without a decision if all are
 */
export async function placeAsGroup(fork, gang, { minCount, hasTopology = false, ...options }) {
  options.signal?.throwIfAborted();
  fork.apply([podGroupOf(gang, minCount, hasTopology), ...gang.pods.map(withoutPreemption)]);
  const { group, decisions } = await runGroup(fork, gang.pods);
  const placings = decisions.map(placingOf);
  const tried = new Set(placings.map(({ pod }) => pod));
  for (const pod of gang.pods.map(podKeyOf)) {
    options.onPod?.();
    if (tried.has(pod)) continue;
    const asked = /** @type {const} */ ({ detail: 'summary', preemption: false });
    const { message = '' } = await fork.evaluateAsync(pod, asked);
    placings.push({ pod, isPlaced: false, node: null, message, victims: [] });
  }
  return { placings, group };
}

/**
 * Runs the cycle of the group, through the first pod that is not held back.
 * @param {Scheduler} fork
 * @param {KubernetesObject[]} pods
 * @returns {Promise<{ group?: PodGroupDecision, decisions: Decision[] }>}
 */
export async function runGroup(fork, pods) {
  // A first turn writes the decisions about pods that waited for others.
  fork.run({ maxCycles: 0 });
  const records = fork.records({ kinds: ['Decision', 'PodGroupDecision'] });
  /** @type {Map<number, Decision>} */
  const decisions = new Map();
  for (const pod of pods) {
    const { result } = await fork.scheduleOne(podKeyOf(pod));
    if (result === 'gated' || result === 'skipped') continue;
    for await (const record of records) {
      if (record.kind === 'Decision') decisions.set(record.seq, record);
      else return { group: record, decisions: known(record.decisions, decisions) };
    }
  }
  await records.return?.();
  return { decisions: [] };
}

/**
 * @param {number[]} numbers
 * @param {Map<number, Decision>} decisions
 */
function known(numbers, decisions) {
  return numbers.flatMap((seq) => decisions.get(seq) ?? []);
}

/**
 * @param {Decision} decision
 * @returns {Placing}
 */
function placingOf(decision) {
  const { pod, node, reasons } = decision;
  const message = filterMessage(decision);
  const isPlaced = node !== null || message.startsWith(FAILED_WITH_GROUP);
  if (isPlaced) return { pod, isPlaced, node, message: '', victims: [] };
  return { pod, isPlaced, node, message, ...(reasons && { reasons }), victims: [] };
}

/**
 * @param {Gang} gang
 * @param {number} minCount
 * @param {boolean} hasTopology
 */
function podGroupOf({ podGroup, object }, minCount, hasTopology) {
  const [namespace, name] = String(podGroup).split('/');
  const { schedulingConstraints, ...spec } = object?.spec ?? {};
  return {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    ...object,
    metadata: { uid: podGroup, ...object?.metadata, namespace, name },
    spec: {
      ...spec,
      schedulingPolicy: { gang: { minCount } },
      ...(hasTopology && { schedulingConstraints }),
    },
  };
}

/**
 * @param {KubernetesObject} pod
 * @returns {KubernetesObject}
 */
function withoutPreemption(pod) {
  const spec = { ...pod.spec, preemptionPolicy: 'Never' };
  return { ...pod, apiVersion: 'v1', kind: 'Pod', spec };
}
