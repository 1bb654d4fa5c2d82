/** What becomes of the pods of a cluster after some changes. */
import { conditionOf } from '../kubernetes/conditions.js';
import { schedulerNameOf } from '../kubernetes/pod_defaults.js';
import { checkedChanges, performChanges } from './changes.js';
import { ChangedCluster } from './changes/changed_cluster.js';
import { documentOf } from './document.js';
import { inFuture } from './future.js';
import { Population, queuedPods } from './population.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Change } from './changes.js'
 * @import { Fate, Future } from './future.js'
 * @import { ClusterOptions } from './changes/changed_cluster.js'
 */

/**
 * What becomes of a pod. `Waits`: it had a node, and has none. `NewWaits`: a change creates it, and
 * it gets no node. `Moves`: to another node. `Returns`: it was created again, and got its node
 * again. `Placed`: it had no node, and gets one. `Ends`: it is gone for good.
 * @typedef {'Waits' | 'NewWaits' | 'Moves' | 'Returns' | 'Placed' | 'Ends'} Outcome
 */

/**
 * @typedef {object} PodChange
 * @property {string} pod `namespace/name`
 * @property {Outcome} outcome
 * @property {{ node: string | null, message: string } | null} before null if a change creates it
 * @property {Fate} after
 */

/**
 * @typedef {object} WhatIfSummary
 * @property {number} waits the number of pods that had a node, and have none
 * @property {number} newWaits
 * @property {number} moves
 * @property {number} returns
 * @property {number} placed
 * @property {number} ends
 * @property {number} preempted the number of pods that were evicted for another pod
 * @property {number} stillWaits the number of pods that had no node, and get none; they are not
 *   listed
 */

/** In the order of the answer. @type {readonly Outcome[]} */
const OUTCOMES = ['Waits', 'NewWaits', 'Moves', 'Placed', 'Returns', 'Ends'];

/**
 * Returns what becomes of the pods after changes, which are applied in their order to a fork.
 * @param {Scheduler} scheduler with the simulated API; pending pods have been tried
 * @param {Change[]} changes
 * @param {{ objects?: Iterable<KubernetesObject>, population?: Population, signal?: AbortSignal,
 *   progress?: (step: string) => void, refusals?: (future: Future) => Map<string, string>, look?:
 *   (future: Future) => unknown } & ClusterOptions} [options] `objects`: the cluster's objects that
 *   a scheduler does not keep, such as Deployments and Jobs; `population` of the scheduler, if
 *   there is one already; `refusals`: why kubelets refuse pods that name their node, which
 *   otherwise count as placed; `look` gets the future, which ends when it returns
 * @returns {Promise<ReturnType<typeof answerOf>>}
 * @throws {import('../kubernetes/errors.js').InputError} if a change cannot be made; it names the
 *   field, such as `changes[2].node`
 * @throws the signal's reason
 */
export async function whatIf(scheduler, changes, options = {}) {
  const { objects = [], population = new Population(scheduler), signal } = options;
  const { progress = () => {}, refusals, look } = options;
  const checked = checkedChanges(changes);
  const waiting = new Set(queuedPods(scheduler));
  return inFuture(scheduler, population, async (future) => {
    progress('changing');
    performChanges(new ChangedCluster(future, objects, options), checked);
    progress('placing');
    await future.settle({ signal });
    const refused = refusals?.(future);
    const pods = podsIn(future, waiting)
      .map((pod) => podChange(pod, { future, population, refused, isWaiting: waiting.has(pod) }))
      .filter(({ before, after }) => before !== null || after.state !== 'Gone');
    await look?.(future);
    return answerOf(scheduler, checked, pods);
  });
}

/**
 * @param {Scheduler} scheduler
 * @param {Change[]} changes
 * @param {(Omit<PodChange, 'outcome'> & { outcome: Outcome | null })[]} all
 */
function answerOf(scheduler, changes, all) {
  const pods = all
    .filter((one) => one.outcome !== null)
    .toSorted((a, b) => orderOf(a.outcome) - orderOf(b.outcome));
  const count = (/** @type {Outcome | null} */ outcome) =>
    all.filter((one) => one.outcome === outcome).length;
  /** @type {WhatIfSummary} */
  const summary = {
    waits: count('Waits'),
    newWaits: count('NewWaits'),
    moves: count('Moves'),
    returns: count('Returns'),
    placed: count('Placed'),
    ends: count('Ends'),
    preempted: all.filter(({ after }) => after.preemptedBy !== undefined).length,
    stillWaits: count(null),
  };
  return documentOf('WhatIf', scheduler, {
    changes,
    summary,
    pods: /** @type {PodChange[]} */ (pods),
  });
}

/** @param {Outcome | null} outcome */
function orderOf(outcome) {
  return OUTCOMES.indexOf(/** @type {Outcome} */ (outcome));
}

/**
 * Returns the pods that the changes may have touched, each once.
 * @param {Future} future
 * @param {Set<string>} waiting
 */
function podsIn(future, waiting) {
  const all = [...future.moving, ...waiting, ...future.gone, ...future.applied];
  return [...new Set(all)];
}

/**
 * @param {string} pod
 * @param {{ future: Future, population: Population, refused?: Map<string, string>, isWaiting:
 *   boolean }} parts
 * @returns {Omit<PodChange, 'outcome'> & { outcome: Outcome | null }} outcome null if it waits as
 *   before
 */
function podChange(pod, { future, population, refused, isWaiting }) {
  const before = beforeOf(population.pod(pod));
  const message = refused?.get(pod);
  /** @type {Fate} */
  const after = message
    ? { state: 'Pending', node: null, message }
    : withReason(future.fateOf(pod), future.pod(pod));
  return { pod, outcome: outcomeOf(before, after, isWaiting), before, after };
}

/**
 * @param {PodChange['before']} before
 * @param {Fate} after
 * @param {boolean} isWaiting
 * @returns {Outcome | null}
 */
function outcomeOf(before, after, isWaiting) {
  if (after.state === 'Gone') return 'Ends';
  if (after.state === 'Pending') {
    if (before?.node) return 'Waits';
    return isWaiting ? null : 'NewWaits';
  }
  if (!before?.node) return 'Placed';
  return before.node === after.node ? 'Returns' : 'Moves';
}

/**
 * @param {KubernetesObject | undefined} pod
 * @returns {PodChange['before']}
 */
function beforeOf(pod) {
  if (!pod) return null;
  const node = pod.spec?.nodeName || null;
  const scheduled = conditionOf(pod.status, 'PodScheduled');
  return { node, message: node ? '' : (scheduled?.message ?? '') };
}

/**
 * Adds why there is no decision about a pod that waits.
 * @param {Fate} fate
 * @param {KubernetesObject | undefined} pod
 * @returns {Fate}
 */
export function withReason(fate, pod) {
  if (fate.state !== 'Pending' || fate.message !== '') return fate;
  const schedulerName = schedulerNameOf(pod?.spec);
  return { ...fate, message: `there is no decision: its scheduler is ${schedulerName}` };
}
