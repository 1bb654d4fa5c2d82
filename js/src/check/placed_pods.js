import { podKeyOf } from '../kubernetes/keys.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** Pods of a rollout in their order, and which of them have a node: a step changes few of them. */
export class PlacedPods {
  /** By key. @type {Map<string, KubernetesObject>} */
  #pods = new Map();
  /** The keys of those without a node. @type {Set<string>} */
  #unplaced = new Set();
  #isNew = true;

  /** @param {KubernetesObject[]} pods */
  constructor(pods) {
    this.add(pods);
  }

  get size() {
    return this.#pods.size;
  }

  get numUnplaced() {
    return this.#unplaced.size;
  }

  all() {
    return [...this.#pods.values()];
  }

  unplaced() {
    if (this.#unplaced.size === 0) return [];
    return this.all().filter((pod) => this.#unplaced.has(podKeyOf(pod)));
  }

  /** @param {KubernetesObject} pod */
  has(pod) {
    return this.#pods.has(podKeyOf(pod));
  }

  /** @param {KubernetesObject} pod */
  hasPlaced(pod) {
    return this.has(pod) && !this.#unplaced.has(podKeyOf(pod));
  }

  /** @param {KubernetesObject[]} pods without a node until `update` finds one */
  add(pods) {
    for (const pod of pods) {
      const key = podKeyOf(pod);
      this.#pods.set(key, pod);
      this.#unplaced.add(key);
    }
  }

  /** @param {KubernetesObject[]} pods */
  remove(pods) {
    for (const pod of pods) {
      const key = podKeyOf(pod);
      this.#pods.delete(key);
      this.#unplaced.delete(key);
    }
  }

  /**
   * @param {(pod: KubernetesObject) => boolean} isPlaced
   * @param {ReadonlySet<string>} moved the keys of pods that got or lost a node since the last
   *   call; the first call looks at all
   */
  update(isPlaced, moved) {
    for (const key of this.#isNew ? this.#pods.keys() : moved) {
      const pod = this.#pods.get(key);
      if (!pod) continue;
      if (isPlaced(pod)) this.#unplaced.delete(key);
      else this.#unplaced.add(key);
    }
    this.#isNew = false;
  }
}
