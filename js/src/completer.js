/** Objects as the API server would have stored them, before they go to the engine. */
import { isToBeNamed, PriorityClasses, withDefaults } from './defaults.js';
import { isRecord } from './values.js';

/**
 * @import { Change } from './batch.js'
 * @import { KubernetesObject } from './types.js'
 */

/** Completer completes the objects of one scheduler, and keeps what it needs for that. */
export class Completer {
  #priorityClasses = new PriorityClasses();
  #seed;
  #onPriorityClass;
  /** How many objects got a name made of their `generateName`. */
  named = 0;

  /**
   * @param {{ seed?: number, onPriorityClass?: (object: KubernetesObject, change: Change) =>
   *   void }} options
   */
  constructor({ seed = 0, onPriorityClass = () => {} }) {
    this.#seed = seed;
    this.#onPriorityClass = onPriorityClass;
  }

  /**
   * PriorityClasses end here: the scheduler itself never reads them.
   * @param {KubernetesObject} object
   * @param {Change} change
   * @returns {KubernetesObject | null} null: the engine need not see it
   */
  complete(object, change) {
    if (object.kind === 'PriorityClass') {
      this.#priorityClasses.change(object, change);
      this.#onPriorityClass(object, change);
      return null;
    }
    if (object.metadata?.uid) return object;
    if (isToBeNamed(object)) this.named += 1;
    return withDefaults(object, {
      priorityClasses: this.#priorityClasses,
      seed: this.#seed,
      count: this.named,
    });
  }

  /**
   * A pod that is only asked about may lack even its name.
   * @param {KubernetesObject} pod
   * @returns {KubernetesObject}
   */
  completePod(pod) {
    const metadata = pod.metadata ?? {};
    if (!isRecord(metadata)) return { apiVersion: 'v1', kind: 'Pod', ...pod };
    const name = metadata.name ?? (metadata.generateName ? undefined : 'pod');
    const named = {
      apiVersion: 'v1',
      kind: 'Pod',
      ...pod,
      metadata: { ...metadata, ...(name && { name }) },
    };
    return metadata.uid
      ? named
      : withDefaults(named, { priorityClasses: this.#priorityClasses, seed: this.#seed });
  }
}
