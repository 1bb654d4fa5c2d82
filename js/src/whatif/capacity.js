/** Counts how many more pods of one kind fit into a cluster. Counterpart: cluster-capacity. */
import { keyOf } from '../kubernetes/keys.js';
import { InputError } from '../kubernetes/errors.js';
import { nodeRow } from '../engine/evaluation.js';
import { expand } from '../manifests/expand.js';
import { isWorkload, WORKLOAD_KINDS } from '../kubernetes/kinds.js';
import { hasOwnClaims, onceClaimsExist } from '../engine/awaited_claims.js';
import { badArgument, checkCount } from './arguments.js';
import { documentOf } from './document.js';
import { filterMessage } from './filter_message.js';
import { Population } from './population.js';
import { onFork } from './on_fork.js';

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
  if (!isPod && !(isWorkload(object) && KINDS.includes(object.kind ?? '')))
    throw invalid(object, 'kind', `is none of Pod, ${KINDS.join(', ')}`);
  if (object.spec?.volumeClaimTemplates?.length > 0)
    throw invalid(object, 'spec.volumeClaimTemplates', 'gives each pod claims of its own');
  // A pod that an API server has stored may have been scheduled there.
  const written = isPod ? !object.metadata?.uid && object.spec : object.spec?.template?.spec;
  if (written && written.nodeName)
    throw invalid(
      object,
      isPod ? 'spec.nodeName' : 'spec.template.spec.nodeName',
      'names its node: ask "stowage check" whether that takes it',
    );
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
  const { nodes, isTaken, atMost = MOST_CLONES, progress, onPlaced } = options;
  const clones = new Clones(scheduler, pod, { isTaken, onPlaced });
  while (clones.total < atMost) {
    if (clones.total % BATCH === 0) progress?.(clones.total);
    if (!(await clones.placeNext())) break;
  }
  const { total } = clones;
  const rest = await clones.stop(nodes, total < atMost ? undefined : 'LimitReached');
  return { pod: keyOf(pod), total, ...rest };
}

/** Places the clones of one pod. */
class Clones {
  #scheduler;
  #names;
  #step;
  #onPlaced;
  /** @type {KubernetesObject[]} */
  #applied = [];
  /** By node. @type {Map<string, number>} */
  #counts = new Map();
  /** @type {import('../engine/types.js').Decision | undefined} */
  #last;
  total = 0;

  /**
   * @param {Scheduler} scheduler
   * @param {KubernetesObject} pod complete
   * @param {{ isTaken?: (pod: string) => boolean, onPlaced?: (clone: KubernetesObject) => void }}
   *   options
   */
  constructor(scheduler, pod, { isTaken = () => false, onPlaced }) {
    this.#scheduler = scheduler;
    this.#names = clonesOf(pod, isTaken);
    // Clones that are never scheduled must not get claims of their own.
    this.#step = hasOwnClaims(pod) ? 1 : BATCH;
    this.#onPlaced = onPlaced;
  }

  /** Schedules one more clone. Returns whether it got a node. */
  async placeNext() {
    if (this.#applied.length === 0) {
      this.#applied = Array.from({ length: this.#step }, () => this.#names.next().value);
      this.#scheduler.apply(this.#applied);
      // The simulated controllers create the claims of a clone.
      if (this.#step === 1) this.#scheduler.run({ maxCycles: 0 });
    }
    const clone = /** @type {KubernetesObject} */ (this.#applied.shift());
    this.#last = await this.#scheduler.scheduleOne(keyOf(clone));
    const { node } = this.#last;
    if (!node) return false;
    this.#onPlaced?.(clone);
    this.#counts.set(node, (this.#counts.get(node) ?? 0) + 1);
    this.total += 1;
    return true;
  }

  /**
   * Returns what stops the next clone, on each node.
   * @template {string} Stop
   * @param {string[]} nodes
   * @param {Stop} [stoppedBy] why no further clone was tried; absent after one without a node
   */
  async stop(nodes, stoppedBy) {
    const clone = this.#names.next().value;
    const options = { everyNode: true, preemption: false };
    const evaluation = await onceClaimsExist(this.#scheduler, clone, (served, asked) =>
      served.evaluateAsync(asked, options),
    );
    return {
      nodes: nodes.map((node) => ({
        node,
        pods: this.#counts.get(node) ?? 0,
        next: nodeRow(evaluation, node).refusals.flatMap(({ reasons }) => reasons),
      })),
      stoppedBy: stoppedBy ?? STOPS[this.#last?.result ?? ''] ?? 'SchedulerError',
      message: stoppedBy === undefined && this.#last ? filterMessage(this.#last) : '',
    };
  }
}

/**
 * How many more of one shape fit beside the others. `alone`: without the others. `Ratio`: the other
 * shapes fit no more, in the ratio asked for.
 * @typedef {Omit<Capacity, 'stoppedBy'> & { alone: number, stoppedBy: Capacity['stoppedBy'] |
 *   'Ratio' }} ShapeCapacity
 */

/**
 * @typedef {object} CapacityOptions
 * @property {number[]} [ratio] the numbers of pods per round, one for each shape: rounds are placed
 *   until a pod finds no node. Without it each shape is placed until none fits, in their order
 * @property {(pod: string) => boolean} [isTaken] whether a pod with that `namespace/name` exists,
 *   of which the scheduler does not know
 * @property {number} [atMost] the most pods per shape; default 10,000
 * @property {string[]} [nodes] the nodes of the answer; default all
 * @property {(clone: KubernetesObject, shape: number) => void} [onPlaced] receives each clone that
 *   fits beside the others, and the index of its shape
 * @property {(count: number) => void} [progress]
 * @property {AbortSignal} [signal]
 */

/**
 * Returns how many more pods of several shapes fit together. No pods are evicted for them, and
 * pending pods stay pending.
 * @param {Scheduler} scheduler with the simulated API
 * @param {KubernetesObject[]} shapes complete pods
 * @param {CapacityOptions} [options]
 * @throws {InputError} if a shape or an option is invalid
 * @throws the signal's reason
 */
export async function capacity(scheduler, shapes, options = {}) {
  const { ratio, atMost = MOST_CLONES, onPlaced, progress, signal } = options;
  checkShapes(shapes, { ratio, atMost });
  const nodes = options.nodes ?? new Population(scheduler).nodes;
  /** @type {number[]} */
  const alone = [];
  for (const shape of shapes) {
    const count = (/** @type {Scheduler} */ fork) =>
      measureCapacity(fork, shape, { isTaken: takenIn(fork, options), nodes: [], atMost });
    signal?.throwIfAborted();
    alone.push((await onFork(scheduler, count)).total);
  }
  return onFork(scheduler, async (fork) => {
    const isTaken = takenIn(fork, options);
    const clones = shapes.map((shape, index) => {
      const name = `${shape.metadata.name}-${index}`;
      // Shapes may have the same name.
      const pod = { ...shape, metadata: { ...shape.metadata, name, uid: `${index}-${name}` } };
      return new Clones(fork, pod, { isTaken, onPlaced: (clone) => onPlaced?.(clone, index) });
    });
    const limits = { atMost, progress, signal };
    const stops = ratio
      ? await placeInRatio(clones, ratio, limits)
      : await placeInOrder(clones, limits);
    /** @type {ShapeCapacity[]} */
    const answers = [];
    for (const [index, one] of clones.entries()) {
      const rest = await one.stop(nodes, stops[index]);
      const { total } = one;
      answers.push({ pod: keyOf(shapes[index]), total, alone: alone[index], ...rest });
    }
    const rounds = ratio?.flatMap((share, index) =>
      share > 0 ? [Math.floor(clones[index].total / share)] : [],
    );
    return documentOf('ShapesCapacity', scheduler, {
      total: clones.reduce((sum, { total }) => sum + total, 0),
      ...(ratio && { ratio }),
      rounds: rounds ? Math.min(...rounds) : null,
      shapes: answers,
    });
  });
}

/** @typedef {Awaited<ReturnType<typeof capacity>>} ShapesCapacity */

/** Why no further clone was tried; undefined if the last one found no node. */
/** @typedef {'LimitReached' | 'Ratio' | undefined} Stop */

/** @typedef {Pick<CapacityOptions, 'progress' | 'signal'> & { atMost: number }} Limits */

/**
 * @param {Clones[]} clones
 * @param {Limits} limits
 * @returns {Promise<Stop[]>}
 */
async function placeInOrder(clones, limits) {
  /** @type {Stop[]} */
  const stops = [];
  let placed = 0;
  for (const one of clones) {
    let fits = true;
    while (fits && one.total < limits.atMost) {
      fits = await one.placeNext();
      if (fits) report(++placed, limits);
    }
    stops.push(fits ? 'LimitReached' : undefined);
  }
  return stops;
}

/**
 * @param {Clones[]} clones
 * @param {number[]} ratio
 * @param {Limits} limits
 * @returns {Promise<Stop[]>}
 */
async function placeInRatio(clones, ratio, limits) {
  const turns = ratio.flatMap((share, index) => Array.from({ length: share }, () => index));
  for (let placed = 0; ; placed++) {
    const index = turns[placed % turns.length];
    const isFull = clones[index].total >= limits.atMost;
    if (isFull || !(await clones[index].placeNext()))
      return clones.map((_, other) => {
        if (other !== index) return 'Ratio';
        return isFull ? 'LimitReached' : undefined;
      });
    report(placed + 1, limits);
  }
}

/**
 * @param {number} placed
 * @param {Limits} limits
 */
function report(placed, { progress, signal }) {
  if (placed % BATCH !== 0) return;
  signal?.throwIfAborted();
  progress?.(placed);
}

/**
 * @param {Scheduler} scheduler
 * @param {CapacityOptions} options
 * @returns {(pod: string) => boolean}
 */
function takenIn(scheduler, { isTaken = () => false }) {
  return (pod) => isTaken(pod) || scheduler.get('Pod', pod) !== undefined;
}

/**
 * @param {KubernetesObject[]} shapes
 * @param {{ ratio?: number[], atMost: number }} options
 */
function checkShapes(shapes, { ratio, atMost }) {
  if (!Array.isArray(shapes) || shapes.length === 0)
    throw badArgument('shapes', shapes, 'at least one pod is expected');
  for (const shape of shapes)
    if (shape?.kind !== 'Pod' || !shape.metadata?.name || !shape.metadata.uid)
      throw invalid(shape ?? {}, 'kind', 'is no complete Pod: it needs a name and a uid');
  checkCount('atMost', atMost, 0);
  if (ratio === undefined) return;
  if (!Array.isArray(ratio) || ratio.length !== shapes.length)
    throw badArgument('ratio', ratio, `must have a number for each of ${shapes.length} pods`);
  const isShare = (/** @type {unknown} */ one) =>
    Number.isSafeInteger(one) && Number(one) >= 0 && Number(one) <= MOST_CLONES;
  if (!ratio.every(isShare) || ratio.every((share) => share === 0))
    throw badArgument(
      'ratio',
      ratio,
      `must be whole numbers up to ${MOST_CLONES}, one of them above 0`,
    );
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
