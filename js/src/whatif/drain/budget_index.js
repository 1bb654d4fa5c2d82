/** The PodDisruptionBudgets of a cluster and the pods that they select, before a drain. */
import { budgetsFor } from '../../kubernetes/disruption.js';
import { keyOf } from '../../kubernetes/keys.js';
import { SCALED_KINDS } from '../../kubernetes/kinds.js';
import { controllerOf, identityOf, identityOfOwner } from '../../kubernetes/owners.js';
import { isPodActive, isPodReady, isPodTerminating } from '../../kubernetes/workloads/pods.js';
import { asReported } from './evictable_pods.js';

/**
 * @import { Owner } from '../../kubernetes/owners.js'
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

  /** The object that counts a pod's replicas. @param {Owner} owner */
  workload(owner) {
    return this.#workloads.get(identityOfOwner(owner));
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
   * A controller that the input lacks has as many replicas as it has pods. Kinds outside of
   * Kubernetes are not in the input; they are taken to have a scale.
   * @param {KubernetesObject[]} pods
   */
  #readWorkloads(pods) {
    for (const one of this.#cluster.workloads)
      if (SCALED_KINDS.has(one.kind ?? '')) this.#workloads.set(identityOf(one), one);
    /** @type {Map<string, KubernetesObject>} */
    const absent = new Map();
    for (const pod of pods) {
      const owner = controllerOf(pod);
      if (!owner) continue;
      const { namespace } = pod.metadata;
      const name = identityOfOwner({ ...owner, namespace });
      if (this.#workloads.has(name)) continue;
      const { replicas } = absent.get(name)?.spec ?? { replicas: 0 };
      const { apiVersion, kind, uid } = owner;
      absent.set(name, {
        apiVersion,
        kind,
        metadata: { namespace, name: owner.name, uid },
        spec: { replicas: replicas + Number(isPodActive(pod)) },
      });
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
