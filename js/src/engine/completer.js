/** Completes objects as the API server would have stored them, before they go to the engine. */
import { PriorityClasses, StorageClasses } from '../kubernetes/default_classes.js';
import { isToBeNamed, withDefaults } from '../kubernetes/defaults.js';
import { InputError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/values.js';

/**
 * @import { Change } from './batch.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

/** A pod has at least one of these fields. */
const FIELDS_OF_PODS = ['apiVersion', 'kind', 'metadata', 'spec'];

/** The maximum number of fields that the message about another object names. */
const SHOWN = 5;

/** Completer completes the objects of one scheduler, and keeps the classes that this needs. */
export class Completer {
  #priorityClasses = new PriorityClasses();
  #storageClasses = new StorageClasses();
  #seed;
  #onClass;
  /** The number of objects whose name was generated from `generateName`. */
  named = 0;

  /**
   * @param {{ seed?: number, onClass?: (object: KubernetesObject, change: Change) => void }}
   *   options `onClass` receives each class that defaults are taken from
   */
  constructor({ seed = 0, onClass = () => {} }) {
    this.#seed = seed;
    this.#onClass = onClass;
  }

  /** A Completer with the same classes, which change independently and are not logged. */
  copy() {
    const copy = new Completer({ seed: this.#seed });
    for (const one of this.#priorityClasses) copy.#priorityClasses.change(one, 'set');
    for (const one of this.#storageClasses) copy.#storageClasses.change(one, 'set');
    copy.named = this.named;
    return copy;
  }

  /**
   * Goes on with the classes and the count of a copy, which must not be used any more.
   * @param {Completer} copy
   */
  adopt(copy) {
    this.#priorityClasses = copy.#priorityClasses;
    this.#storageClasses = copy.#storageClasses;
    this.named = copy.named;
  }

  /** The applied classes and the system's. @returns {Iterable<KubernetesObject>} */
  get priorityClasses() {
    return this.#priorityClasses;
  }

  /**
   * Completes an object. PriorityClasses stay here: the scheduler itself never reads them.
   * @param {KubernetesObject} object
   * @param {Change} change
   * @returns {KubernetesObject | null} null if the engine need not see it
   */
  complete(object, change) {
    if (object.kind === 'PriorityClass' || object.kind === 'StorageClass') {
      const isOfPods = object.kind === 'PriorityClass';
      (isOfPods ? this.#priorityClasses : this.#storageClasses).change(object, change);
      this.#onClass(object, change);
      if (isOfPods) return null;
    }
    if (object.metadata?.uid) return object;
    if (isToBeNamed(object)) this.named += 1;
    return withDefaults(object, {
      priorityClasses: this.#priorityClasses,
      storageClasses: this.#storageClasses,
      seed: this.#seed,
      count: this.named,
    });
  }

  /**
   * Completes a pod of an evaluation, which may lack even a name.
   * @param {KubernetesObject} pod
   * @returns {KubernetesObject}
   * @throws {InputError} if it is something else
   */
  completePod(pod) {
    if (FIELDS_OF_PODS.every((field) => pod[field] === undefined)) throw noPod(pod);
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

/** @param {object} object an object without any field of a pod */
function noPod(object) {
  const fields = Object.keys(object).slice(0, SHOWN).join(', ') || 'no field';
  const wanted = `one of ${FIELDS_OF_PODS.join(', ')}`;
  const detail = `a Pod is expected, which has ${wanted}; this object has ${fields}`;
  return new InputError({ code: 'FieldValueRequired', field: 'pod', detail });
}

/**
 * A Completer that writes its classes to a log: a replay needs them to complete objects alike.
 * @param {number | undefined} seed
 * @param {(entry: object) => void} write
 * @returns {Completer}
 */
export function loggedCompleter(seed, write) {
  return new Completer({
    seed,
    onClass: (object, change) => {
      const field = object.kind === 'PriorityClass' ? 'priorityClass' : 'storageClass';
      write({ [field]: object, change });
    },
  });
}
