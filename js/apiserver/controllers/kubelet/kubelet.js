import { keyOf } from '../../../src/kubernetes/keys.js';
import { conditionOf } from '../../../src/kubernetes/conditions.js';
import { timestamp } from '../../object_meta.js';
import { controllerGroup } from '../controller_context.js';
import { timeOf } from '../../../src/kubernetes/workloads/objects.js';
import { claimKeysOf, isPodFinished } from '../../../src/kubernetes/workloads/pods.js';
import { hasKubelet, hostAddressOf, NodeAgents } from './node_agent.js';
import { PodAddresses } from './pod_addresses.js';
import { creatingStatus, endedStatus, runningStatus } from './pod_status.js';
import { terminationTime } from './termination.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { Clock } from '../../../src/io/clock.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/**
 * The simulated durations: milliseconds.
 * @typedef {object} KubeletTimes
 * @property {number} [startup] until the containers of a pod run
 * @property {number} [completion] until the containers of a pod that is not restarted have ended
 * @property {number} [shutdown] until terminating ones have ended, within their grace period
 */

const DEFAULT_TIMES = { startup: 1000, completion: 5000, shutdown: 1000 };

/**
 * The kubelets of all nodes, without containers: bound pods run, pods that are not restarted
 * succeed after a while, deleted pods end. Nodes are ready.
 * @param {{ onError?: (error: unknown, key: string) => void, times?: KubeletTimes,
 *   keepsFound?: boolean, reportClock?: Clock }} [options] `keepsFound`: whether nodes and pods
 *   that have a status at the start keep it until they are deleted, because they come from a real
 *   cluster; `reportClock`: the clock of the nodes' reports
 */
export function kubelet({ times, keepsFound = false, reportClock, ...options } = {}) {
  const start = (/** @type {ControllerContext} */ context) => {
    const found = keepsFound ? foundIn(context) : new Set();
    startNodes(context, found, reportClock);
    startPods(context, { ...DEFAULT_TIMES, ...times }, found);
  };
  return controllerGroup('kubelet', [start], options);
}

/**
 * Returns the uids of nodes and pods with a kubelet's status: whether they are ready, or when the
 * pod started.
 * @param {ControllerContext} context
 * @returns {Set<string>}
 */
function foundIn({ store }) {
  const nodes = store.list('nodes').filter(({ status }) => conditionOf(status, 'Ready'));
  const isFound = (/** @type {KubernetesObject} */ { metadata, status }) =>
    status?.startTime || conditionOf(status, 'Ready') || metadata.deletionTimestamp;
  const pods = store.list('pods').filter(isFound);
  return new Set([...nodes, ...pods].map(({ metadata }) => metadata.uid));
}

/**
 * @param {ControllerContext} context
 * @param {Set<string>} found
 * @param {Clock} [reportClock]
 */
function startNodes(context, found, reportClock) {
  const nodes = context.indexer('nodes');
  const agents = new NodeAgents(context);
  const reconciler = context.reconciler((key) => {
    const node = nodes.get(key);
    if (node && hasKubelet(node)) reconciler.enqueueAfter(key, agents.report(node));
  }, reportClock);
  context.onChange('nodes', (after) => {
    if (after && !found.has(after.metadata.uid)) reconciler.enqueue(keyOf(after));
  });
}

/**
 * @param {ControllerContext} context
 * @param {Required<KubeletTimes>} times
 * @param {Set<string>} found
 */
function startPods(context, times, found) {
  const pods = context.indexer('pods');
  pods.addIndex('nodeName', ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  pods.addIndex('claims', claimKeysOf);
  const agent = new PodAgent(context, times);
  const reconciler = context.reconciler((key) => {
    const pod = pods.get(key);
    const delay = pod && agent.sync(pod);
    if (delay) reconciler.enqueueAfter(key, delay);
  });
  const isFound = (/** @type {KubernetesObject} */ { metadata }) => found.has(metadata.uid);
  /** @param {KubernetesObject[]} changed */
  const enqueueAll = (changed) => {
    for (const pod of changed) if (!isFound(pod)) reconciler.enqueue(keyOf(pod));
  };
  context.onChange('pods', (after, before) => {
    if (!after && before) agent.forget(before);
    if (!after?.spec.nodeName) return;
    if (isFound(after) && !after.metadata.deletionTimestamp) return;
    // A found pod that was already terminating ends after the usual shutdown time.
    const delay = isFound(after) && !before ? times.shutdown : 0;
    reconciler.enqueueAfter(keyOf(after), delay);
  });
  context.onChange('nodes', (after, before) => {
    if (!after || hasKubelet(after) === hasKubelet(before)) return;
    enqueueAll(pods.byIndex('nodeName', after.metadata.name));
  });
  context.onChange('persistentvolumeclaims', (after, before) => {
    if (!after || after.status?.phase === before?.status?.phase) return;
    enqueueAll(pods.byIndex('claims', keyOf(after)));
  });
}

/** @typedef {{ seconds: number, begun: number }} GracePeriod */

/** The work of a kubelet on one pod after the other. */
class PodAgent {
  #context;
  #times;
  #addresses = new PodAddresses();
  /** The grace periods that have begun, by the pod's uid. @type {Map<string, GracePeriod>} */
  #gracePeriods = new Map();

  /**
   * @param {ControllerContext} context
   * @param {Required<KubeletTimes>} times
   */
  constructor(context, times) {
    this.#context = context;
    this.#times = times;
  }

  /** @param {KubernetesObject} pod a deleted one */
  forget({ metadata }) {
    this.#addresses.release(metadata.uid);
    this.#gracePeriods.delete(metadata.uid);
  }

  /**
   * Brings the pod to its next state.
   * @param {KubernetesObject} pod
   * @returns {number | null} milliseconds until the next step
   */
  sync(pod) {
    const node = this.#context.indexer('nodes').get(pod.spec.nodeName);
    if (!node || !hasKubelet(node)) return null;
    if (pod.metadata.deletionTimestamp) return this.#end(pod);
    if (isPodFinished(pod)) return null;
    const overdue = this.#timeOut(pod);
    if (overdue !== undefined) return overdue;
    if (!pod.status?.startTime) return this.#begin(pod, node);
    if (pod.status.phase !== 'Running') return this.#run(pod, node);
    return this.#goOn(pod, node);
  }

  get #now() {
    return this.#context.clock.now();
  }

  /**
   * @param {KubernetesObject} pod
   * @param {KubernetesObject} node
   */
  #begin(pod, node) {
    const now = timestamp(this.#now);
    const status = creatingStatus(pod, { now, hostIP: hostAddressOf(node) });
    const begun = this.#write(pod, status);
    return this.#times.startup > 0 ? this.#times.startup : this.#run(begun, node);
  }

  /**
   * @param {KubernetesObject} pod
   * @param {KubernetesObject} node
   */
  #run(pod, node) {
    const left = (timeOf(pod.status?.startTime) ?? 0) + this.#times.startup - this.#now;
    if (left > 0) return left;
    if (!this.#hasVolumes(pod)) return null;
    return this.#delayAfter(this.#write(pod, this.#runningStatus(pod, node)));
  }

  /**
   * @param {KubernetesObject} pod
   * @param {KubernetesObject} node
   */
  #goOn(pod, node) {
    const isRestarted = (pod.spec.restartPolicy ?? 'Always') === 'Always';
    const { containerStatuses = [] } = pod.status;
    const started = containerStatuses.map((/** @type {any} */ { state }) =>
      timeOf(state?.running?.startedAt),
    );
    const left = Math.max(0, ...started) + this.#times.completion - this.#now;
    if (!isRestarted && left <= 0) {
      this.#write(pod, endedStatus(pod, { now: timestamp(this.#now), phase: 'Succeeded' }));
      return null;
    }
    // A readiness gate may have opened. A pod without container statuses was not started here and
    // stays unchanged.
    const isOurs = containerStatuses.length > 0 && conditionOf(pod.status, 'ContainersReady');
    const known = isOurs ? this.#write(pod, this.#runningStatus(pod, node)) : pod;
    return isRestarted ? this.#delayAfter(known) : Math.min(left, this.#delayAfter(known) ?? left);
  }

  /**
   * @param {KubernetesObject} pod
   * @param {KubernetesObject} node
   */
  #runningStatus(pod, node) {
    const hostIP = hostAddressOf(node);
    const podIP = pod.spec.hostNetwork
      ? hostIP
      : this.#addresses.assign(pod.metadata.uid, pod.status?.podIP);
    return runningStatus(pod, { now: timestamp(this.#now), hostIP, podIP });
  }

  /** Returns when a running pod ends by itself. @param {KubernetesObject} pod */
  #delayAfter(pod) {
    const isRestarted = (pod.spec.restartPolicy ?? 'Always') === 'Always';
    const { activeDeadlineSeconds: deadline } = pod.spec;
    const until = deadline ? (timeOf(pod.status?.startTime) ?? 0) + deadline * 1000 : Infinity;
    const left = Math.min(until - this.#now, isRestarted ? Infinity : this.#times.completion);
    return left === Infinity ? null : left;
  }

  /**
   * Fails a pod that exceeded its active deadline.
   * @param {KubernetesObject} pod
   * @returns {null | undefined} undefined if it did not
   */
  #timeOut(pod) {
    const { activeDeadlineSeconds: deadline } = pod.spec;
    const since = timeOf(pod.status?.startTime);
    if (!deadline || since === null || since + deadline * 1000 > this.#now) return undefined;
    const reason = 'DeadlineExceeded';
    const message = 'Pod was active on the node longer than the specified deadline';
    const now = timestamp(this.#now);
    this.#write(pod, endedStatus(pod, { now, phase: 'Failed', reason, message }));
    return null;
  }

  /** @param {KubernetesObject} pod one that is being deleted */
  #end(pod) {
    const { deletionGracePeriodSeconds: grace = 0 } = pod.metadata;
    if (grace === 0) return null;
    const begun = this.#beginOfGrace(pod.metadata, grace);
    const left = begun + terminationTime(pod, grace * 1000, this.#times.shutdown) - this.#now;
    if (left > 0 && !isPodFinished(pod)) return left;
    if (!isPodFinished(pod))
      this.#write(pod, endedStatus(pod, { now: timestamp(this.#now), phase: 'Failed' }));
    this.#context.delete('pods', pod, { gracePeriodSeconds: 0 });
    return null;
  }

  /**
   * Returns when the grace period began. A shortened one begins anew.
   * @param {KubernetesObject['metadata']} metadata
   * @param {number} seconds
   */
  #beginOfGrace({ uid, deletionTimestamp }, seconds) {
    const known = this.#gracePeriods.get(uid);
    if (known?.seconds === seconds) return known.begun;
    const first = (timeOf(deletionTimestamp) ?? this.#now) - seconds * 1000;
    const begun = known ? this.#now : first;
    this.#gracePeriods.set(uid, { seconds, begun });
    return begun;
  }

  /**
   * Whether the pod's claims are bound.
   * @param {KubernetesObject} pod
   */
  #hasVolumes(pod) {
    const claims = this.#context.indexer('persistentvolumeclaims');
    return claimKeysOf(pod).every((key) => claims.get(key)?.status?.phase === 'Bound');
  }

  /**
   * @param {KubernetesObject} pod
   * @param {Record<string, any>} status
   */
  #write(pod, status) {
    return this.#context.updateStatus('pods', pod, status);
  }
}
