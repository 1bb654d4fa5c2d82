/** The pods of a cluster, as questions about its future read them. */
import { isTerminating } from '../kubernetes/admission/namespace_lifecycle.js';
import { controllerOf } from '../kubernetes/owners.js';
import { schedulerNameOf } from '../kubernetes/pod_defaults.js';
import { isPodFinished } from '../kubernetes/workloads/pods.js';
import { isReplica } from '../kubernetes/workloads/stateful_revisions.js';
import { successorOf } from '../engine/object_events.js';
import { hasEphemeralVolume } from '../engine/own_claims.js';

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

/**
 * The watch events, a JSON line each, that delete a pod and create it again without a node.
 * `addition` is null for a pod that ends with its node. `node`: the one that it has, or undefined.
 * `hasVolumes`: whether claims for ephemeral volumes end with it.
 * @typedef {{ removal: string, addition: string | null, node: string | undefined, hasVolumes:
 *   boolean }} PodLines
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

/** Whether a pod belongs to its node. @param {KubernetesObject} pod */
export function belongsToNode(pod) {
  return ['Daemon', 'Mirror'].includes(attachmentOf(pod));
}

/**
 * Whether a scheduler of these names could give the pod a node, or another one. It cannot for a pod
 * that ends with its node, and skips one that is being deleted.
 * @param {KubernetesObject} pod
 * @param {Set<string>} schedulerNames
 */
export function canMove(pod, schedulerNames) {
  const { metadata, spec } = pod;
  if (isPodFinished(pod) || metadata?.deletionTimestamp) return false;
  if (!schedulerNames.has(schedulerNameOf(spec))) return false;
  return !spec?.nodeName || !belongsToNode(pod);
}

/**
 * Whether a pod ends with its node: it belongs to it, or is being deleted, so that its controller
 * has replaced it already, or its namespace is, where the API server lets none be created. A
 * StatefulSet creates a pod of that name only after the end.
 * @param {KubernetesObject} pod
 * @param {Pick<Scheduler, 'get'>} objects that has its StatefulSet
 * @param {Set<string>} endingNamespaces
 */
export function endsWithNode(pod, objects, endingNamespaces) {
  const { namespace, deletionTimestamp } = pod.metadata;
  if (belongsToNode(pod) || endingNamespaces.has(namespace)) return true;
  if (!deletionTimestamp) return false;
  const { kind, name } = controllerOf(pod) ?? {};
  const set = kind === 'StatefulSet' && objects.get(kind, `${namespace}/${name}`);
  return !set || Boolean(set.metadata.deletionTimestamp) || !isReplica(set, pod);
}

/**
 * Returns the pods in the scheduler's queues, `namespace/name`: the active ones first.
 * @param {Scheduler} scheduler
 */
export function queuedPods(scheduler) {
  const { active, backoff, unschedulable } = scheduler.inspect().queues;
  return [...active, ...[...backoff, ...unschedulable].map(({ pod }) => pod)];
}

/**
 * Reads nodes and pods of a scheduler, and remembers them: a Population is valid as long as the
 * scheduler does not change. Forks change nothing here.
 */
export class Population {
  #scheduler;
  /** @type {Map<string, KubernetesObject>} */
  #pods = new Map();
  /** @type {Map<string, PodLines>} */
  #lines = new Map();
  /** @type {KubernetesObject[] | undefined} */
  #all;
  /** @type {Set<string> | undefined} */
  #ending;
  /** @type {import('../engine/inspection_types.js').CacheInspection | undefined} */
  #inspection;

  /** @param {Scheduler} scheduler one that keeps objects */
  constructor(scheduler) {
    this.#scheduler = scheduler;
  }

  /** The names of the nodes, in the order in which cycles visit them. */
  get nodes() {
    return Object.keys(this.#contents.cache.nodes);
  }

  /** The time of the scheduler: milliseconds. */
  get now() {
    return Date.parse(this.#contents.now);
  }

  /** Whether no pod waits for a node: none is queued, in Permit, or being scheduled. */
  get isSettled() {
    const { queues, inFlight, waiting } = this.#contents;
    return [...Object.values(queues), inFlight, waiting].every((pods) => pods.length === 0);
  }

  /** The names of the namespaces that are being deleted. */
  get endingNamespaces() {
    const ending = () => this.#scheduler.list('Namespace').filter(isTerminating);
    return (this.#ending ??= new Set(ending().map(({ metadata }) => metadata.name)));
  }

  /**
   * Returns the pods of a node, `namespace/name`.
   * @param {string} node
   * @returns {string[]}
   */
  podsOn(node) {
    return this.#contents.cache.nodes[node] ?? [];
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
   * Remembers the lines and not the pod: a text costs the garbage collector less than an object.
   * @param {string} key `namespace/name`
   * @returns {PodLines}
   */
  linesOf(key) {
    const known = this.#lines.get(key);
    if (known) return known;
    const pod = this.#pods.get(key) ?? this.#scheduler.get('Pod', key);
    const lines = linesFor(
      /** @type {KubernetesObject} */ (pod),
      this.#scheduler,
      this.endingNamespaces,
    );
    this.#lines.set(key, lines);
    return lines;
  }

  get #contents() {
    return (this.#inspection ??= this.#scheduler.inspect({ cache: true }));
  }
}

/**
 * @param {KubernetesObject} pod complete
 * @param {Scheduler} scheduler that has its claims
 * @param {Set<string>} endingNamespaces
 * @returns {PodLines}
 */
export function linesFor(pod, scheduler, endingNamespaces) {
  const { namespace, name, uid } = pod.metadata;
  const metadata = { namespace, name, uid };
  const removal = JSON.stringify({
    type: 'DELETED',
    object: { apiVersion: 'v1', kind: 'Pod', metadata },
  });
  const [node, hasVolumes] = [pod.spec.nodeName, hasEphemeralVolume(pod)];
  if (endsWithNode(pod, scheduler, endingNamespaces))
    return { removal, addition: null, node, hasVolumes };
  const successor = successorOf(pod, scheduler);
  const own = { ...successor.metadata, deletionTimestamp: undefined };
  const object = { apiVersion: 'v1', kind: 'Pod', ...successor, metadata: own };
  return { removal, addition: JSON.stringify({ type: 'ADDED', object }), node, hasVolumes };
}
