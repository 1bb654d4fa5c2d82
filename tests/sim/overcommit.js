/**
 * Whether the pods that are really on a node fit on it. A scheduler can only answer for what it
 * knew. A node is excused while others bind to it, while it is smaller than the scheduler was told
 * (which a stale list may report at any time), and while a pod is on it whose binding was
 * cancelled, until the engine knows the node's real state.
 */
import { requestsOf, shortageOn } from './amounts.js';
import { hold } from './invariants.js';
import { isFinished, keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */
/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */

/** @param {any[]} pods */
const uidsOf = (pods) =>
  pods
    .map(({ metadata }) => metadata.uid)
    .sort()
    .join();

/**
 * The node that has less room than the scheduler may know.
 * @param {Record<string, any>} change @returns {string | undefined}
 */
export function nodeChangedBy({ op, node, pod }) {
  if (op === 'createPod') return pod.spec.nodeName;
  if (op === 'createCrowd') return node;
  if (op === 'putNode') return node.metadata.name;
  return op === 'resizeNode' || op === 'bindForeign' ? node : undefined;
}

export class Overcommit {
  #world;
  #told;
  /** Names of nodes. @type {Set<string>} */
  #excused = new Set();
  /** The number of checks of nodes that were not excused. */
  looks = 0;

  /** @param {World} world @param {ExpectedCache} told */
  constructor(world, told) {
    this.#world = world;
    this.#told = told;
  }

  /** Another scheduler changed the node. @param {string | undefined} node */
  excuse(node) {
    if (node) this.#excused.add(node);
  }

  /** A pod is on a node on which the engine does not count it. @param {any} pod */
  notice({ metadata: { uid }, spec: { nodeName } }) {
    if (nodeName && this.#told.cache.get(uid)?.node !== nodeName) this.#excused.add(nodeName);
  }

  check() {
    const there = this.#podsByNode();
    for (const [name, pods] of there) {
      for (const pod of pods) this.notice(pod);
      const node = this.#world.get('Node', name);
      if (!node) continue;
      if (this.#isTakenForAnother(node)) this.#excused.add(name);
      const requests = pods.map(requestsOf);
      const shortage = shortageOn(node, requests);
      if (this.#excused.has(name)) {
        if (!shortage && this.#isKnown(node, pods)) this.#excused.delete(name);
        continue;
      }
      this.looks += 1;
      hold(!shortage, 'no node over allocatable', () => {
        return `${name} has to give ${shortage}: [${pods.map(keyOf)}]`;
      });
    }
  }

  #podsByNode() {
    /** @type {Map<string, any[]>} */
    const byNode = new Map();
    for (const pod of this.#world.values('Pod')) {
      const { nodeName } = pod.spec;
      if (!nodeName || isFinished(pod)) continue;
      if (!byNode.has(nodeName)) byNode.set(nodeName, []);
      byNode.get(nodeName)?.push(pod);
    }
    return byNode;
  }

  /** A stale list reported the node with older amounts. @param {any} node */
  #isTakenForAnother({ metadata: { name }, status }) {
    const known = this.#told.objects('Node').get(name);
    return JSON.stringify(known?.status.allocatable) !== JSON.stringify(status.allocatable);
  }

  /** @param {any} node @param {any[]} pods */
  #isKnown({ metadata: { name, resourceVersion } }, pods) {
    const known = this.#told.objects('Node').get(name);
    if (known?.metadata.resourceVersion !== resourceVersion) return false;
    const counted = [...this.#told.cache.values()].filter(({ node }) => node === name);
    return uidsOf(counted.map(({ pod }) => pod)) === uidsOf(pods);
  }
}
