/**
 * The numbers that Services hold, each alone: those of their addresses or node ports.
 * Counterpart: pkg/registry/core/service/ipallocator and portallocator, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Store } from '../store.js'
 */

export class ServiceNumbers {
  #store;
  #numbersOf;
  #first;
  /** The keys of the Services that may hold a number. @type {Map<number, Set<string>>} */
  #holders = new Map();
  /** All numbers from the first one to this are held. */
  #next;

  /**
   * @param {Store} store
   * @param {number} first the first number to assign
   * @param {(service: KubernetesObject) => number[]} numbersOf
   */
  constructor(store, first, numbersOf) {
    this.#store = store;
    this.#first = first;
    this.#next = first;
    this.#numbersOf = numbersOf;
    store.subscribe('services', ({ type, object, previous }) => {
      const held = type === 'DELETED' ? [] : numbersOf(object);
      if (type !== 'DELETED') this.hold(object);
      if (previous) this.#release(previous, held);
    });
    for (const service of store.list('services')) this.hold(service);
  }

  /**
   * Records the numbers that a Service holds once it is stored.
   * @param {KubernetesObject} service
   */
  hold(service) {
    const { namespace, name } = service.metadata;
    for (const number of this.#numbersOf(service)) {
      const keys = this.#holders.get(number) ?? new Set();
      this.#holders.set(number, keys.add(`${namespace}/${name}`));
    }
  }

  /**
   * @param {KubernetesObject} service as it was
   * @param {number[]} held the numbers that it still holds
   */
  #release(service, held) {
    const { namespace, name } = service.metadata;
    for (const number of this.#numbersOf(service).filter((one) => !held.includes(one))) {
      this.#holders.get(number)?.delete(`${namespace}/${name}`);
      if (number >= this.#first) this.#next = Math.min(this.#next, number);
    }
  }

  /**
   * Whether a stored Service holds the number. One that was not stored after all holds none.
   * @param {number} number
   */
  #isHeld(number) {
    return [...(this.#holders.get(number) ?? [])].some((key) => {
      const [namespace, name] = key.split('/');
      const stored = this.#store.get('services', namespace, name);
      return stored !== undefined && this.#numbersOf(stored).includes(number);
    });
  }

  /**
   * Returns the first free numbers, in order.
   * @param {number} count
   */
  free(count) {
    while (this.#isHeld(this.#next)) this.#next += 1;
    /** @type {number[]} */
    const found = [];
    for (let number = this.#next; found.length < count; number++)
      if (!this.#isHeld(number)) found.push(number);
    return found;
  }
}
