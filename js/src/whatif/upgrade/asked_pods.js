/** Chooses the pods that represent all others, and encodes a cluster for several schedulers. */
import { batchesOf, isList, listItems } from '../../engine/batch.js';
import { Completer } from '../../engine/completer.js';
import { LIMITS } from '../../engine/options.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { endsWithNode } from '../population.js';
import { Lines, PodTexts } from './pod_text.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { UpgradeOptions } from '../upgrade.js'
 */

/**
 * A pod to ask about. `pods`: the number of pods that are equal to it, it included.
 * @typedef {{ pod: string, pods: number }} Asked
 */

/**
 * Reads a cluster in one pass. Keeps none of its objects.
 * @param {Scheduler | KubernetesObject | Iterable<KubernetesObject>} source
 * @param {{ schedulerNames: Set<string>, everyPod: boolean, whole: boolean, seed?: number } &
 *   Pick<UpgradeOptions, 'isAsked' | 'onError'>} options `whole`: encodes pods with all fields
 * @returns {{ lines: Lines, asked: Asked[] }} `asked`: one of each class of equal pods, or all, in
 *   the order of the source
 * @throws {import('../../kubernetes/errors.js').InputError} if an object cannot be encoded
 */
export function readSource(source, { schedulerNames, everyPod, whole, seed, isAsked, onError }) {
  const encoder = new Encoder({ whole, seed, onError });
  /** @type {Map<string, Asked>} */
  const classes = new Map();
  for (const object of objectsIn(source)) {
    const key = encoder.add(object);
    if (object?.kind !== 'Pod' || !canMove(object, schedulerNames)) continue;
    const pod = podKeyOf(object);
    if (isAsked && !isAsked(pod, object)) continue;
    const name = everyPod || key === undefined ? pod : key;
    const known = classes.get(name);
    if (known) known.pods += 1;
    else classes.set(name, { pod, pods: 1 });
  }
  return { lines: encoder.end(), asked: [...classes.values()] };
}

/**
 * @param {Scheduler | KubernetesObject | Iterable<KubernetesObject>} source
 * @returns {Iterable<KubernetesObject>}
 */
function objectsIn(source) {
  if ('snapshot' in source) return source.snapshot().items;
  return isList(source) ? listItems(source) : /** @type {Iterable<KubernetesObject>} */ (source);
}

/**
 * Whether a scheduler of these names could give the pod a node, or another one. It cannot for a pod
 * that ends with its node.
 * @param {KubernetesObject} pod
 * @param {Set<string>} schedulerNames
 */
function canMove(pod, schedulerNames) {
  const { spec, status } = pod;
  if (['Succeeded', 'Failed'].includes(status?.phase)) return false;
  if (!schedulerNames.has(spec?.schedulerName ?? 'default-scheduler')) return false;
  return !spec?.nodeName || !endsWithNode(pod);
}

/**
 * Encodes objects once for all schedulers, completed as `Scheduler.apply` completes them, and pods
 * without what the scheduler does not read.
 */
class Encoder {
  #whole;
  #completer;
  #onError;
  #lines = new Lines();
  #texts = new PodTexts();
  /**
   * Objects whose completion reads classes, which may come after them.
   * @type {KubernetesObject[]}
   */
  #incomplete = [];

  /** @param {{ whole: boolean, seed?: number } & Pick<UpgradeOptions, 'onError'>} options */
  constructor({ whole, seed, onError }) {
    this.#whole = whole;
    this.#completer = new Completer({ seed });
    this.#onError = onError;
  }

  /**
   * @param {KubernetesObject} object
   * @returns {string | undefined} what a pod shares with equal pods; undefined if it has none
   */
  add(object) {
    const text = object?.kind === 'Pod' ? this.#texts.of(object) : undefined;
    const isStored = object?.metadata?.uid || object?.kind?.endsWith('Class');
    if (!isStored) this.#incomplete.push(object);
    else if (text && !this.#whole) this.#lines.add(text);
    else this.#encode([object]);
    return text?.key;
  }

  /** @returns {Lines} */
  end() {
    this.#encode(this.#incomplete);
    return this.#lines;
  }

  /** @param {KubernetesObject[]} objects */
  #encode(objects) {
    const complete = this.#completer.complete.bind(this.#completer);
    for (const batch of batchesOf(objects, { limits: LIMITS, complete })) {
      if (batch.error && !this.#onError) throw batch.error;
      if (batch.error) this.#onError?.(batch.error);
      for (const text of batch.parts ?? []) this.#lines.add(String(text));
    }
  }
}
