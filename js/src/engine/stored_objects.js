/** The objects of a cluster, as the engine keeps them. */
import { isSystemClass } from '../kubernetes/default_classes.js';
import { InputError } from '../kubernetes/errors.js';

/**
 * @import { Completer } from './completer.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

/** PriorityClass has its names here, because the engine never sees one. */
const PRIORITY_CLASSES = ['PriorityClass', 'priorityclasses'];

export class StoredObjects {
  #inspect;
  #completer;

  /**
   * @param {(query: { objects: string, name?: string }) => { items: KubernetesObject[] }} inspect
   * @param {Completer} completer keeps the PriorityClasses
   */
  constructor(inspect, completer) {
    this.#inspect = inspect;
    this.#completer = completer;
  }

  /**
   * @param {string} kind
   * @returns {KubernetesObject[]}
   */
  list(kind) {
    checkText('kind', kind);
    if (!PRIORITY_CLASSES.includes(kind)) return this.#inspect({ objects: kind }).items;
    return [...this.#completer.priorityClasses].filter((one) => !isSystemClass(one));
  }

  /**
   * @param {string} kind
   * @param {string} name
   * @returns {KubernetesObject | undefined}
   */
  get(kind, name) {
    checkText('name', name);
    if (PRIORITY_CLASSES.includes(kind))
      return this.list(kind).find(({ metadata }) => metadata.name === name);
    checkText('kind', kind);
    return this.#inspect({ objects: kind, name }).items[0];
  }

  /**
   * @param {string} name `namespace/name`
   * @returns {KubernetesObject}
   * @throws {InputError} if there is no such pod
   */
  pod(name) {
    const pod = this.get('Pod', name);
    if (pod) return pod;
    const detail = `Not found: "${name}"`;
    throw new InputError({ code: 'FieldValueInvalid', field: 'pod', value: name, detail });
  }

  /**
   * @param {string} kubernetesVersion the release that decided
   * @returns {KubernetesObject} a List
   */
  snapshot(kubernetesVersion) {
    const items = [...this.list('PriorityClass'), ...this.list('*')];
    return { apiVersion: 'v1', kind: 'List', metadata: {}, kubernetesVersion, items };
  }
}

/** @param {string} field @param {unknown} value */
function checkText(field, value) {
  if (typeof value === 'string' && value !== '') return;
  const detail = `a text is expected, not ${String(value)}`;
  throw new InputError({ code: 'FieldValueInvalid', field, value, detail });
}
