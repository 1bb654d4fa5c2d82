/** The PodDisruptionBudgets of the pods to evict, and how they stand in the course of a drain. */
import {
  BUDGETED_KINDS,
  budgetFigures,
  budgetsFor,
  isFreeOfCharge,
  isWithoutBudget,
  refusalOf,
  SEVERAL_BUDGETS,
} from '../../kubernetes/disruption.js';
import { keyOf } from '../../kubernetes/keys.js';
import { controllerOf } from '../../kubernetes/owners.js';
import { isPodActive, isPodReady, isPodTerminating } from '../../kubernetes/workloads/pods.js';
import { asReported } from './evictable_pods.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { BudgetFigures } from '../../kubernetes/disruption.js'
 * @import { ChangedCluster } from '../changes/changed_cluster.js'
 */

/** A budget that refuses an eviction. @typedef {{ budget: string } & BudgetFigures} BudgetState */

/**
 * The answer to an eviction. `budget`: the one that is charged.
 * @typedef {{ isAllowed: true, budget: string | null }
 *   | { isAllowed: false, message: string, budgets: BudgetState[] }} EvictionAnswer
 */

export class Budgets {
  /** The budgets of each pod that one of them selects. @type {Map<string, KubernetesObject[]>} */
  #ofPod = new Map();
  /** The pods that each budget selects, by key. @type {Map<KubernetesObject, Map<string,
   * KubernetesObject>>} */
  #members = new Map();
  /** @type {Map<string, KubernetesObject>} */
  #workloads = new Map();
  /** @type {Set<string>} */
  #healthy = new Set();
  /** The figures that are still right. @type {Map<KubernetesObject, BudgetFigures>} */
  #figures = new Map();
  /** The evictions that each budget has granted. @type {Map<KubernetesObject, number>} */
  #charged = new Map();

  /**
   * @param {ChangedCluster} cluster
   * @param {Map<string, KubernetesObject>} evicted the pods to evict
   */
  constructor(cluster, evicted) {
    const all = byNamespace(cluster.scheduler.list('PodDisruptionBudget'));
    const asked = new Set(
      [...evicted.values()].flatMap((pod) =>
        budgetsFor(pod, all.get(pod.metadata.namespace) ?? []),
      ),
    );
    if (asked.size === 0) return;
    for (const budget of asked) this.#members.set(budget, new Map());
    const budgets = byNamespace([...asked]);
    const pods = cluster.pods.filter(({ metadata }) => budgets.has(metadata.namespace));
    this.#readWorkloads(cluster, pods);
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
    this.#ofPod.set(key, budgets);
    for (const budget of budgets) this.#members.get(budget)?.set(key, pod);
    if (isPodReady(pod) && !isPodTerminating(pod)) this.#healthy.add(key);
  }

  /**
   * A controller that the input lacks has as many replicas as it has pods.
   * @param {ChangedCluster} cluster
   * @param {KubernetesObject[]} pods
   */
  #readWorkloads(cluster, pods) {
    for (const one of cluster.workloads) this.#workloads.set(nameOf(one.kind, keyOf(one)), one);
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

  /** Begins a round: the disruption controller has counted what the last one evicted. */
  refresh() {
    this.#charged.clear();
  }

  /**
   * Asks for an eviction, and charges the budget if it is granted.
   * @param {KubernetesObject} pod
   * @returns {EvictionAnswer}
   */
  ask(pod) {
    const reported = asReported(pod);
    const budgets = this.#ofPod.get(keyOf(pod)) ?? [];
    if (budgets.length === 0 || isWithoutBudget(reported)) return { isAllowed: true, budget: null };
    const states = budgets.map((budget) => ({ budget: keyOf(budget), ...this.#figuresOf(budget) }));
    if (budgets.length > 1) return { isAllowed: false, message: SEVERAL_BUDGETS, budgets: states };
    const [budget] = budgets;
    const figures = this.#figuresOf(budget);
    if (isFreeOfCharge(budget, reported, figures)) return { isAllowed: true, budget: null };
    if (figures.disruptionsAllowed <= 0)
      return { isAllowed: false, message: refusalOf(budget, figures), budgets: states };
    this.#charged.set(budget, (this.#charged.get(budget) ?? 0) + 1);
    return { isAllowed: true, budget: keyOf(budget) };
  }

  /**
   * Notes where pods are now: those with a node are ready.
   * @param {Iterable<[key: string, state: 'Placed' | 'Pending' | 'Gone']>} states
   */
  update(states) {
    for (const [key, state] of states) {
      const budgets = this.#ofPod.get(key) ?? [];
      if (state === 'Placed') this.#healthy.add(key);
      else this.#healthy.delete(key);
      for (const budget of budgets) {
        if (state === 'Gone') this.#members.get(budget)?.delete(key);
        this.#figures.delete(budget);
      }
    }
  }

  /** @param {KubernetesObject} budget @returns {BudgetFigures} */
  #figuresOf(budget) {
    const members = [...(this.#members.get(budget)?.values() ?? [])];
    const figures =
      this.#figures.get(budget) ??
      budgetFigures(budget, members, {
        find: (kind, key) => this.#workloads.get(nameOf(kind, key)),
        isHealthy: (pod) => this.#healthy.has(keyOf(pod)),
      });
    this.#figures.set(budget, figures);
    const disruptionsAllowed = figures.disruptionsAllowed - (this.#charged.get(budget) ?? 0);
    return { ...figures, disruptionsAllowed };
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
