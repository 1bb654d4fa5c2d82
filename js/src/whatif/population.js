/** The pods of a cluster, as questions about its future read them. */
import { controllerOf } from '../kubernetes/owners.js';
import { unplaced } from '../engine/object_events.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

/**
 * What becomes of a pod whose node is lost. `Returns`: its controller creates another one. `Bare`:
 * it has no controller; like `Returns`, but only if its owner creates it again. `Daemon`: it
 * belongs to its node, as a DaemonSet's pod. `Mirror`: it belongs to its node, as a static pod.
 * @typedef {'Returns' | 'Bare' | 'Daemon' | 'Mirror'} Attachment
 */

/** The annotation of the pods that the kubelet creates for static pods. */
const MIRROR = 'kubernetes.io/config.mirror';

/**
 * @param {KubernetesObject} pod
 * @returns {Attachment}
 */
export function attachmentOf(pod) {
  if (pod.metadata.annotations?.[MIRROR] !== undefined) return 'Mirror';
  const controller = controllerOf(pod);
  if (!controller) return 'Bare';
  if (controller.kind === 'Node') return 'Mirror';
  return controller.kind === 'DaemonSet' ? 'Daemon' : 'Returns';
}

/** Whether a pod belongs to its node and ends with it. @param {KubernetesObject} pod */
export function endsWithNode(pod) {
  return ['Daemon', 'Mirror'].includes(attachmentOf(pod));
}

/**
 * Reads nodes and pods of a scheduler, and remembers them: a Population is valid as long as the
 * scheduler does not change. Forks change nothing here.
 */
export class Population {
  #scheduler;
  /** @type {Map<string, KubernetesObject>} */
  #pods = new Map();
  /** @type {Map<string, { removal: string, addition: string }>} */
  #lines = new Map();
  /** @type {KubernetesObject[] | undefined} */
  #all;
  /**
   * @type {{ nodes: Record<string, string[]>, ghostNodes: Record<string, string[]> } |
   *   undefined}
   */
  #cache;

  /** @param {Scheduler} scheduler one that keeps objects */
  constructor(scheduler) {
    this.#scheduler = scheduler;
  }

  /** The names of the nodes, in the order in which cycles visit them. */
  get nodes() {
    return Object.keys(this.#contents.nodes);
  }

  /**
   * Returns the pods of a node, `namespace/name`.
   * @param {string} node
   * @returns {string[]}
   */
  podsOn(node) {
    return this.#contents.nodes[node] ?? [];
  }

  /**
   * @param {string} key `namespace/name`
   * @returns {KubernetesObject | undefined}
   */
  pod(key) {
    const known = this.#pods.get(key) ?? this.#scheduler.get('Pod', key);
    if (known) this.#pods.set(key, known);
    return known;
  }

  /** All pods, in queue order and then those with a node. */
  get pods() {
    return (this.#all ??= this.#scheduler.list('Pod'));
  }

  /**
   * Returns the watch events, a JSON line each, that delete a pod and create it again without a
   * node.
   * @param {string} key `namespace/name`
   */
  linesOf(key) {
    const known = this.#lines.get(key);
    if (known) return known;
    const pod = /** @type {KubernetesObject} */ (this.pod(key));
    const lines = linesFor(pod);
    this.#lines.set(key, lines);
    return lines;
  }

  get #contents() {
    return (this.#cache ??= this.#scheduler.inspect({ cache: true }).cache);
  }
}

/**
 * Returns the watch events, a JSON line each, that delete a pod and create it again without a node.
 * @param {KubernetesObject} pod complete
 * @returns {{ removal: string, addition: string }} watch events, a JSON line each
 */
export function linesFor(pod) {
  const { namespace, name, uid } = pod.metadata;
  const metadata = { namespace, name, uid };
  const removal = { type: 'DELETED', object: { apiVersion: 'v1', kind: 'Pod', metadata } };
  const addition = { type: 'ADDED', object: { apiVersion: 'v1', kind: 'Pod', ...unplaced(pod) } };
  return { removal: JSON.stringify(removal), addition: JSON.stringify(addition) };
}
