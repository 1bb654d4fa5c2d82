/**
 * A model of the informer store and the cache (spec 02 §3, 04 §3): it receives the same lines,
 * decisions and binding results as the engine, and predicts what the engine must contain. It shares
 * no code with the engine.
 */
import { RESOURCES } from './kinds.js';
import { isFinished, keyOf } from './world.js';

/**
 * @typedef {object} CachedPod
 * @property {any} pod as it counts on the node
 * @property {string} node
 * @property {boolean} isAssumed
 */

/** Of a pod that is read back as gone only the metadata is known. @param {any} pod */
const isAssigned = (pod) => Boolean(pod.spec?.nodeName);

/** `ip/protocol/port` of each host port of a pod. @param {any} pod @returns {string[]} */
function hostPortsOf({ spec: { containers = [], initContainers = [] } }) {
  const sidecars = initContainers.filter(
    (/** @type {any} */ one) => one.restartPolicy === 'Always',
  );
  return [...containers, ...sidecars].flatMap(({ ports = [] }) =>
    ports.flatMap((/** @type {any} */ { hostPort, hostIP, protocol }) =>
      hostPort > 0 ? [`${hostIP || '0.0.0.0'}/${protocol || 'TCP'}/${hostPort}`] : [],
    ),
  );
}

/** @param {any} pod */
const isTerminating = (pod) => Boolean(pod.metadata.deletionTimestamp);

/** By resource. */
const KINDS = Object.fromEntries(
  Object.entries(RESOURCES).map(([kind, resource]) => [resource, kind]),
);
const NOTHING = new Map();

export class ExpectedCache {
  #schedulers;
  /** @type {Map<string, Map<string, any>>} by kind, then by namespace/name */
  #objects;
  /** By uid. @type {Map<string, CachedPod>} */
  cache = new Map();
  /** Objects that the lists under way have named, by kind. @type {Map<string, Set<string>>} */
  #listed = new Map();
  /** Kinds of which a list was completed. */
  #synced = new Set();
  /** `operation object` of contradictory inputs. @type {string[]} */
  inconsistencies = [];
  /** Inputs that may be contradictory, depending on which pod was popped. @type {string[]} */
  possible = [];
  /**
   * Nodes with two pods on one port; when one of them is removed, the port counts as free (spec 01
   * §7.3).
   */
  sharedPorts = new Set();
  /** Assumed pods without a binding result, by uid. @type {Map<string, any>} */
  binding = new Map();
  /** Events that were refused since the last check: only lists can move a bound pod. */
  refused = 0;

  /**
   * @param {string[]} schedulers the names of the engine's profiles
   * @param {string[]} kinds       what is watched
   */
  constructor(schedulers, kinds) {
    this.#schedulers = new Set(schedulers);
    this.#objects = new Map(kinds.map((kind) => [kind, new Map()]));
  }

  get hasSynced() {
    return this.#synced.size === this.#objects.size;
  }

  /** @param {string} kind */
  watches(kind) {
    return this.#objects.has(kind);
  }

  /** @param {string} kind @returns {Map<string, any>} */
  objects(kind) {
    return this.#objects.get(kind) ?? NOTHING;
  }

  /** @param {any} pod */
  isHandled(pod) {
    return this.#schedulers.has(pod.spec.schedulerName);
  }

  /** Pending pods: known, not bound, not assumed. @returns {any[]} */
  pending() {
    return [...this.objects('Pod').values()].filter(
      (pod) => !isAssigned(pod) && this.isHandled(pod) && !this.cache.has(pod.metadata.uid),
    );
  }

  /** @param {any} line */
  take(line) {
    if (line.type === 'SYNC_BEGIN') return this.#listed.set(KINDS[line.resource], new Set());
    if (line.type === 'SYNC_END') return this.#endList(KINDS[line.resource]);
    const { type, object } = line;
    if (type === 'DELETED') return this.#delete(object);
    this.#listed.get(object.kind)?.add(keyOf(object));
    if (object.kind === 'Pod') return this.#putPod(object, this.#listed.has('Pod'));
    return this.objects(object.kind).set(keyOf(object), object);
  }

  /** @param {string} kind */
  #endList(kind) {
    const listed = this.#listed.get(kind) ?? new Set();
    this.#listed.delete(kind);
    this.#synced.add(kind);
    for (const [key, old] of this.objects(kind)) {
      if (listed.has(key)) continue;
      this.objects(kind).delete(key);
      if (kind === 'Pod') this.#removeForGood(old);
    }
  }

  /** @param {any} object */
  #delete(object) {
    const key = keyOf(object);
    const old = this.objects(object.kind).get(key);
    this.objects(object.kind).delete(key);
    if (object.kind !== 'Pod') return;
    // Another pod may have taken the name of an assumed one.
    const { uid } = object.metadata;
    if (uid !== old?.metadata.uid && this.cache.get(uid)?.isAssumed) this.cache.delete(uid);
    if (old) this.#removeAs(object, old);
  }

  /** @param {any} pod @param {boolean} isListed  a list overrides older versions */
  #putPod(pod, isListed) {
    const key = keyOf(pod);
    const known = this.objects('Pod').get(key);
    const isSame = known?.metadata.uid === pod.metadata.uid;
    if (isListed && known && !isSame) {
      this.objects('Pod').delete(key);
      this.#removeForGood(known);
    }
    const old = this.objects('Pod').get(key);
    const isMoved = old && isAssigned(old) && old.spec.nodeName !== pod.spec.nodeName;
    if (isMoved && isSame && !isListed) {
      this.refused += 1;
      return;
    }
    if (isFinished(pod)) return this.#finish(old, pod);
    this.objects('Pod').set(key, pod);
    if (isMoved) {
      this.#remove(old);
      return this.#add(pod);
    }
    if (old && isAssigned(old)) return this.#update(old, pod);
    if (!old || isAssigned(pod)) return this.#add(pod);
    if (!this.isHandled(old)) return this.#add(pod);
    // A pod of another scheduler took its name.
    if (!this.isHandled(pod)) return this.#remove(old);
    this.#updatePending(old, pod, isListed);
  }

  /** @param {any} pod */
  #add(pod) {
    if (isAssigned(pod)) this.#confirm(pod);
    else if (this.isHandled(pod)) this.#goOnBinding(pod);
  }

  /** @param {any} old @param {any} pod @param {boolean} isListed */
  #updatePending(old, pod, isListed) {
    if (!isListed && old.metadata.resourceVersion === pod.metadata.resourceVersion) return;
    const { uid } = pod.metadata;
    // The pod is being deleted: its binding under way is cancelled.
    if (this.cache.get(uid)?.isAssumed) {
      if (isTerminating(pod) && !isTerminating(old)) this.cache.delete(uid);
    } else if (isTerminating(old) && !isTerminating(pod)) {
      this.#goOnBinding(pod);
    }
  }

  /** A pod with a binding under way is not tried again. @param {any} pod */
  #goOnBinding(pod) {
    const assumed = this.binding.get(pod.metadata.uid);
    if (assumed) this.#keep(assumed, true);
  }

  /** A finished pod is removed. @param {any} old  undefined: it was never there @param {any} pod */
  #finish(old, pod) {
    this.objects('Pod').delete(keyOf(pod));
    if (old) this.#removeAs(pod, old);
  }

  /**
   * If the binding of the pod was not observed, this is like its absence from a list.
   * @param {any} last  its last state @param {any} old
   */
  #removeAs(last, old) {
    const isBoundUnseen = !isAssigned(old) && isAssigned(last);
    if (isBoundUnseen && old.metadata.uid === last.metadata.uid) this.#removeForGood(old);
    else this.#remove(old);
  }

  /** @param {any} pod */
  #confirm(pod) {
    if (this.cache.get(pod.metadata.uid)?.isAssumed === false)
      return this.#contradict('AddPod', pod);
    this.#keep(pod, false);
  }

  /** @param {any} old @param {any} pod */
  #update(old, pod) {
    const cached = this.cache.get(old.metadata.uid);
    if (!cached || cached.isAssumed || cached.node !== pod.spec.nodeName) {
      return this.#contradict('UpdatePod', pod);
    }
    this.cache.delete(old.metadata.uid);
    this.#keep(pod, false);
  }

  /** @param {any} old */
  #remove(old) {
    const { uid } = old.metadata;
    if (isAssigned(old) && !this.cache.has(uid)) return this.#contradict('RemovePod', old);
    if (isAssigned(old) || this.isHandled(old)) this.cache.delete(uid);
  }

  /** Its last state is unknown: it may have been bound. @param {any} old */
  #removeForGood(old) {
    const { uid } = old.metadata;
    if (!this.cache.has(uid)) this.#contradict('RemovePod', old);
    this.cache.delete(uid);
  }

  /** @param {string} operation @param {any} pod */
  #contradict(operation, pod) {
    this.inconsistencies.push(`${operation} ${keyOf(pod)}`);
  }

  /** @param {any} pod @param {string} node */
  assume(pod, node) {
    const assumed = { ...pod, spec: { ...pod.spec, nodeName: node } };
    this.#keep(assumed, true);
    this.binding.set(pod.metadata.uid, assumed);
  }

  /** @param {any} pod @param {boolean} isAssumed */
  #keep(pod, isAssumed) {
    const { uid } = pod.metadata;
    const node = pod.spec.nodeName;
    this.cache.delete(uid);
    const ports = hostPortsOf(pod);
    const others = [...this.cache.values()].filter((one) => one.node === node);
    if (others.length === 0) this.sharedPorts.delete(node);
    if (ports.length > 0) {
      const taken = new Set(others.flatMap((one) => hostPortsOf(one.pod)));
      if (ports.some((port) => taken.has(port))) this.sharedPorts.add(node);
    }
    this.cache.set(uid, { pod, node, isAssumed });
  }

  /** A binding failed. @param {{uid: string, pod: string, node: string}} result */
  forget({ uid, pod, node }) {
    const cached = this.cache.get(uid);
    if (!cached) {
      // The binding was cancelled when the pod's deletion began; an update since may have queued
      // the pod again.
      const known = this.objects('Pod').get(pod);
      if (known?.metadata.uid === uid) this.possible.push(`AddUnschedulableIfNotPresent ${pod}`);
      return;
    }
    if (!cached.isAssumed || cached.node !== node) {
      this.inconsistencies.push(`ForgetPod ${pod}`);
    } else {
      this.cache.delete(uid);
    }
  }

  /** Names of the pods that count on each node. @returns {Map<string, string[]>} */
  podsByNode() {
    /** @type {Map<string, string[]>} */
    const byNode = new Map([...this.objects('Node').keys()].map((name) => [name, []]));
    for (const { pod, node } of this.cache.values()) {
      if (!byNode.has(node)) byNode.set(node, []);
      byNode.get(node)?.push(keyOf(pod));
    }
    return byNode;
  }
}
