/** Evaluates several pods jointly: each as if those before it had been placed. */
import { InputError } from '../kubernetes/errors.js';
import { splitKey } from '../kubernetes/keys.js';
import { applyUnplaced, placeOf, onceClaimsExist } from './awaited_claims.js';

/**
 * @import { Scheduler } from './scheduler.js'
 * @import { EvaluateOptions, Evaluation } from './types.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

/** The cycles of a pod that preempts: one evicts, the next one places it. */
const CYCLES = 2;

/**
 * Returns for each pod what its cycle would do if the pods before it had been placed, by preemption
 * if need be. A pod without a node leaves the cluster to those after it as it was. Nothing changes
 * in the scheduler: the pods are placed on a fork.
 * @param {Scheduler} scheduler
 * @param {Iterable<KubernetesObject | string>} pods as for `Scheduler.evaluate`, each with another
 *   `namespace/name`; an object takes the place of the pod of that name
 * @param {EvaluateOptions & { signal?: AbortSignal, progress?: (done: number) => void }} [options]
 *   `progress` is called after each pod
 * @returns {Promise<Evaluation[]>} in the order of the pods
 * @throws {InputError} as `Scheduler.evaluate`, and if two pods have the same name
 * @throws the signal's reason
 */
export async function evaluateAll(scheduler, pods, { progress = () => {}, ...options } = {}) {
  /** @type {Evaluation[]} */
  const evaluations = [];
  for await (const evaluation of evaluatedInTurn(scheduler.fork(), pods, () => options))
    progress(evaluations.push(evaluation));
  return evaluations;
}

/**
 * The same, one after another, on a fork that is disposed of at the end.
 * @param {Scheduler} fork
 * @param {Iterable<KubernetesObject | string>} pods
 * @param {() => EvaluateOptions & { signal?: AbortSignal }} optionsNow for each evaluation
 * @returns {AsyncGenerator<Evaluation, void, void>}
 */
export async function* evaluatedInTurn(fork, pods, optionsNow) {
  /** @type {Set<string>} */
  const known = new Set();
  try {
    for (const pod of pods) {
      const options = optionsNow();
      options.signal?.throwIfAborted();
      const evaluation = await onceClaimsExist(fork, pod, (served, asked) =>
        served.evaluateAsync(asked, options),
      );
      if (known.has(evaluation.pod)) throw duplicate(evaluation.pod);
      known.add(evaluation.pod);
      yield evaluation;
      if (evaluation.node ?? evaluation.preemption?.nominatedNode)
        await place(fork, pod, evaluation.pod);
    }
  } finally {
    fork.dispose();
  }
}

/**
 * Places a pod on the fork.
 * @param {Scheduler} fork
 * @param {KubernetesObject | string} pod
 * @param {string} key its `namespace/name`
 */
async function place(fork, pod, key) {
  if (typeof pod !== 'string') applyUnplaced(fork, pod, key);
  else if (placeOf(fork, key)?.node) fork.unbind(key);
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const { node, preemption } = await fork.scheduleOne(key);
    if (node || !preemption?.nominatedNode) return;
  }
}

/** @param {string} key */
function duplicate(key) {
  const { namespace, name } = splitKey(key);
  const code = 'FieldValueDuplicate';
  const detail = `Duplicate value: "${name}"`;
  return new InputError({ code, kind: 'Pod', namespace, name, field: 'metadata.name', detail });
}
