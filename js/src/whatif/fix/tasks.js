/** Finds edits for many pods, each by itself, and one for all pods of a workload. */
import { keyOf } from '../../kubernetes/keys.js';
import { documentOf } from '../document.js';
import { fix } from '../fix.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Fix, FixOptions, Offer } from '../fix.js'
 * @import { Change, TemplateOwner } from './edit.js'
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
    const answer = await fix(this.#scheduler, pods[0], options);
    const offers = answer.offers.map((offer) => ({ ...offer, changes: changesFor(pods, offer) }));
    return { task, pods, fix: { ...answer, offers } };
  }
}

/**
 * Returns the changes of an offer for all pods of a group: where a change of the template leaves
 * the first one as it is, so that it must be deleted, the others must be as well.
 * @param {string[]} pods
 * @param {Offer} offer for the first one
 * @returns {Change[]}
 */
function changesFor([first, ...others], { changes }) {
  return changes.flatMap((change) => {
    if (change.action !== 'delete' || keyOf({ metadata: change.target }) !== first) return [change];
    const names = others.map((pod) => pod.slice(pod.indexOf('/') + 1));
    return [change, ...names.map((name) => ({ ...change, target: { ...change.target, name } }))];
  });
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
