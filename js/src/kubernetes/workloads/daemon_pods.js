/**
 * The special properties of a DaemonSet's pods: tolerations, and a node of their own. Counterpart:
 * pkg/controller/daemon/util/daemonset_util.go, v1.36.
 */

/** @import { KubernetesObject } from '../types.js' */

/** The tolerations that the DaemonSet controller adds to its pods. */
const DAEMON_TOLERATIONS = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
const NETWORK_TOLERATION = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/**
 * Returns the spec with the tolerations of a daemon's pod.
 * @param {any} spec of the template
 */
export function withDaemonTolerations(spec) {
  const added = spec.hostNetwork ? [...DAEMON_TOLERATIONS, NETWORK_TOLERATION] : DAEMON_TOLERATIONS;
  return { ...spec, tolerations: [...(spec.tolerations ?? []), ...added] };
}

/**
 * Returns the affinity of a daemon's pod, which requires the node alone: the template's own
 * requirement has been evaluated before.
 * @param {any} affinity
 * @param {string} node
 */
export function pinnedTo(affinity, node) {
  const nodeSelectorTerms = [
    { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] },
  ];
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
    },
  };
}

/**
 * Returns the node that a daemon's pod runs on or is meant for.
 * @param {KubernetesObject} pod
 * @returns {string | undefined}
 */
export function targetNodeOf(pod) {
  const terms =
    pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
      ?.nodeSelectorTerms;
  return pod.spec?.nodeName || terms?.[0]?.matchFields?.[0]?.values?.[0];
}
