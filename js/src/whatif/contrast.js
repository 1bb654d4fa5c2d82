/** Contrasts two nodes for a pod: why the one, why not the other, and what would change that. */
import { keyOf } from '../kubernetes/keys.js';
import { InputError } from '../kubernetes/errors.js';
import { nodeRow } from '../engine/evaluation.js';
import { flipsByEdits } from './contrast/edits.js';
import { flipsByWeights } from './contrast/weights.js';
import { documentOf } from './document.js';
import { withQuestion } from './fix/question.js';

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { Evaluation, SchedulerOptions } from '../engine/types.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Change, TemplateOwner } from './fix/edit.js'
 * @import { Question } from './fix/question.js'
 */

/**
 * A change with which the pod goes to B. `Weight`: of a plugin, for which `configuration` is the
 * whole configuration; others have `changes`.
 * @typedef {object} Flip
 * @property {'Weight' | 'Request' | 'Toleration' | 'Label' | 'Other'} by
 * @property {string} sentence
 * @property {Change[]} [changes]
 * @property {string} [plugin]
 * @property {number} [weight]
 * @property {object} [configuration] a KubeSchedulerConfiguration
 */

/**
 * The weighted scores that a plugin gives both nodes, which fit.
 * @typedef {{ plugin: string, weight: number, a: number, b: number, difference: number }}
 *   Difference
 */

/**
 * @typedef {object} ContrastOptions
 * @property {Engine} [engine] creates schedulers that try other weights; without it none is tried
 * @property {SchedulerOptions} [schedulerOptions] those of the scheduler, for others like it
 * @property {object} [configuration] the scheduler's KubeSchedulerConfiguration; default: none
 * @property {TemplateOwner} [workload] the owner of the pod's template, to which patches are
 *   addressed
 * @property {AbortSignal} [signal]
 */

/**
 * Returns how two nodes differ for a pod, and the smallest changes with which it goes to B. The
 * engine tried each: a weight in a new scheduler, all else on a fork.
 * @param {Scheduler} scheduler with the simulated API, that keeps objects
 * @param {KubernetesObject | string} pod a pod, or the `namespace/name` of one in the cluster
 * @param {string | undefined} nodeA by default the node that the pod would get
 * @param {string} nodeB
 * @param {ContrastOptions} [options]
 * @throws {InputError} if the pod or a node does not exist
 * @throws the signal's reason
 */
export async function contrast(scheduler, pod, nodeA, nodeB, options = {}) {
  const { signal } = options;
  const use = (/** @type {Question} */ asked) => contrasted(asked, nodeA, nodeB, options);
  return withQuestion(scheduler, pod, { signal, use });
}

/**
 * @param {Question} question
 * @param {string | undefined} nodeA
 * @param {string} nodeB
 * @param {ContrastOptions} options
 */
async function contrasted(question, nodeA, nodeB, options) {
  const { scheduler } = question;
  const evaluation = await scheduler.evaluateAsync(question.pod, {
    detail: 'table',
    allPlugins: true,
    culprits: true,
    everyNode: true,
    preemption: false,
    signal: options.signal,
  });
  const [a, b] = [nodeA ?? evaluation.node, nodeB].map((name, at) =>
    name === null ? null : knownNode(name, at === 0 ? 'nodeA' : 'nodeB', question),
  );
  const rows = { a: a === null ? null : sideOf(evaluation, a), b: sideOf(evaluation, nodeB) };
  const isFlipped = evaluation.node === b;
  const flips = isFlipped
    ? []
    : [
        ...(await flipsByWeights(evaluation, nodeB, { question, ...options })),
        ...(await flipsByEdits(evaluation, nodeB, { question, ...options })),
      ];
  return documentOf('Contrast', scheduler, {
    pod: keyOf(question.pod),
    node: evaluation.node,
    ...(evaluation.node === null && { message: evaluation.message }),
    ...rows,
    differences: differencesOf(evaluation, a, nodeB),
    flips,
  });
}

/**
 * @param {string} name
 * @param {string} field
 * @param {Question} question
 */
function knownNode(name, field, question) {
  if (question.get('Node', name)) return name;
  const detail = `there is no node ${name}`;
  throw new InputError({ code: 'FieldValueInvalid', kind: 'Node', name, field, detail });
}

/**
 * @param {Evaluation} evaluation
 * @param {string} node
 */
function sideOf(evaluation, node) {
  const { verdict, refusals, total } = nodeRow(evaluation, node);
  return { node, verdict, refusals, ...(total !== undefined && { total }) };
}

/**
 * Returns the scores of two nodes that fit, the largest difference first.
 * @param {Evaluation} evaluation
 * @param {string | null} a
 * @param {string} b
 * @returns {Difference[]}
 */
function differencesOf(evaluation, a, b) {
  if (a === null) return [];
  const [ofA, ofB] = [nodeRow(evaluation, a).scores, nodeRow(evaluation, b).scores];
  if (!ofA || !ofB) return [];
  return Object.keys(ofA)
    .map((plugin) => ({
      plugin,
      weight: evaluation.weights?.[plugin] ?? 1,
      a: ofA[plugin],
      b: ofB[plugin],
      difference: ofA[plugin] - ofB[plugin],
    }))
    .sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference));
}
