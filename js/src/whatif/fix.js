/** Finds the smallest edits with which a pod that fits nowhere gets a node. */
import { keyOf } from '../kubernetes/keys.js';
import { InputError } from '../kubernetes/errors.js';
import { classified } from './classify.js';
import { documentOf } from './document.js';
import { ASKS, changesOf } from './fix/edit.js';
import { withQuestion } from './fix/question.js';
import { search } from './fix/search.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { Fits } from '../engine/types.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Proof } from './classify.js'
 * @import { Change, Edit, EditKind, TemplateOwner } from './fix/edit.js'
 * @import { GrowingPool } from './fix/pools.js'
 * @import { Question } from './fix/question.js'
 */

/**
 * Edits that together give the pod a node; no part of them does.
 * @typedef {object} Offer
 * @property {string} sentence
 * @property {{ kind: EditKind, sentence: string }[]} edits one to three
 * @property {Change[]} changes in the order in which to make them
 * @property {string} node that the pod then gets
 * @property {string[]} evicts pods that preemption removes for it, `namespace/name`
 */

/**
 * `node` is the one that the pod gets as it is; `tried` counts the sets of edits that were tried,
 * or that an evaluation excludes.
 * @typedef {{ apiVersion: 'stowage/v1', kind: 'Fix', kubernetesVersion: string, pod: string, fits:
 *   Fits, node: string | null, message: string, proof?: Proof, offers: Offer[], tried: number
 *   }} Fix
 */

/**
 * @typedef {object} FixOptions
 * @property {GrowingPool[]} [pools]
 * @property {KubernetesObject[]} [priorityClasses] by default a class is created
 * @property {TemplateOwner} [workload] the owner of the pod's template, to which patches are
 *   addressed
 * @property {number} [atMost] the most offers; default 5
 * @property {AbortSignal} [signal]
 * @property {(tried: number) => void} [progress] gets the number of sets that were tried
 */

/** The default of `atMost`. */
const OFFERS = 5;

/**
 * Returns edits with which the pod gets a node, the best first. Each was tried by the engine on a
 * fork, and so was each part of it, which does not suffice. If no edit of the pod alone helps, a
 * pod that can never fit has the proof of that in `proof`.
 * @param {Scheduler} scheduler with the simulated API, that keeps objects
 * @param {KubernetesObject | string} pod a pod, or the `namespace/name` of one in the cluster
 * @param {FixOptions} [options]
 * @returns {Promise<Fix>}
 * @throws {InputError} if there is no such pod, or an option is invalid
 * @throws the signal's reason
 */
export async function fix(scheduler, pod, options = {}) {
  const { pools = [], signal } = options;
  const atMost = checkedCount(options.atMost ?? OFFERS);
  pools.forEach(checkPool);
  return withQuestion(scheduler, pod, {
    signal,
    use: (asked) => fixed(asked, { ...options, atMost }),
  });
}

/**
 * @param {Question} question
 * @param {FixOptions & { atMost: number }} options
 * @returns {Promise<Fix>}
 */
async function fixed(question, options) {
  const { pools = [], priorityClasses = [], workload, atMost, signal, progress } = options;
  const { scheduler } = question;
  const evaluation = await question.evaluate([]);
  const { node, message = '' } = evaluation;
  const fits = /** @type {Fits} */ (evaluation.fits);
  const head = { pod: keyOf(question.pod), fits, node, message };
  if (node) return documentOf('Fix', scheduler, { ...head, offers: [], tried: 0 });
  const settings = { atMost, pools, priorityClasses, progress };
  const found = await search(question, evaluation, settings);
  /** @type {Offer[]} */
  const offers = [];
  for (const { edits, trial } of found) {
    const run = trial.isRun ? trial : await question.run(edits);
    if (run.node) offers.push(offerOf(edits, question.pod, { ...run, node: run.node, workload }));
  }
  const tried = question.trials;
  const proven = needsProof(found, fits)
    ? await classified(scheduler, question.pod, { evaluation, signal })
    : {};
  return documentOf('Fix', scheduler, { ...head, ...neverIn(proven), offers, tried });
}

/**
 * Whether no edit of the pod alone helps, and it may be that nothing but edits ever does.
 * @param {{ edits: Edit[] }[]} found
 * @param {Fits} fits as the engine classifies the pod
 */
function needsProof(found, fits) {
  const isOfPod = (/** @type {Edit} */ { asks }) => asks < ASKS.label;
  if (found.some(({ edits }) => edits.every(isOfPod))) return false;
  return fits === 'Never' || found.length === 0;
}

/**
 * @param {{ fits?: Fits, proof?: Proof }} classification
 * @returns {{ fits?: Fits, proof?: Proof }}
 */
function neverIn({ fits, proof }) {
  if (!fits) return {};
  return fits === 'Never' ? { fits, proof } : { fits };
}

/**
 * @param {Edit[]} edits
 * @param {KubernetesObject} pod
 * @param {{ node: string, evicted: string[], workload?: TemplateOwner }} result
 * @returns {Offer}
 */
function offerOf(edits, pod, { node, evicted, workload }) {
  const sentences = edits.map(({ sentence }) => sentence);
  const text = sentences.join(', and ');
  return {
    sentence: `${text[0].toUpperCase()}${text.slice(1)}.`,
    edits: edits.map(({ kind, sentence }) => ({ kind, sentence })),
    changes: changesOf(pod, edits, workload),
    node,
    evicts: evicted,
  };
}

/** @param {number} count */
function checkedCount(count) {
  if (Number.isInteger(count) && count >= 1) return count;
  const detail = `atMost is an integer from 1, not ${count}`;
  throw new InputError({ code: 'FieldValueInvalid', field: 'atMost', detail });
}

/** @param {GrowingPool} pool @param {number} index */
function checkPool(pool, index) {
  const { kind, metadata, status } = pool?.node ?? {};
  if (kind === 'Node' && metadata?.name && status?.allocatable) return;
  const field = `pools[${index}].node`;
  const detail = 'a pool has a Node with a name and allocatable resources';
  throw new InputError({ code: 'FieldValueInvalid', kind: 'Node', field, detail });
}
