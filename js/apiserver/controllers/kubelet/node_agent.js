import { microTime } from '../../../src/io/clock.js';
import { conditionOf } from '../../../src/kubernetes/conditions.js';
import { timestamp } from '../../object_meta.js';
import { semanticEqual, timeOf } from '../../../src/kubernetes/workloads/objects.js';

/**
 * A kubelet's reports on its node: it renews its Lease every ten seconds, and writes its status
 * every five minutes. Counterparts: pkg/kubelet/nodestatus/setters.go,
 * component-helpers/apimachinery/lease, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

const LEASE_NAMESPACE = 'kube-node-lease';
const LEASE_SECONDS = 40;
const RENEW_INTERVAL = 10_000;
const REPORT_INTERVAL = 300_000;

/** A node with this annotation has no kubelet while it is set. */
const STOPPED = 'stowage/kubelet';

/** @type {[string, string, string, string][]} type, status, reason, message */
const CONDITIONS = [
  [
    'MemoryPressure',
    'False',
    'KubeletHasSufficientMemory',
    'kubelet has sufficient memory available',
  ],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

/** Whether the node has a running kubelet. @param {KubernetesObject | undefined} node */
export function hasKubelet(node) {
  return node !== undefined && node.metadata.annotations?.[STOPPED] !== 'stopped';
}

/**
 * The address of the node's host.
 * @param {KubernetesObject | undefined} node
 * @returns {string}
 */
export function hostAddressOf(node) {
  const addresses = node?.status?.addresses ?? [];
  const internal = addresses.find((/** @type {any} */ { type }) => type === 'InternalIP');
  return internal?.address ?? '127.0.0.1';
}

/** The kubelets of all nodes, as far as they report on nodes. */
export class NodeAgents {
  #context;
  /** @type {Map<string, string>} */
  #addresses = new Map();

  /** @param {ControllerContext} context */
  constructor(context) {
    this.#context = context;
  }

  /**
   * Writes the reports that are due.
   * @param {KubernetesObject} node
   * @returns {number} milliseconds until the next report
   */
  report(node) {
    this.#reportStatus(node);
    return this.#renewLease(node);
  }

  /** @param {KubernetesObject} node */
  #reportStatus(node) {
    const { clock } = this.#context;
    const now = timestamp(clock.now());
    const { status = {} } = node;
    const ready = conditionOf(status, 'Ready');
    const reported = timeOf(ready?.lastHeartbeatTime) ?? 0;
    const isDue = clock.now() - reported >= REPORT_INTERVAL;
    const next = this.#statusOf(node, { now, isDue });
    this.#context.updateStatus('nodes', node, next);
  }

  /**
   * @param {KubernetesObject} node
   * @param {{ now: string, isDue: boolean }} time
   */
  #statusOf(node, { now, isDue }) {
    const { status = {} } = node;
    const own = CONDITIONS.map(([type, value, reason, message]) => {
      const known = conditionOf(status, type);
      const isSame = known?.status === value && known.reason === reason;
      if (isSame && !isDue && known.lastHeartbeatTime) return known;
      const since = known?.status === value ? known.lastTransitionTime : undefined;
      const times = { lastHeartbeatTime: now, lastTransitionTime: since ?? now };
      return { type, status: value, ...times, reason, message };
    });
    const types = new Set(own.map(({ type }) => type));
    const others = (status.conditions ?? []).filter(
      (/** @type {any} */ { type }) => !types.has(type),
    );
    const conditions = [...others, ...own];
    return {
      ...status,
      ...(status.capacity && !status.allocatable && { allocatable: status.capacity }),
      conditions: semanticEqual(conditions, status.conditions) ? status.conditions : conditions,
      addresses: status.addresses ?? this.#addressesOf(node),
      nodeInfo: status.nodeInfo?.kubeletVersion ? status.nodeInfo : nodeInfoOf(node),
    };
  }

  /** Creates addresses for a node without any. @param {KubernetesObject} node */
  #addressesOf({ metadata: { uid, name } }) {
    const number = this.#addresses.size + 2;
    const address = this.#addresses.get(uid) ?? `172.18.${(number >> 8) & 0xff}.${number & 0xff}`;
    this.#addresses.set(uid, address);
    return [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ];
  }

  /**
   * @param {KubernetesObject} node
   * @returns {number} milliseconds until the next report
   */
  #renewLease({ metadata: { name, uid } }) {
    const { store, clock } = this.#context;
    const now = clock.now();
    const known = store.get('leases', LEASE_NAMESPACE, name);
    const left = (timeOf(known?.spec?.renewTime) ?? -Infinity) + RENEW_INTERVAL - now;
    if (left > 0) return left;
    const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS };
    const renewed = { ...known?.spec, ...spec, renewTime: microTime(now) };
    if (known) store.update('leases', { ...known, spec: renewed });
    else {
      store.create('leases', {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {
          name,
          namespace: LEASE_NAMESPACE,
          ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
        },
        spec: renewed,
      });
    }
    return RENEW_INTERVAL;
  }
}

/**
 * Declares that the node runs no containers.
 * @param {KubernetesObject} node
 */
function nodeInfoOf({ metadata: { labels = {}, uid } }) {
  return {
    machineID: '',
    systemUUID: uid,
    bootID: '',
    kernelVersion: '',
    osImage: 'none (fake kubelet of stowage)',
    containerRuntimeVersion: 'none://0.0.0',
    kubeletVersion: 'v1.36.0',
    kubeProxyVersion: '',
    operatingSystem: labels['kubernetes.io/os'] ?? 'linux',
    architecture: labels['kubernetes.io/arch'] ?? 'amd64',
  };
}
