/** The PodDisruptionBudgets of a cluster and the pods that they select, before a drain. */
import { BUDGETED_KINDS, budgetsFor } from '../../kubernetes/disruption.js';
import { keyOf } from '../../kubernetes/keys.js';
import { controllerOf } from '../../kubernetes/owners.js';
import { isPodActive, isPodReady, isPodTerminating } from '../../kubernetes/workloads/pods.js';
import { asReported } from './evictable_pods.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster } from '../changes/changed_cluster.js'
 */

/** @typedef {{ pods: Map<string, KubernetesObject>, healthy: number }} Members by key */

/** It reads the cluster with the first question, and once: several drains can share it. */
export class BudgetIndex {
  #cluster;
  #isRead = false;
  /** @type {Map<string, KubernetesObject[]>} */
  #ofPod = new Map();
  /** @type {Map<KubernetesObject, Members>} */
  #members = new Map();
  /** @type {Map<string, KubernetesObject>} */
  #workloads = new Map();
  /** @type {Set<string>} */
  #healthy = new Set();

  /** @param {ChangedCluster} cluster as it is before all drains */
  constructor(cluster) {
    this.#cluster = cluster;
  }

  /**
   * Returns the budgets that select a pod.
   * @param {string} key `namespace/name`
   * @returns {KubernetesObject[]}
   */
  budgetsOf(key) {
    if (!this.#isRead) this.#read();
    return this.#ofPod.get(key) ?? [];
  }

  /** @param {KubernetesObject} budget @returns {Members} */
  membersOf(budget) {
    return /** @type {Members} */ (this.#members.get(budget));
  }

  /** @param {string} key whether the pod is selected by a budget, and is ready */
  isHealthy(key) {
    return this.#healthy.has(key);
  }

  /** @param {string} kind @param {string} key `namespace/name` */
  workload(kind, key) {
    return this.#workloads.get(nameOf(kind, key));
  }

  #read() {
    this.#isRead = true;
    const budgets = byNamespace(this.#cluster.scheduler.list('PodDisruptionBudget'));
    if (budgets.size === 0) return;
    const pods = this.#cluster.pods.filter(({ metadata }) => budgets.has(metadata.namespace));
    this.#readWorkloads(pods);
    const indexes = new Map([...budgets].map(([name, some]) => [name, byLabel(some)]));
    for (const pod of pods) {
      const index = /** @type {LabelIndex} */ (indexes.get(pod.metadata.namespace));
      const own = budgetsFor(pod, candidatesFor(pod, index));
      if (own.length > 0) this.#addMember(asReported(pod), own);
    }
  }

  /**
   * @param {KubernetesObject} pod
   * @param {KubernetesObject[]} budgets
   */
  #addMember(pod, budgets) {
    const key = keyOf(pod);
    const isHealthy = isPodReady(pod) && !isPodTerminating(pod);
    if (isHealthy) this.#healthy.add(key);
    this.#ofPod.set(key, budgets);
    for (const budget of budgets) {
      const members = this.#members.get(budget) ?? { pods: new Map(), healthy: 0 };
      members.pods.set(key, pod);
      members.healthy += Number(isHealthy);
      this.#members.set(budget, members);
    }
  }

  /**
   * A controller that the input lacks has as many replicas as it has pods.
   * @param {KubernetesObject[]} pods
   */
  #readWorkloads(pods) {
    for (const one of this.#cluster.workloads)
      this.#workloads.set(nameOf(one.kind, keyOf(one)), one);
    /** @type {Map<string, KubernetesObject>} */
    const absent = new Map();
    for (const pod of pods.filter(isPodActive)) {
      const owner = controllerOf(pod);
      if (!owner || !BUDGETED_KINDS.includes(owner.kind)) continue;
      const { namespace } = pod.metadata;
      const name = nameOf(owner.kind, `${namespace}/${owner.name}`);
      if (this.#workloads.has(name)) continue;
      const { replicas } = absent.get(name)?.spec ?? { replicas: 0 };
      const metadata = { namespace, name: owner.name, uid: owner.uid };
      absent.set(name, { kind: owner.kind, metadata, spec: { replicas: replicas + 1 } });
    }
    for (const [name, workload] of absent) this.#workloads.set(name, workload);
  }
}

/**
 * Budgets by one label that their pods have, as `key=value`; `others` name no label.
 * @typedef {{ byLabel: Map<string, KubernetesObject[]>, others: KubernetesObject[] }} LabelIndex
 */

/**
 * @param {KubernetesObject[]} budgets
 * @returns {LabelIndex}
 */
function byLabel(budgets) {
  /** @type {LabelIndex} */
  const index = { byLabel: new Map(), others: [] };
  for (const budget of budgets) {
    const [label] = Object.entries(budget.spec?.selector?.matchLabels ?? {});
    if (!label) index.others.push(budget);
    else push(index.byLabel, label.join('='), budget);
  }
  return index;
}

/**
 * @param {KubernetesObject} pod
 * @param {LabelIndex} index
 */
function candidatesFor({ metadata }, index) {
  const labels = Object.entries(metadata.labels ?? {});
  return [...labels.flatMap((label) => index.byLabel.get(label.join('=')) ?? []), ...index.others];
}

/**
 * @param {string | undefined} kind
 * @param {string} key
 */
function nameOf(kind, key) {
  return `${kind} ${key}`;
}

/**
 * @param {KubernetesObject[]} objects
 * @returns {Map<string, KubernetesObject[]>}
 */
function byNamespace(objects) {
  /** @type {Map<string, KubernetesObject[]>} */
  const groups = new Map();
  for (const object of objects) push(groups, object.metadata.namespace, object);
  return groups;
}

/**
 * @param {Map<string, KubernetesObject[]>} groups
 * @param {string} key
 * @param {KubernetesObject} object
 */
function push(groups, key, object) {
  const group = groups.get(key);
  if (group) group.push(object);
  else groups.set(key, [object]);
}
