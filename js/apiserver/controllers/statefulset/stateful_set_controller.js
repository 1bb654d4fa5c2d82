import { keyOf } from '../../../src/kubernetes/keys.js';
import { isNotFound } from '../api_errors.js';
import { claimObjects, watchDependents } from '../controller_ref.js';
import { revisionsOf, syncRevision, truncateHistory } from '../history/controller_history.js';
import {
  ordinalOf,
  statefulPod,
  withIdentity,
} from '../../../src/kubernetes/workloads/template_pods.js';
import { ordinalsToUpdate } from '../../../src/kubernetes/workloads/stateful_update.js';
import {
  isCurrentRevisionNeeded,
  revisionNameOf,
  startOf,
  templateOf,
} from '../../../src/kubernetes/workloads/stateful_revisions.js';
import { isPodFinished, isPodTerminating } from '../../../src/kubernetes/workloads/pods.js';
import {
  claimsOf,
  identityMatches,
  isRunningAndAvailable,
  isRunningAndReady,
  isUnavailable,
} from './stateful_set_pods.js';
import { statusOf } from './stateful_set_status.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

const CONTROLLER = 'statefulset-controller';
const HISTORY_LIMIT = 10;

/** The maximum number of pods that one sync creates or deletes. */
const BURST = 500;

/**
 * StatefulSets: keeps numbered pods, each with its own claims, one after the other or all at once.
 * Counterpart: pkg/controller/statefulset/stateful_set_control.go, v1.36.
 * @param {ControllerContext} context
 */
export function startStatefulSetController(context) {
  const sets = context.indexer('statefulsets');
  const recorder = context.recorder(CONTROLLER);
  const reconciler = context.reconciler((key) => {
    const set = sets.get(key);
    if (!set) return;
    new StatefulSetSync(context, recorder, set).run();
    const { minReadySeconds = 0 } = set.spec;
    const status = sets.get(key)?.status ?? {};
    if (minReadySeconds > 0 && (status.availableReplicas ?? 0) < (status.readyReplicas ?? 0))
      reconciler.enqueueAfter(key, minReadySeconds * 1000);
  });
  context.onChange('statefulsets', (after) => {
    if (after) reconciler.enqueue(keyOf(after));
  });
  for (const resource of ['pods', 'controllerrevisions'])
    watchDependents(context, {
      resource,
      owners: 'statefulsets',
      kind: 'StatefulSet',
      notify: (set) => reconciler.enqueue(keyOf(set)),
    });
}

/** One sync of one set. */
class StatefulSetSync {
  #context;
  #recorder;
  #set;
  #now;
  /** The pods by ordinal, from the first on. @type {(KubernetesObject | undefined)[]} */
  #replicas = [];
  /** The pods beyond the replicas, the highest ordinal first. @type {KubernetesObject[]} */
  #condemned = [];
  /** @type {KubernetesObject[]} */
  #revisions = [];
  /** The number of created and deleted pods. */
  #writes = 0;

  /**
   * @param {ControllerContext} context
   * @param {EventRecorder} recorder
   * @param {KubernetesObject} set
   */
  constructor(context, recorder, set) {
    this.#context = context;
    this.#recorder = recorder;
    this.#set = set;
    this.#now = context.clock.now();
  }

  get #isMonotonic() {
    return this.#set.spec.podManagementPolicy !== 'Parallel';
  }

  run() {
    const context = this.#context;
    const set = this.#set;
    const revisions = revisionsOf(context, set);
    const synced = syncRevision(context, set, {
      revisions,
      label: 'controller.kubernetes.io/hash',
      knownHash: knownHashOf(set),
    });
    const { revision: update, collisionCount } = synced;
    this.#revisions = revisionsOf(context, set);
    const current =
      this.#revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision) ??
      update;
    this.#sortPods(this.#claim());
    try {
      if (!set.metadata.deletionTimestamp) this.#bringOn(current, update);
    } finally {
      const names = { current: current.metadata.name, update: update.metadata.name };
      const pods = this.#claim();
      const state = { pods, ...names, collisionCount, now: this.#now };
      context.updateStatus('statefulsets', set, statusOf(set, state));
      const live = new Set([...Object.values(names), ...pods.map(revisionNameOf)]);
      truncateHistory(context, this.#revisions, {
        isLive: ({ metadata }) => live.has(metadata.name),
        limit: set.spec.revisionHistoryLimit ?? HISTORY_LIMIT,
      });
    }
  }

  #claim() {
    const set = this.#set;
    return claimObjects(this.#context, {
      owner: set,
      resource: 'pods',
      selector: set.spec.selector,
      isMeant: (pod) => ordinalOf(set, pod) >= 0,
    });
  }

  /** @param {KubernetesObject[]} pods */
  #sortPods(pods) {
    const set = this.#set;
    const [start, count] = [startOf(set), set.spec.replicas ?? 1];
    this.#replicas = Array.from({ length: count });
    for (const pod of pods) {
      const place = ordinalOf(set, pod) - start;
      if (place >= 0 && place < count) this.#replicas[place] = pod;
      else this.#condemned.push(pod);
    }
    this.#condemned.sort((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
  }

  /**
   * @param {KubernetesObject} current revision
   * @param {KubernetesObject} update revision
   */
  #bringOn(current, update) {
    const first = this.#firstUnavailable();
    for (let place = 0; place < this.#replicas.length; place += 1)
      if (this.#processReplica(place, { current, update }) && this.#isMonotonic) return;
    for (const pod of this.#condemned) {
      this.#processCondemned(pod, first);
      // The pods are handled one at a time, and the update waits for all of them.
      if (this.#isMonotonic) return;
    }
    if (this.#set.spec.updateStrategy?.type !== 'OnDelete') this.#rollUpdate(update);
  }

  #firstUnavailable() {
    const isOut = (/** @type {KubernetesObject | undefined} */ pod) =>
      isUnavailable(this.#set, pod, this.#now);
    const place = this.#replicas.findIndex(isOut);
    return place >= 0 ? this.#replicas[place] : this.#condemned.findLast(isOut);
  }

  /**
   * @param {number} place
   * @param {{ current: KubernetesObject, update: KubernetesObject }} revisions
   * @returns {boolean} whether later pods have to wait
   */
  #processReplica(place, revisions) {
    const pod = this.#replicas[place];
    if (pod && isPodFinished(pod)) {
      if (!isPodTerminating(pod)) this.#delete(pod);
      return true;
    }
    if (!pod) return this.#create(place, revisions);
    if (pod.status?.phase === 'Pending') this.#createClaims(pod.metadata.name);
    const isSettled = !isPodTerminating(pod) && isRunningAndAvailable(this.#set, pod, this.#now);
    if (!isSettled && this.#isMonotonic) return true;
    if (!identityMatches(this.#set, pod) && !isPodTerminating(pod))
      this.#replicas[place] = this.#context.store.update('pods', withIdentity(this.#set, pod));
    return false;
  }

  /**
   * @param {number} place
   * @param {{ current: KubernetesObject, update: KubernetesObject }} revisions
   */
  #create(place, { current, update }) {
    if (this.#writes >= BURST) return true;
    const set = this.#set;
    const ordinal = startOf(set) + place;
    const revision = isCurrentRevisionNeeded(set, ordinal) ? current : update;
    const name = `${set.metadata.name}-${ordinal}`;
    if (this.#isClaimLeaving(name)) return true;
    this.#createClaims(name);
    const template = templateOf(revision);
    const pod = statefulPod(set, { template, revision: revision.metadata.name, ordinal });
    this.#writes += 1;
    this.#writeAndRecord('create', `Pod ${name}`, () => {
      this.#replicas[place] = this.#context.store.create('pods', pod);
    });
    return true;
  }

  /**
   * Whether a claim of that pod is being deleted, so that its name is not free yet.
   * @param {string} podName
   */
  #isClaimLeaving(podName) {
    return claimsOf(this.#set, podName).some(({ metadata: { namespace, name } }) => {
      const claim = this.#context.store.get('persistentvolumeclaims', namespace, name);
      return Boolean(claim?.metadata.deletionTimestamp);
    });
  }

  /** Creates the missing claims. @param {string} podName */
  #createClaims(podName) {
    const { store } = this.#context;
    for (const claim of claimsOf(this.#set, podName)) {
      const { namespace, name } = claim.metadata;
      if (store.get('persistentvolumeclaims', namespace, name)) continue;
      this.#writeAndRecord('create', `Claim ${name} Pod ${podName}`, () => {
        store.create('persistentvolumeclaims', claim);
      });
    }
  }

  /**
   * @param {KubernetesObject} pod
   * @param {KubernetesObject | undefined} first the first unavailable pod
   */
  #processCondemned(pod, first) {
    if (isPodTerminating(pod)) return;
    const isHealthy = isRunningAndReady(pod) && isRunningAndAvailable(this.#set, pod, this.#now);
    if (isHealthy || !this.#isMonotonic || pod === first) this.#delete(pod);
  }

  /** @param {KubernetesObject} update revision */
  #rollUpdate(update) {
    const set = this.#set;
    const start = startOf(set);
    const updates = this.#context.gates?.statefulSetUpdates;
    const states = this.#replicas.map((pod, place) => ({
      ordinal: start + place,
      isOutdated:
        pod !== undefined && !isPodTerminating(pod) && revisionNameOf(pod) !== update.metadata.name,
      isAvailable: !isUnavailable(set, pod, this.#now),
    }));
    for (const ordinal of ordinalsToUpdate(set, states, updates)) {
      const pod = /** @type {KubernetesObject} */ (this.#replicas[ordinal - start]);
      this.#delete(pod);
    }
  }

  /** @param {KubernetesObject} pod */
  #delete(pod) {
    this.#writeAndRecord('delete', `Pod ${pod.metadata.name}`, () =>
      this.#context.delete('pods', pod),
    );
  }

  /**
   * @param {'create' | 'delete'} verb
   * @param {string} what
   * @param {() => void} write
   */
  #writeAndRecord(verb, what, write) {
    const set = this.#set;
    const said = `${verb} ${what} in StatefulSet ${set.metadata.name}`;
    const how = verb === 'create' ? 'Create' : 'Delete';
    try {
      write();
      this.#recorder.event(set, 'Normal', `Successful${how}`, `${said} successful`);
    } catch (error) {
      if (isNotFound(error)) return;
      const { message } = /** @type {Error} */ (error);
      const failed = `${said} failed error: ${message}`;
      this.#recorder.event(set, 'Warning', `Failed${how}`, failed);
      throw error;
    }
  }
}

/**
 * Returns the hash in the name of the status's revision, if that is of this template.
 * @param {KubernetesObject} set
 * @returns {string | undefined}
 */
function knownHashOf({ metadata, status }) {
  const prefix = `${metadata.name}-`;
  const name = status?.updateRevision;
  const isCurrent = status?.observedGeneration === metadata.generation;
  return isCurrent && name?.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}
