/**
 * The state of an API server and its changes: objects by kind, the changes of users, kubelets, node
 * controllers and other schedulers, and the writes of the scheduler under test. Every change has
 * its own resourceVersion and is sent to the watch.
 */
import { updateStorage } from './volume_writes.js';
import { changes } from './world_changes.js';

/** @typedef {import('../support/api_calls.js').ApiAnswer} ApiAnswer */
/** @typedef {import('../support/api_calls.js').ApiWrite} ApiWrite */

/**
 * A change; if it names an object that does not exist, nothing happens.
 *
 * @typedef {{op: string} & Record<string, any>} Change
 */

/**
 * @typedef {object} Surroundings
 * @property {(kind: string, type: string, object: any) => void} tell  the watch
 * @property {(delayUs: number, act: () => void) => void} later
 * @property {(...parts: (string | number)[]) => import('./random.js').Random} draw
 * @property {() => number} nowUs
 * @property {boolean} selectsUnfinished whether the watch excludes finished pods
 */

const SECOND_US = 1_000_000;
/** After a restore, a kubelet finishes terminating pods within this time. */
const RESTORED_GRACE_US = 30 * SECOND_US;

/** @param {any} object @returns {string} */
export function keyOf({ metadata: { namespace, name } }) {
  return namespace ? `${namespace}/${name}` : name;
}

/** @param {any} pod */
export function isFinished({ status }) {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export class World {
  #surroundings;
  #resourceVersion = 0;
  /** @type {Map<string, Map<string, any>>} by kind, then by namespace/name */
  #objects = new Map();
  /** @type {{ resourceVersion: number, objects: Map<string, Map<string, any>> } | undefined} */
  #backup;

  /** @param {Surroundings} surroundings */
  constructor(surroundings) {
    this.#surroundings = surroundings;
  }

  get resourceVersion() {
    return String(this.#resourceVersion);
  }

  /** @param {string} kind @param {string} key */
  get(kind, key) {
    return this.#objects.get(kind)?.get(key);
  }

  /** All objects, in no meaningful order. @param {string} kind */
  values(kind) {
    return this.#objects.get(kind)?.values() ?? [];
  }

  /** The objects of a list, in its order. @param {string} kind @returns {any[]} */
  list(kind) {
    const entries = [...(this.#objects.get(kind) ?? [])];
    const isLeftOut = (/** @type {any} */ object) =>
      kind === 'Pod' && this.#surroundings.selectsUnfinished && isFinished(object);
    return entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, object]) => (isLeftOut(object) ? [] : [object]));
  }

  /** Whether the change had an effect. @param {Change} change @returns {boolean} */
  apply(change) {
    return changes[change.op]?.(this, change, this.#surroundings) ?? false;
  }

  backUp() {
    const objects = new Map([...this.#objects].map(([kind, all]) => [kind, new Map(all)]));
    this.#backup = { resourceVersion: this.#resourceVersion, objects };
  }

  /**
   * Restores the last backup. Versions are assigned again that were assigned before. No watch is
   * notified. Kubelets finish the pods that terminate in it.
   * @returns {boolean} whether there is a backup
   */
  restore() {
    if (!this.#backup) return false;
    const { resourceVersion, objects } = this.#backup;
    this.#resourceVersion = resourceVersion;
    this.#objects = new Map([...objects].map(([kind, all]) => [kind, new Map(all)]));
    for (const pod of this.values('Pod')) {
      if (pod.metadata.deletionTimestamp) this.#removeLater(pod, RESTORED_GRACE_US);
    }
    return true;
  }

  /**
   * Stores an object that is new or has changed, and returns it.
   * @param {any} object
   * @returns {any}
   */
  put(object) {
    const { kind } = object;
    const key = keyOf(object);
    const old = this.get(kind, key);
    this.#resourceVersion += 1;
    const resourceVersion = String(this.#resourceVersion);
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion } };
    if (!this.#objects.has(kind)) this.#objects.set(kind, new Map());
    this.#objects.get(kind)?.set(key, stored);
    const { tell, selectsUnfinished } = this.#surroundings;
    if (kind === 'Pod' && selectsUnfinished && isFinished(stored)) {
      if (!old || isFinished(old)) return stored;
      // The object leaves the watch's selection in its previous version.
      tell(kind, 'DELETED', { ...old, metadata: { ...old.metadata, resourceVersion } });
    } else {
      tell(kind, old ? 'MODIFIED' : 'ADDED', stored);
    }
    return stored;
  }

  /** @param {string} kind @param {string} key */
  remove(kind, key) {
    const old = this.get(kind, key);
    if (!old) return;
    this.#objects.get(kind)?.delete(key);
    this.#resourceVersion += 1;
    const resourceVersion = String(this.#resourceVersion);
    const { tell, selectsUnfinished } = this.#surroundings;
    if (kind === 'Pod' && selectsUnfinished && isFinished(old)) return;
    tell(kind, 'DELETED', { ...old, metadata: { ...old.metadata, resourceVersion } });
  }

  /**
   * @param {any} pod  as it is
   * @param {{spec?: object, status?: object, metadata?: object}} change
   */
  changePod(pod, { spec, status, metadata }) {
    this.put({
      ...pod,
      metadata: { ...pod.metadata, ...metadata },
      spec: { ...pod.spec, ...spec },
      status: { ...pod.status, ...status },
    });
  }

  /**
   * The kubelet, or a replacement of it, finishes the pod.
   * @param {any} pod @param {number} graceUs
   */
  terminate(pod, graceUs) {
    if (graceUs === 0) return this.remove('Pod', keyOf(pod));
    if (pod.metadata.deletionTimestamp) return;
    const at = new Date(this.#surroundings.nowUs() / 1000 + graceUs / 1000).toISOString();
    this.changePod(pod, {
      metadata: { deletionTimestamp: at.replace(/\.\d+Z$/, 'Z'), deletionGracePeriodSeconds: 30 },
    });
    this.#removeLater(pod, graceUs);
  }

  /** @param {any} pod  terminates @param {number} graceUs */
  #removeLater(pod, graceUs) {
    const key = keyOf(pod);
    this.#surroundings.later(graceUs, () => {
      const { metadata } = this.get('Pod', key) ?? {};
      const isSame = metadata?.uid === pod.metadata.uid;
      if (isSame && metadata.deletionTimestamp) this.remove('Pod', key);
    });
  }

  /** The node's kubelet starts the pod. @param {any} pod */
  start(pod) {
    const { later, draw } = this.#surroundings;
    const key = keyOf(pod);
    const { uid } = pod.metadata;
    later((1 + draw('start', uid).below(3)) * SECOND_US, () => {
      const bound = this.get('Pod', key);
      if (bound?.metadata.uid !== uid || !bound.spec.nodeName || isFinished(bound)) return;
      this.changePod(bound, { status: { phase: 'Running', startTime: '2026-02-02T03:00:00Z' } });
    });
  }

  /**
   * Handles a write and returns the answer.
   * @param {ApiWrite} request @returns {ApiAnswer}
   */
  write(request) {
    const { kind, pod: key, body } = request;
    if (kind === 'event') return { status: 201, body: {} };
    if (kind === 'volume' || kind === 'claim') return updateStorage(this, request);
    const pod = this.get('Pod', key);
    if (!pod) return refused(404, 'NotFound', `pods "${key.split('/')[1]}" not found`);
    if (kind === 'binding') return this.#bind(pod, body);
    if (kind === 'status') return this.#patchStatus(pod, body);
    if (kind === 'delete') return this.#delete(pod);
    return refused(405, 'MethodNotAllowed', 'the server does not allow this method');
  }

  /** @param {any} pod @param {any} binding @returns {ApiAnswer} */
  #bind(pod, { metadata, target }) {
    const { uid, name, deletionTimestamp } = pod.metadata;
    const conflict = (/** @type {string} */ why) =>
      refused(409, 'Conflict', `Operation cannot be fulfilled on pods/binding "${name}": ${why}`);
    if (metadata.uid !== uid) return conflict(`Precondition failed: UID: ${metadata.uid}, ${uid}`);
    if (deletionTimestamp) return conflict(`pod ${name} is being deleted, cannot be assigned`);
    if (pod.spec.nodeName) return conflict(`pod ${name} is already assigned`);
    if (pod.spec.schedulingGates?.length) return conflict(`pod ${name} has scheduling gates`);
    this.bindTo(pod, target.name);
    return { status: 201, body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } };
  }

  /** @param {any} pod @param {string} nodeName */
  bindTo(pod, nodeName) {
    const { nominatedNodeName: _, conditions = [], ...status } = pod.status ?? {};
    const others = conditions.filter((/** @type {any} */ { type }) => type !== 'PodScheduled');
    const scheduled = { type: 'PodScheduled', status: 'True' };
    const bound = {
      ...pod,
      spec: { ...pod.spec, nodeName },
      status: { ...status, conditions: [...others, scheduled] },
    };
    this.put(bound);
    this.start(bound);
  }

  /** @param {any} pod @param {any} patch @returns {ApiAnswer} */
  #patchStatus(pod, { status: { conditions = [], nominatedNodeName, ...rest } }) {
    const merged = [...(pod.status?.conditions ?? [])];
    for (const change of conditions) {
      const at = merged.findIndex(({ type }) => type === change.type);
      if (at < 0) merged.push(change);
      else merged[at] = { ...merged[at], ...change };
    }
    const nomination =
      nominatedNodeName === undefined ? {} : { nominatedNodeName: nominatedNodeName ?? undefined };
    const { extendedResourceClaimStatus } = rest;
    const linked = extendedResourceClaimStatus && { extendedResourceClaimStatus };
    const status = { conditions: merged, ...nomination, ...linked };
    const isChange = JSON.stringify({ ...pod.status, ...status }) !== JSON.stringify(pod.status);
    if (isChange) this.changePod(pod, { status });
    return { status: 200, body: {} };
  }

  /** @param {any} pod @returns {ApiAnswer} */
  #delete(pod) {
    const isRunning = pod.spec.nodeName && !isFinished(pod);
    const seconds = this.#surroundings.draw('grace', pod.metadata.uid).pick([0, 1, 30]);
    this.terminate(pod, isRunning ? seconds * SECOND_US : 0);
    return { status: 200, body: {} };
  }
}

/** @param {number} code @param {string} reason @param {string} message @returns {ApiAnswer} */
export function refused(code, reason, message) {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return { status: code, body: { ...status, message, reason, code } };
}
