/** Finds edits for many pods, each by itself, and one for all pods of a workload. */
import { documentOf } from '../document.js';
import { fix } from '../fix.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Fix, FixOptions } from '../fix.js'
 * @import { TemplateOwner } from './edit.js'
 */

/**
 * Pods of one workload, `namespace/name`: the first one is fixed.
 * @typedef {{ pods: string[], workload?: TemplateOwner }} WaitingGroup
 */

/** @typedef {{ task: number, pods: string[], fix: Fix }} FixReport */

/** What all tasks have in common. @typedef {{ kubernetesVersion: string }} FixHead */

/** The groups as tasks, which depend on nothing but the cluster and their index. */
export class FixTasks {
  #scheduler;
  #groups;
  #options;

  /**
   * @param {Scheduler} scheduler with the simulated API, that keeps objects
   * @param {WaitingGroup[]} groups
   * @param {Omit<FixOptions, 'workload' | 'signal' | 'progress'>} options
   */
  constructor(scheduler, groups, options) {
    this.#scheduler = scheduler;
    this.#groups = groups;
    this.#options = options;
  }

  /** @returns {FixHead} */
  get head() {
    return { kubernetesVersion: this.#scheduler.kubernetesVersion };
  }

  get length() {
    return this.#groups.length;
  }

  /**
   * @param {number} task
   * @param {{ signal?: AbortSignal }} options
   * @returns {Promise<FixReport>}
   */
  async run(task, { signal }) {
    const { pods, workload } = this.#groups[task];
    const options = { ...this.#options, workload, signal };
    return { task, pods, fix: await fix(this.#scheduler, pods[0], options) };
  }
}

/**
 * Returns the answer of all groups. `fixable` counts the pods with an offer.
 * @param {FixHead} head
 * @param {FixReport[]} reports
 */
export function fixesOf(head, reports) {
  const count = (/** @type {FixReport[]} */ some) => some.flatMap(({ pods }) => pods).length;
  return documentOf('Fixes', head, {
    waiting: count(reports),
    fixable: count(reports.filter((report) => isFixed(report.fix))),
    fixes: reports.map(({ pods, fix: answer }) => ({ pods, fix: answer })),
  });
}

/** Whether there is a way. @param {Fix} fix */
export function isFixed({ node, offers }) {
  return Boolean(node) || offers.length > 0;
}

/** @typedef {ReturnType<typeof fixesOf>} Fixes */
