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
  /** The budgets of each pod to evict. @type {Map<string, KubernetesObject[]>} */
  #ofPod = new Map();
  /** The pods that each budget selects, by key. @type {Map<KubernetesObject, KubernetesObject[]>} */
  #members = new Map();
  /** @type {Map<string, KubernetesObject>} */
  #workloads = new Map();
  /** @type {Set<string>} */
  #healthy = new Set();
  /** The figures of this round. @type {Map<KubernetesObject, BudgetFigures>} */
  #figures = new Map();

  /**
   * @param {ChangedCluster} cluster
   * @param {Map<string, KubernetesObject>} evicted the pods to evict
   */
  constructor(cluster, evicted) {
    const budgets = byNamespace(cluster.scheduler.list('PodDisruptionBudget'));
    for (const [key, pod] of evicted)
      this.#ofPod.set(key, budgetsFor(pod, budgets.get(pod.metadata.namespace) ?? []));
    const asked = new Set([...this.#ofPod.values()].flat());
    if (asked.size === 0) return;
    const pods = byNamespace(cluster.pods.map(asReported));
    this.#readWorkloads(cluster, pods);
    for (const budget of asked) {
      const all = pods.get(budget.metadata.namespace) ?? [];
      const members = all.filter((pod) => budgetsFor(pod, [budget]).length > 0);
      this.#members.set(budget, members);
      for (const pod of members)
        if (isPodReady(pod) && !isPodTerminating(pod)) this.#healthy.add(keyOf(pod));
    }
  }

  /**
   * A controller that the input lacks has as many replicas as it has pods.
   * @param {ChangedCluster} cluster
   * @param {Map<string, KubernetesObject[]>} pods
   */
  #readWorkloads(cluster, pods) {
    for (const one of cluster.workloads) this.#workloads.set(nameOf(one.kind, keyOf(one)), one);
    /** @type {Map<string, KubernetesObject>} */
    const absent = new Map();
    for (const pod of [...pods.values()].flat().filter(isPodActive)) {
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

  /** Computes all figures again, as the disruption controller does. */
  refresh() {
    for (const [budget, members] of this.#members) {
      const figures = budgetFigures(budget, members, {
        find: (kind, key) => this.#workloads.get(nameOf(kind, key)),
        isHealthy: (pod) => this.#healthy.has(keyOf(pod)),
      });
      this.#figures.set(budget, figures);
    }
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
    const disruptionsAllowed = figures.disruptionsAllowed - 1;
    this.#figures.set(budget, { ...figures, disruptionsAllowed });
    return { isAllowed: true, budget: keyOf(budget) };
  }

  /**
   * Notes where pods are now: those with a node are ready.
   * @param {Iterable<[key: string, state: 'Placed' | 'Pending' | 'Gone']>} states
   */
  update(states) {
    /** @type {Set<string>} */
    const gone = new Set();
    for (const [key, state] of states) {
      if (state === 'Placed') this.#healthy.add(key);
      else this.#healthy.delete(key);
      if (state === 'Gone') gone.add(key);
    }
    if (gone.size === 0) return;
    for (const [budget, members] of this.#members)
      this.#members.set(
        budget,
        members.filter((pod) => !gone.has(keyOf(pod))),
      );
  }

  /** @param {KubernetesObject} budget @returns {BudgetFigures} */
  #figuresOf(budget) {
    return /** @type {BudgetFigures} */ (this.#figures.get(budget));
  }
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
  for (const object of objects) {
    const { namespace } = object.metadata;
    const group = groups.get(namespace);
    if (group) group.push(object);
    else groups.set(namespace, [object]);
  }
  return groups;
}
