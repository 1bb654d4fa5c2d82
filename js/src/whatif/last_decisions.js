/** The last decision about each pod, also by the node that it names. */

import { LayeredMap } from './layered_map.js';

/** @import { Decision } from '../engine/types.js' */

/** @typedef {{ decision: Decision, order: number }} Entry `order`: of the pod's first decision */

const copyOf = (/** @type {Set<string>} */ pods) => new Set(pods);

export class LastDecisions {
  /** @type {LayeredMap<string, Entry>} */
  #ofPod = new LayeredMap();
  /** The pods that are placed on a node. @type {LayeredMap<string, Set<string>>} */
  #onNode = new LayeredMap();
  #count = 0;

  /** Returns a copy that goes on from here; these stay as they are while it is used. */
  layer() {
    const layer = new LastDecisions();
    layer.#ofPod = this.#ofPod.layer();
    layer.#onNode = this.#onNode.layer();
    layer.#count = this.#count;
    return layer;
  }

  /** @param {string} pod `namespace/name` @returns {Decision | undefined} */
  get(pod) {
    return this.#ofPod.get(pod)?.decision;
  }

  /** @param {Decision} decision */
  set(decision) {
    const { pod, node } = decision;
    const { order = this.#count++ } = this.#ofPod.get(pod) ?? {};
    this.#leave(pod);
    this.#ofPod.set(pod, { decision, order });
    if (!node) return;
    const pods = this.#onNode.own(node, copyOf);
    if (pods) pods.add(pod);
    else this.#onNode.set(node, new Set([pod]));
  }

  /** @param {string} pod */
  delete(pod) {
    this.#leave(pod);
    this.#ofPod.delete(pod);
  }

  /**
   * Returns the pods that are placed on a node, in the order of their first decisions.
   * @param {string} node
   * @returns {string[]}
   */
  podsOn(node) {
    const orderOf = (/** @type {string} */ pod) => this.#ofPod.get(pod)?.order ?? 0;
    return [...(this.#onNode.get(node) ?? [])].sort((a, b) => orderOf(a) - orderOf(b));
  }

  /** In the order of the pods' first decisions. @returns {Decision[]} */
  get all() {
    return [...this.#ofPod.values()].map(({ decision }) => decision);
  }

  /** Takes a pod off its node. @param {string} pod */
  #leave(pod) {
    const node = this.get(pod)?.node;
    if (node) this.#onNode.own(node, copyOf)?.delete(pod);
  }
}
