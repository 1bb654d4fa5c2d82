/** How the PodDisruptionBudgets of the pods to evict stand in the course of a drain. */
import {
  disruptionAllowed,
  expectationOf,
  figuresFor,
  isFreeOfCharge,
  isWithoutBudget,
  refusalOf,
  SEVERAL_BUDGETS,
} from '../../kubernetes/disruption.js';
import { keyOf } from '../../kubernetes/keys.js';
import { LayeredMap } from '../layered_map.js';
import { asReported } from './evictable_pods.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { BudgetFigures, Expectation } from '../../kubernetes/disruption.js'
 * @import { BudgetIndex } from './budget_index.js'
 */

/** A budget that refuses an eviction. @typedef {{ budget: string } & BudgetFigures} BudgetState */

/**
 * What a drain has changed of a budget: the number of healthy pods, and those that are gone.
 * `expectation` is absent until it is needed.
 * @typedef {{ healthy: number, gone: Set<string>, expectation?: Expectation }} BudgetChange
 */

/**
 * The answer to an eviction. `budget`: the one that is charged.
 * @typedef {{ isAllowed: true, budget: string | null }
 *   | { isAllowed: false, message: string, budgets: BudgetState[] }} EvictionAnswer
 */

/** @param {BudgetChange} change @returns {BudgetChange} */
const copyOf = (change) => ({ ...change, gone: new Set(change.gone) });

export class Budgets {
  #index;
  /** @type {LayeredMap<KubernetesObject, BudgetChange>} */
  #changes = new LayeredMap();
  /** Whether a pod is healthy, if that has changed. @type {LayeredMap<string, boolean>} */
  #health = new LayeredMap();
  /** The evictions that each budget has granted. @type {Map<KubernetesObject, number>} */
  #charged = new Map();

  /** @param {BudgetIndex} index of the cluster before the drain */
  constructor(index) {
    this.#index = index;
  }

  /** Returns a copy that goes on from here; these stay as they are while it is used. */
  layer() {
    const layer = new Budgets(this.#index);
    layer.#changes = this.#changes.layer();
    layer.#health = this.#health.layer();
    return layer;
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
    const budgets = this.#index.budgetsOf(keyOf(pod));
    if (budgets.length === 0 || isWithoutBudget(reported)) return { isAllowed: true, budget: null };
    const states = budgets.map((budget) => ({ budget: keyOf(budget), ...this.#figuresOf(budget) }));
    if (budgets.length > 1) return { isAllowed: false, message: SEVERAL_BUDGETS, budgets: states };
    const [budget] = budgets;
    const figures = this.#figuresOf(budget);
    if (isFreeOfCharge(budget, reported, figures)) return { isAllowed: true, budget: null };
    if (figures.disruptionsAllowed <= 0)
      return { isAllowed: false, message: this.#refusalOf(budget, figures), budgets: states };
    this.#charged.set(budget, (this.#charged.get(budget) ?? 0) + 1);
    return { isAllowed: true, budget: keyOf(budget) };
  }

  /**
   * Notes where pods are now: those with a node are ready.
   * @param {Iterable<[key: string, state: 'Placed' | 'Pending' | 'Gone']>} states
   */
  update(states) {
    for (const [key, state] of states) {
      const budgets = this.#index.budgetsOf(key);
      const isHealthy = state === 'Placed';
      const wasHealthy = this.#health.get(key) ?? this.#index.isHealthy(key);
      this.#health.set(key, isHealthy);
      for (const budget of budgets) {
        const change = this.#changeOf(budget);
        change.healthy += Number(isHealthy) - Number(wasHealthy);
        if (state !== 'Gone' || change.gone.has(key)) continue;
        change.gone.add(key);
        change.expectation = undefined;
      }
    }
  }

  /** @param {KubernetesObject} budget */
  #changeOf(budget) {
    let change = this.#changes.own(budget, copyOf);
    if (!change) this.#changes.set(budget, (change = { healthy: 0, gone: new Set() }));
    return change;
  }

  /** @param {KubernetesObject} budget @param {BudgetFigures} figures */
  #refusalOf(budget, figures) {
    const { fault } = this.#expectationOf(budget);
    const conditions = [disruptionAllowed(figures.disruptionsAllowed, fault)];
    return refusalOf(budget, { ...figures, conditions });
  }

  /** @param {KubernetesObject} budget @returns {BudgetFigures} */
  #figuresOf(budget) {
    const healthy = this.#index.membersOf(budget).healthy + this.#changeOf(budget).healthy;
    const figures = figuresFor(budget, this.#expectationOf(budget), healthy);
    const disruptionsAllowed = figures.disruptionsAllowed - (this.#charged.get(budget) ?? 0);
    return { ...figures, disruptionsAllowed };
  }

  /** @param {KubernetesObject} budget @returns {Expectation} */
  #expectationOf(budget) {
    const { pods } = this.#index.membersOf(budget);
    const change = this.#changeOf(budget);
    return (change.expectation ??= expectationOf(
      budget,
      [...pods].filter(([key]) => !change.gone.has(key)).map(([, pod]) => pod),
      (owner) => this.#index.workload(owner),
    ));
  }
}
