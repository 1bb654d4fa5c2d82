import { conditionOf, isConditionTrue } from '../../../src/kubernetes/conditions.js';

/**
 * Creates the statuses that a kubelet reports for a pod whose containers all work as intended.
 * Counterpart: pkg/kubelet/status/generate.go, pkg/kubelet/kubelet_pods.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { Condition } from '../../../src/kubernetes/conditions.js'
 */

/**
 * The place and time of a status.
 * @typedef {object} Place
 * @property {string} now in the form of Kubernetes' objects
 * @property {string} hostIP
 * @property {string} [podIP]
 */

/** The exit code of a container that was ended by SIGTERM: 128 plus its number. */
const TERMINATED = 143;

/** Conditions that the kubelet writes; it keeps all others. */
const KUBELET_CONDITIONS = [
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
];

/**
 * The kubelet has accepted the pod and creates its containers.
 * @param {KubernetesObject} pod
 * @param {Place} place
 */
export function creatingStatus(pod, { now, hostIP }) {
  const names = pod.spec.containers.map((/** @type {any} */ { name }) => name);
  const said = notReady(
    'ContainersNotReady',
    `containers with unready status: [${names.join(' ')}]`,
  );
  const inits = initContainersOf(pod);
  return statusOf(pod, now, {
    phase: 'Pending',
    startTime: now,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    conditions: {
      PodReadyToStartContainers: { status: 'False' },
      Initialized: inits.length > 0 ? notInitialized(inits) : { status: 'True' },
      Ready: said,
      ContainersReady: said,
      PodScheduled: { status: 'True' },
    },
    ...containersIn(pod, (container) => {
      const reason = inits.length > 0 ? 'PodInitializing' : 'ContainerCreating';
      return { ...container, ready: false, started: false, state: { waiting: { reason } } };
    }),
  });
}

/**
 * All containers run and are ready.
 * @param {KubernetesObject} pod
 * @param {Required<Place>} place
 */
export function runningStatus(pod, { now, hostIP, podIP }) {
  const gates = pod.spec.readinessGates ?? [];
  const closed = gates
    .map((/** @type {any} */ { conditionType }) => conditionType)
    .filter((/** @type {string} */ type) => !isConditionTrue(pod.status, type));
  return statusOf(pod, now, {
    phase: 'Running',
    startTime: pod.status?.startTime ?? now,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: {
      PodReadyToStartContainers: { status: 'True' },
      Initialized: { status: 'True' },
      Ready: closed.length > 0 ? gatesClosed(closed) : { status: 'True' },
      ContainersReady: { status: 'True' },
      PodScheduled: { status: 'True' },
    },
    ...containersIn(pod, (container, isInit) => {
      if (isInit) return ended(container, { exitCode: 0, now });
      const known = container.state?.running ?? { startedAt: now };
      return { ...container, ready: true, started: true, state: { running: known } };
    }),
  });
}

/**
 * All containers have ended.
 * @param {KubernetesObject} pod
 * @param {{ now: string, phase: 'Succeeded' | 'Failed', reason?: string, message?: string }} end
 */
export function endedStatus(pod, { now, phase, reason, message }) {
  const said =
    phase === 'Succeeded' ? { status: 'False', reason: 'PodCompleted' } : notReady('PodFailed');
  const exitCode = phase === 'Succeeded' ? 0 : TERMINATED;
  return statusOf(pod, now, {
    phase,
    ...(reason && { reason }),
    ...(message && { message }),
    conditions: {
      PodReadyToStartContainers: { status: 'False' },
      Initialized: {
        status: 'True',
        ...(phase === 'Succeeded' && { reason: 'PodCompleted' }),
      },
      Ready: said,
      ContainersReady: said,
      PodScheduled: { status: 'True' },
    },
    ...containersIn(pod, (container, isInit) => {
      if (container.state?.terminated) return container;
      return ended(container, { exitCode: isInit ? 0 : exitCode, now });
    }),
  });
}

/**
 * The pod's status with these fields and conditions. Conditions of other writers stay, and
 * unchanged ones keep the time of their transition.
 * @param {KubernetesObject} pod
 * @param {string} now
 * @param {{ conditions: Record<string, { status: string, reason?: string, message?: string }>,
 *   [field: string]: any }} said
 */
function statusOf({ status = {}, metadata }, now, { conditions: saidOf, ...fields }) {
  const others = (status.conditions ?? []).filter(
    (/** @type {Condition} */ { type }) => !KUBELET_CONDITIONS.includes(type),
  );
  const conditions = KUBELET_CONDITIONS.map((type) => {
    const known = conditionOf(status, type);
    const said = saidOf[type];
    const isSame = known?.status === said.status;
    const lastTransitionTime = isSame ? known?.lastTransitionTime : now;
    const { generation } = metadata;
    return {
      type,
      ...(generation !== undefined && { observedGeneration: generation }),
      lastProbeTime: null,
      lastTransitionTime,
      ...said,
    };
  });
  return {
    ...status,
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...fields,
    conditions: [...conditions, ...others],
  };
}

/**
 * The statuses of containers and init containers.
 * @param {KubernetesObject} pod
 * @param {(container: any, isInit: boolean) => any} change
 */
function containersIn(pod, change) {
  const { initContainerStatuses, containerStatuses } = pod.status ?? {};
  /** @type {(containers: any[], known: any[] | undefined, isInit: boolean) => any[]} */
  const each = (containers, known, isInit) =>
    containers.map((container) => {
      const { name, image } = container;
      const before = known?.find((one) => one.name === name);
      const isSidecar = isInit && container.restartPolicy === 'Always';
      const fresh = { name, image, imageID: '', restartCount: 0, lastState: {} };
      return change(before ?? fresh, isInit && !isSidecar);
    });
  const inits = pod.spec.initContainers ?? [];
  return {
    ...(inits.length > 0 && { initContainerStatuses: each(inits, initContainerStatuses, true) }),
    containerStatuses: each(pod.spec.containers, containerStatuses, false),
  };
}

/** Returns the init containers that end before the others start. @param {KubernetesObject} pod */
function initContainersOf({ spec }) {
  return (spec.initContainers ?? []).filter(
    (/** @type {any} */ { restartPolicy }) => restartPolicy !== 'Always',
  );
}

/**
 * @param {any} container
 * @param {{ exitCode: number, now: string }} end
 */
function ended(container, { exitCode, now }) {
  if (container.state?.terminated) return container;
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  const startedAt = container.state?.running?.startedAt ?? now;
  const terminated = { exitCode, reason, startedAt, finishedAt: now };
  return { ...container, ready: exitCode === 0, started: false, state: { terminated } };
}

/** @param {any[]} inits */
function notInitialized(inits) {
  const names = inits.map(({ name }) => name).join(' ');
  const message = `containers with incomplete status: [${names}]`;
  return notReady('ContainersNotInitialized', message);
}

/** @param {string[]} closed types of conditions */
function gatesClosed(closed) {
  const reasons = closed.map((type) => `corresponding condition of pod readiness gate "${type}"`);
  return notReady('ReadinessGatesNotReady', `${reasons.join(', ')} does not exist.`);
}

/**
 * @param {string} reason
 * @param {string} [message]
 */
function notReady(reason, message) {
  return { status: 'False', reason, ...(message && { message }) };
}
