/** Searches the sets of edits that place a pod: the engine tries each. */
import { ASKS, editedPod } from './edit.js';
import { plansFor } from './plans.js';
import { addNodes } from './pools.js';
import { preempt } from './priority.js';
import { bySize } from './rank.js';
import { mergedRemovals, smallerRemovals } from './removals.js';
import { withLargest } from './requests.js';

/**
 * @import { Evaluation } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 * @import { GrowingPool } from './pools.js'
 * @import { Question, Trial } from './question.js'
 */

/** @typedef {{ edits: Edit[], trial: Trial }} Found */

/** The most edits of a set. */
const EDITS_MAX = 3;

/** The most sets of one shape, such as lower values of one request, that are tried. */
const SAME_SHAPE = 3;

/** The most sets that are tried, and the most evaluations that sets are made from. */
const TRIALS_MAX = 160;

/** Once there are so many, no sets of three edits are tried: each has six parts to try. */
const ENOUGH_FOR_THREE = 2;

/** The most sets that are tried once one has been found. */
const TRIALS_ENOUGH = 24;
const EXPANSIONS_MAX = 12;

/**
 * Returns sets of edits that place the pod, the best first. No part of a set places it. A set that
 * fails although it should place the pod is extended by what still refuses the pod then.
 * @param {Question} question
 * @param {Evaluation} evaluation of the pod as it is
 * @param {{ atMost: number, pools: GrowingPool[], priorityClasses: KubernetesObject[],
 *   progress?: (count: number) => void }} options
 * @returns {Promise<Found[]>}
 */
export async function search(question, evaluation, options) {
  const { atMost, progress } = options;
  /** @type {Map<string, Found>} */
  const found = new Map();
  /** @type {Edit[][]} */
  const waiting = [[]];
  for (let count = 0; count < EXPANSIONS_MAX && waiting.length > 0; count++) {
    const edits = /** @type {Edit[]} */ (waiting.sort(bySize).shift());
    if (includesAny(edits, found)) continue;
    const state = edits.length === 0 ? evaluation : await question.evaluate(edits);
    const { first, others } = setsAfter(edits, state, question, options);
    const settings = { question, found, atMost, progress };
    const failed = await tryAll(first, settings);
    if (!isEnough(question, found, atMost)) {
      const preempting = await preemptingAfter(edits, state, question, options);
      failed.push(...(await tryAll([...preempting, ...others].sort(bySize), settings)));
    }
    waiting.push(...failed);
    if (isEnough(question, found, atMost)) break;
    // Sets that need another look cost an evaluation of all nodes each.
    if (found.size > 0) break;
  }
  return [...found.values()].sort((a, b) => bySize(a.edits, b.edits)).slice(0, atMost);
}

/**
 * Returns the sets that extend a set by what refuses the pod then, the best first: those that come
 * before preemption, and all others.
 * @param {Edit[]} edits
 * @param {Evaluation} evaluation of the pod with them
 * @param {Question} question
 * @param {{ pools: GrowingPool[] }} options
 */
function setsAfter(edits, evaluation, question, { pools }) {
  const pod = editedPod(question.pod, edits);
  const plans = [...plansFor(evaluation, pod, question), ...addNodes(pools, question)];
  const sets = extended(edits, plans);
  const isFirst = (/** @type {Edit[]} */ set) =>
    set.length === edits.length + 1 && set.every(({ asks }) => asks < ASKS.priority);
  return { first: sets.filter(isFirst), others: sets.filter((set) => !isFirst(set)) };
}

/**
 * Returns the sets that extend a set by preemption, or by removing the pods that it would evict.
 * @param {Edit[]} edits
 * @param {Evaluation} evaluation of the pod with them
 * @param {Question} question
 * @param {{ priorityClasses: KubernetesObject[] }} options
 * @returns {Promise<Edit[][]>}
 */
async function preemptingAfter(edits, evaluation, question, { priorityClasses }) {
  const isOfPod = edits.every(({ node, creates, removes }) => !node && !creates && !removes);
  if (!isOfPod || evaluation.preFilter) return [];
  const pod = editedPod(question.pod, edits);
  return extended(edits, await preempt(pod, question, priorityClasses));
}

/**
 * @param {Edit[]} edits
 * @param {Edit[][]} plans
 * @returns {Edit[][]} the best first
 */
function extended(edits, plans) {
  return plans
    .map((plan) => {
      const added = plan.filter(({ key }) => !edits.some((one) => one.key === key));
      return added.length > 0 ? mergedRemovals([...edits, ...added]) : [];
    })
    .filter(({ length }) => length > 0 && length <= EDITS_MAX)
    .sort(bySize);
}

/**
 * Tries sets until enough place the pod.
 * @param {Edit[][]} sets the best first
 * @param {{ question: Question, found: Map<string, Found>, atMost: number, progress?: (count:
 *   number) => void }} search
 * @returns {Promise<Edit[][]>} those that do not and may be extended
 */
async function tryAll(sets, { question, found, atMost, progress }) {
  /** @type {Map<string, number>} */
  const shapes = new Map();
  /** @type {Edit[][]} */
  const failed = [];
  for (const set of sets) {
    if (isEnough(question, found, atMost)) break;
    if (set.length === EDITS_MAX && found.size >= ENOUGH_FOR_THREE) break;
    const shape = shapeOf(set);
    const tries = shapes.get(shape) ?? 0;
    if (tries >= SAME_SHAPE || found.has(shape) || includesAny(set, found)) continue;
    shapes.set(shape, tries + 1);
    progress?.(question.trials);
    const trial = await question.try(set);
    if (!trial.node) {
      if (set.length < EDITS_MAX && tries === 0) failed.push(set);
      continue;
    }
    const edits = await withLargest(await minimal(set, question), question);
    found.set(shapeOf(edits), { edits, trial: await question.try(edits) });
  }
  return failed;
}

/**
 * @param {Question} question
 * @param {Map<string, Found>} found
 * @param {number} atMost
 */
function isEnough({ trials }, found, atMost) {
  return found.size >= atMost || trials >= (found.size > 0 ? TRIALS_ENOUGH : TRIALS_MAX);
}

/**
 * Returns the smallest part of a set that places the pod; most often that is all of it.
 * @param {Edit[]} set
 * @param {Question} question
 * @returns {Promise<Edit[]>}
 */
async function minimal(set, question) {
  for (const part of properParts(set)) {
    if ((await question.try(part)).node) return minimal(part, question);
  }
  for (const edit of set) {
    for (const smaller of smallerRemovals(edit)) {
      const fewer = set.map((one) => (one === edit ? smaller : one));
      if ((await question.try(fewer)).node) return minimal(fewer, question);
    }
  }
  return set;
}

/**
 * Returns all proper parts of a set except the empty one, the smallest first.
 * @template T
 * @param {readonly T[]} set of at most three
 * @returns {T[][]}
 */
export function properParts(set) {
  /** @type {T[][]} */
  const parts = [[]];
  for (const item of set) parts.push(...parts.map((part) => [...part, item]));
  return parts
    .filter(({ length }) => length > 0 && length < set.length)
    .sort((a, b) => a.length - b.length);
}

/**
 * Whether a set includes all edits of a found one, by shape.
 * @param {Edit[]} set
 * @param {Map<string, Found>} found
 */
function includesAny(set, found) {
  const shapes = set.map(({ shape }) => shape);
  return [...found.values()].some(({ edits }) =>
    edits.every(({ shape }) => shapes.includes(shape)),
  );
}

/** @param {Edit[]} set */
function shapeOf(set) {
  return set
    .map(({ shape }) => shape)
    .sort()
    .join('\n');
}
