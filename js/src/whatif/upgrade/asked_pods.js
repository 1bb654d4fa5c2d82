/** Chooses the pods that represent all others, and encodes a cluster for several schedulers. */
import { batchesOf, isList, listItems } from '../../engine/batch.js';
import { Completer } from '../../engine/completer.js';
import { LIMITS } from '../../engine/options.js';
import { InputError } from '../../kubernetes/errors.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { canMove } from '../population.js';
import { Lines } from './pod_text.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { UpgradeOptions } from '../upgrade.js'
 * @import { PodTexts } from './pod_text.js'
 */

/**
 * A pod to ask about. `pods`: the number of pods that are equal to it, it included; `index`: its
 * number in the source.
 * @typedef {{ pod: string, pods: number, index: number }} Asked
 */

/**
 * Reads a cluster in one pass. Keeps none of its objects.
 * @param {Scheduler | KubernetesObject | Iterable<KubernetesObject>} source
 * @param {{ schedulerNames: Set<string>, everyPod: boolean, whole: boolean, seed?: number, texts:
 *   PodTexts, onError: (error: InputError) => void } & Pick<UpgradeOptions, 'isAsked'>} options
 *   `whole`: encodes pods with all fields; `texts` may have reduced the pods; `onError` receives
 *   the errors of objects that cannot be encoded
 * @returns {{ lines: Lines, asked: Asked[] }} `asked`: one of each class of equal pods, or all, in
 *   the order of the source
 */
export function readSource(source, options) {
  const { schedulerNames, everyPod, isAsked } = options;
  const encoder = new Encoder(options);
  /** @type {Map<string, Asked>} */
  const classes = new Map();
  let count = 0;
  for (const object of objectsIn(source)) {
    const index = count;
    count += 1;
    const key = encoder.add(object, index);
    if (object?.kind !== 'Pod' || !canMove(object, schedulerNames)) continue;
    const pod = podKeyOf(object);
    if (isAsked && !isAsked(pod, object)) continue;
    const name = everyPod || key === undefined ? pod : key;
    const known = classes.get(name);
    if (known) known.pods += 1;
    else classes.set(name, { pod, pods: 1, index });
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
 * Encodes objects once for all schedulers, completed as `Scheduler.apply` completes them, and pods
 * without what the scheduler does not read.
 */
class Encoder {
  #whole;
  #completer;
  #onError;
  #texts;
  #lines = new Lines();
  /**
   * Objects whose completion reads classes, which may come after them, and their numbers.
   * @type {{ objects: KubernetesObject[], indexes: number[] }}
   */
  #incomplete = { objects: [], indexes: [] };

  /**
   * @param {{ whole: boolean, seed?: number, texts: PodTexts, onError: (error: InputError) =>
   *   void }} options
   */
  constructor({ whole, seed, texts, onError }) {
    this.#whole = whole;
    this.#completer = new Completer({ seed });
    this.#texts = texts;
    this.#onError = onError;
  }

  /**
   * @param {KubernetesObject} object
   * @param {number} index its number in the source
   * @returns {string | undefined} what a pod shares with equal pods; undefined if it has none
   */
  add(object, index) {
    const text = object?.kind === 'Pod' ? this.#texts.of(object) : undefined;
    const isStored = object?.metadata?.uid || object?.kind?.endsWith('Class');
    if (!isStored) {
      this.#incomplete.objects.push(object);
      this.#incomplete.indexes.push(index);
    } else if (text && !this.#whole) this.#lines.add(text, index);
    else this.#encode([object], [index]);
    return text?.key;
  }

  /** @returns {Lines} */
  end() {
    this.#encode(this.#incomplete.objects, this.#incomplete.indexes);
    return this.#lines;
  }

  /**
   * @param {KubernetesObject[]} objects
   * @param {number[]} indexes
   */
  #encode(objects, indexes) {
    const complete = this.#completer.complete.bind(this.#completer);
    for (const batch of batchesOf(objects, { limits: LIMITS, complete })) {
      if (batch.error) this.#onError(withIndex(batch.error, indexes[batch.error.index ?? 0]));
      const lines = batch.parts?.join('').split('\n') ?? [];
      for (const [at, index] of (batch.indexes ?? []).entries())
        this.#lines.add(`${lines[at]}\n`, indexes[index]);
    }
  }
}

/**
 * Returns an error with the number of its object in the source in place of its position in what the
 * engine got.
 * @param {InputError} error
 * @param {number} index
 */
export function withIndex(error, index) {
  const { line: _line, column: _column, ...fields } = error.toJSON();
  return new InputError({ ...fields, index }, { cause: error.cause });
}
