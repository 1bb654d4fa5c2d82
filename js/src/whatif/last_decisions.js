/** The last decision about each pod, also by the node that it names. */

/** @import { Decision } from '../engine/types.js' */

/** @typedef {{ decision: Decision, order: number }} Entry `order`: of the pod's first decision */

export class LastDecisions {
  /** @type {Map<string, Entry>} */
  #ofPod = new Map();
  /** The pods that are placed on a node. @type {Map<string, Set<string>>} */
  #onNode = new Map();
  #count = 0;

  /** Returns a copy that changes independently. */
  copy() {
    const copy = new LastDecisions();
    copy.#ofPod = new Map(this.#ofPod);
    copy.#onNode = new Map([...this.#onNode].map(([node, pods]) => [node, new Set(pods)]));
    copy.#count = this.#count;
    return copy;
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
    const pods = this.#onNode.get(node);
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
    if (node) this.#onNode.get(node)?.delete(pod);
  }
}
