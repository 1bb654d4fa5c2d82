/**
 * The cluster as the page draws it: nodes and pods as small rows, reported as changes. It reads the
 * API server's store and reports only rows that changed.
 */
import { keyOf, parseQuantity, podRequests } from '../../../js/src/kubernetes.js';
import { claimRow, sliceRow } from './device_rows.js';
import { WORKLOADS, ownerText, workloadKey, workloadRow } from './workload_rows.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { ClaimRow, SliceRow } from './device_rows.js'
 * @import { WorkloadRow } from './workload_rows.js'
 */

/** Cores, bytes or counts, by resource. @typedef {Record<string, number>} Amounts */

/**
 * @typedef {object} NodeRow
 * @property {string} name
 * @property {string} zone empty: none
 * @property {boolean} isUnschedulable cordoned
 * @property {string[]} taints `key=value:effect`
 * @property {Record<string, string>} labels
 * @property {Amounts} allocatable
 */

/**
 * @typedef {object} PodRow
 * @property {string} key `namespace/name`
 * @property {string} node empty: none
 * @property {string} nominatedNode empty: none
 * @property {string} phase
 * @property {number} priority
 * @property {string} workload the owner, `Kind/name`; empty if there is none
 * @property {string} podGroup the PodGroup that it starts with, `namespace/name`; empty: none
 * @property {string} reason why the pod is on no node: the reason of its PodScheduled condition
 * @property {string} message the message of that condition
 * @property {boolean} isTerminating
 * @property {Amounts} requests
 */

/**
 * The changes since the last call. `isWhole`: this is the full state.
 * @typedef {object} Changes
 * @property {boolean} isWhole
 * @property {NodeRow[]} nodes
 * @property {PodRow[]} pods
 * @property {string[]} goneNodes
 * @property {string[]} gonePods
 * @property {WorkloadRow[]} workloads
 * @property {string[]} goneWorkloads
 * @property {SliceRow[]} slices
 * @property {string[]} goneSlices
 * @property {ClaimRow[]} claims
 * @property {string[]} goneClaims
 */

/**
 * Where objects are read: the API server's store, or the objects observed in a live cluster.
 * @typedef {object} ObjectSource
 * @property {(resource: string) => Iterable<KubernetesObject>} list
 * @property {(resource: string, listener: (event: { type: string, object: KubernetesObject }) =>
 *   void) => () => void} subscribe returns a function that unsubscribes
 */

const ZONE = 'topology.kubernetes.io/zone';
const NANO = 1e9;

export class ClusterModel {
  /** @type {(() => void)[]} */
  #ends = [];
  #isWhole = true;
  /**
   * The changed rows by name; undefined for a removed one.
   * @type {Map<string, NodeRow | undefined>}
   */
  #nodes = new Map();
  /** @type {Map<string, PodRow | undefined>} */
  #pods = new Map();
  /** @type {Map<string, WorkloadRow | undefined>} */
  #workloads = new Map();
  /** @type {Map<string, SliceRow | undefined>} */
  #slices = new Map();
  /** @type {Map<string, ClaimRow | undefined>} */
  #claims = new Map();

  /** @param {ObjectSource} store */
  constructor(store) {
    const follow = (
      /** @type {string} */ resource,
      /** @type {(object: KubernetesObject, isGone: boolean) => void} */ see,
    ) => {
      for (const object of store.list(resource)) see(object, false);
      this.#ends.push(
        store.subscribe(resource, ({ type, object }) => see(object, type === 'DELETED')),
      );
    };
    follow('nodes', (object, isGone) => {
      this.#nodes.set(object.metadata.name, isGone ? undefined : nodeRow(object));
    });
    follow('pods', (object, isGone) => {
      this.#pods.set(keyOf(object), isGone ? undefined : podRow(object));
    });
    follow('resourceslices', (object, isGone) => {
      this.#slices.set(object.metadata.name, isGone ? undefined : sliceRow(object));
    });
    follow('resourceclaims', (object, isGone) => {
      this.#claims.set(keyOf(object), isGone ? undefined : claimRow(object));
    });
    for (const { plural: resource, kind } of WORKLOADS)
      follow(resource, (object, isGone) => {
        const { namespace, name } = object.metadata;
        const row = isGone ? undefined : workloadRow(kind, object);
        this.#workloads.set(workloadKey(kind, namespace, name), row);
      });
  }

  /** @returns {Changes} */
  take() {
    const [nodes, goneNodes] = taken(this.#nodes);
    const [pods, gonePods] = taken(this.#pods);
    const [workloads, goneWorkloads] = taken(this.#workloads);
    const [slices, goneSlices] = taken(this.#slices);
    const [claims, goneClaims] = taken(this.#claims);
    const isWhole = this.#isWhole;
    this.#isWhole = false;
    const rows = { nodes, pods, workloads, slices, claims };
    const gone = { goneNodes, gonePods, goneWorkloads, goneSlices, goneClaims };
    return { isWhole, ...rows, ...gone };
  }

  dispose() {
    for (const end of this.#ends) end();
  }
}

/**
 * @template T
 * @param {Map<string, T | undefined>} changes emptied by this call
 * @returns {[T[], string[]]} the rows that exist, and the names of those that do not
 */
function taken(changes) {
  /** @type {T[]} */
  const rows = [];
  /** @type {string[]} */
  const gone = [];
  for (const [key, row] of changes) {
    if (row === undefined) gone.push(key);
    else rows.push(row);
  }
  changes.clear();
  return [rows, gone];
}

/**
 * @param {KubernetesObject} node
 * @returns {NodeRow}
 */
export function nodeRow({ metadata, spec, status }) {
  const taints = spec?.taints ?? [];
  return {
    name: metadata.name,
    zone: metadata.labels?.[ZONE] ?? '',
    isUnschedulable: spec?.unschedulable === true,
    taints: taints.map(taintText),
    labels: metadata.labels ?? {},
    allocatable: amountsOf(status?.allocatable ?? {}),
  };
}

/**
 * @param {KubernetesObject} pod
 * @returns {PodRow}
 */
export function podRow(pod) {
  const { metadata, spec, status = {} } = pod;
  const conditions = /** @type {any[]} */ (status.conditions ?? []);
  const group = spec.schedulingGroup?.podGroupName;
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  const refused = scheduled?.status === 'False' ? scheduled : undefined;
  return {
    key: keyOf(pod),
    node: spec.nodeName ?? '',
    nominatedNode: status.nominatedNodeName ?? '',
    phase: status.phase ?? 'Pending',
    priority: spec.priority ?? 0,
    workload: ownerText(metadata.ownerReferences),
    podGroup: group ? `${metadata.namespace}/${group}` : '',
    reason: refused?.reason ?? '',
    message: refused?.message ?? '',
    isTerminating: metadata.deletionTimestamp !== undefined,
    requests: Object.fromEntries(
      [...podRequests(spec)].map(([name, amount]) => [name, Number(amount) / NANO]),
    ),
  };
}

/** @param {{ key: string, value?: string, effect: string }} taint */
function taintText({ key, value, effect }) {
  return `${key}${value ? `=${value}` : ''}:${effect}`;
}

/** @param {Record<string, unknown>} quantities */
function amountsOf(quantities) {
  return Object.fromEntries(
    Object.entries(quantities).map(([name, quantity]) => [
      name,
      Number(parseQuantity(quantity) ?? 0n) / NANO,
    ]),
  );
}
