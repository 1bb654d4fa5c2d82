/**
 * Pods as kubectl prints them.
 * Counterpart: printPod of pkg/printers/internalversion/printers.go, v1.36.
 */
import { itemsIn, own } from '../../src/kubernetes/values.js';
import { isConditionTrue } from '../../src/kubernetes/conditions.js';
import { age, isDeleted, nameOf, since } from './cells.js';
import { AGE, NAME, text, wide } from './columns.js';

/** @import { Printer } from './columns.js' */

/** @typedef {Record<string, any>} Status a container's */

/** The summary of a pod's containers for its row. */
/** @typedef {{ reason: string, ready: number, restarts: number, lastRestart: string }} Summary */

/** @type {Record<string, { message: string }>} */
const COMPLETED = {
  Succeeded: { message: 'The pod has completed successfully.' },
  Failed: { message: 'The pod failed.' },
};

/** @type {Printer} */
const POD = {
  columns: [
    NAME,
    text('Ready', 'How many containers are ready, of all.'),
    text('Status', 'The summary of the states of the containers.'),
    text('Restarts', 'How often containers were restarted, and when the last time.'),
    AGE,
    wide(text('IP', 'Address of the pod.')),
    wide(text('Node', 'Where the pod runs.')),
    wide(text('Nominated Node', 'Where room is being made for the pod.')),
    wide(text('Readiness Gates', 'How many of its readiness gates are true.')),
  ],
  cells: podCells,
  conditions: ({ status }) => {
    const completed = own(COMPLETED, status?.phase);
    if (!completed) return [];
    return [{ type: 'Completed', status: 'True', reason: status.phase, ...completed }];
  },
};

export const POD_PRINTERS = Object.freeze({ Pod: POD });

/** @param {any} pod @param {number} now */
function podCells(pod, now) {
  const { spec = {}, status = {} } = pod;
  const sidecars = itemsIn(spec.initContainers).filter(isRestartable);
  const total = itemsIn(spec.containers).length + sidecars.length;
  const { reason, ready, restarts, lastRestart } = summaryOf(pod);
  const restartsText =
    restarts !== 0 && lastRestart ? `${restarts} (${since(lastRestart, now)} ago)` : `${restarts}`;
  return [
    nameOf(pod),
    `${ready}/${total}`,
    lifeOf(pod) ?? reason,
    restartsText,
    age(pod, now),
    itemsIn(status.podIPs)[0]?.ip || '<none>',
    spec.nodeName || '<none>',
    status.nominatedNodeName || '<none>',
    readinessGates(pod),
  ];
}

/** @param {any} pod @returns {string | null} the status of a pod that is being deleted */
function lifeOf(pod) {
  if (!isDeleted(pod)) return null;
  if (pod.status?.reason === 'NodeLost') return 'Unknown';
  return pod.status?.phase in COMPLETED ? null : 'Terminating';
}

/** @param {any} pod @returns {Summary} */
function summaryOf(pod) {
  const { status = {} } = pod;
  const isGated = itemsIn(status.conditions).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  const reason = isGated ? 'SchedulingGated' : status.reason || status.phase || '';
  const init = initSummary(pod, reason);
  if (init.isInitializing && !isConditionTrue(status, 'Initialized')) return init;
  return containersSummary(status, init);
}

/** @param {any} container */
function isRestartable(container) {
  return container?.restartPolicy === 'Always';
}

/**
 * Summarizes the init containers up to the first unfinished one.
 * @param {any} pod
 * @param {string} reason of the pod
 */
function initSummary({ spec = {}, status = {} }, reason) {
  const containers = itemsIn(spec.initContainers);
  const sidecars = new Set(containers.filter(isRestartable).map(({ name }) => name));
  const summary = { reason, ready: 0, restarts: 0, lastRestart: '', isInitializing: false };
  const ofSidecars = { restarts: 0, lastRestart: '' };
  for (const [at, container] of itemsIn(status.initContainerStatuses).entries()) {
    const isSidecar = sidecars.has(container.name);
    addRestarts(summary, container);
    if (isSidecar) addRestarts(ofSidecars, container);
    const { terminated } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (isSidecar && container.started) {
      if (container.ready) summary.ready += 1;
      continue;
    }
    summary.reason = initReason(container, `Init:${at}/${containers.length}`);
    summary.isInitializing = true;
    break;
  }
  return { ...summary, ofSidecars };
}

/** @param {Status} container @param {string} progress */
function initReason({ state = {} }, progress) {
  const { terminated, waiting } = state;
  if (terminated) return `Init:${terminationReason(terminated)}`;
  const isWaiting = waiting?.reason && waiting.reason !== 'PodInitializing';
  return isWaiting ? `Init:${waiting.reason}` : progress;
}

/** @param {Record<string, any>} terminated */
function terminationReason({ reason, signal, exitCode = 0 }) {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

/**
 * The first container with a reason determines the status, so the loop runs backwards.
 * @param {any} status
 * @param {ReturnType<typeof initSummary>} init
 * @returns {Summary}
 */
function containersSummary(status, init) {
  const summary = { reason: init.reason, ready: init.ready, ...init.ofSidecars };
  let isRunning = false;
  for (const container of [...itemsIn(status.containerStatuses)].reverse()) {
    addRestarts(summary, container);
    const { waiting, terminated, running } = container.state ?? {};
    if (waiting?.reason) summary.reason = waiting.reason;
    else if (terminated) summary.reason = terminationReason(terminated);
    else if (container.ready && running) {
      isRunning = true;
      summary.ready += 1;
    }
  }
  if (summary.reason === 'Completed' && isRunning) {
    summary.reason = isConditionTrue(status, 'Ready') ? 'Running' : 'NotReady';
  }
  return summary;
}

/** @param {{ restarts: number, lastRestart: string }} sum changed @param {Status} container */
function addRestarts(sum, { restartCount = 0, lastState }) {
  const finishedAt = lastState?.terminated?.finishedAt ?? '';
  sum.restarts += restartCount;
  if (finishedAt > sum.lastRestart) sum.lastRestart = finishedAt;
}

/** @param {any} pod */
function readinessGates({ spec, status }) {
  const gates = itemsIn(spec?.readinessGates);
  if (gates.length === 0) return '<none>';
  const met = gates.filter(({ conditionType }) => isConditionTrue(status, conditionType));
  return `${met.length}/${gates.length}`;
}
