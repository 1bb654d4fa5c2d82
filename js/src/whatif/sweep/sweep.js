/** Which failures of nodes, zones and racks leave pods pending. */
import { pause } from '../../runtimes/pause.js';
import { documentOf } from '../document.js';
import { SweepTasks } from './tasks.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Population } from '../population.js'
 * @import { FailureGroup, FailureSet } from './failures.js'
 * @import { FailureReport, SweepHead, SweepQuestion } from './tasks.js'
 */

/**
 * A part of the cluster whose failure leaves pods pending, alone or with another. `failures`: in
 * how many failures; `most`: the pods that wait after the worst of them; `total`: after all.
 * @typedef {{ part: string, failures: number, most: number, total: number }} WeakPart
 */

/**
 * @typedef {object} SweepFields
 * @property {FailureGroup[]} groups the failures that were tried
 * @property {number} tasks their number
 * @property {number} survived the number of failures after which no pod waits that had a node
 * @property {string} [byLabel]
 * @property {string} [selector]
 * @property {string} [namespace]
 * @property {WeakPart[]} weakest the weakest first
 * @property {FailureReport[]} failures those that leave pods pending, the worst first
 */

/** The number of failures after which other tasks of this thread run, if all are proven. */
const PAUSE = 256;

/** @typedef {ReturnType<typeof sweepOf>} Sweep */

/**
 * Lets parts of a cluster fail, one failure after another, and reports which pods stay pending:
 * those that were displaced and find no node, and those that are evicted for them. Pods that were
 * pending before do not count, neither do pods of other schedulers.
 * @param {Scheduler} scheduler with the simulated API; its pending pods should have been tried
 * @param {string | FailureSet[]} failures such as `nodes:1,zones:1,pairs`
 * @param {Omit<SweepQuestion, 'failures'> & { population?: Population, onlyInTree?: boolean,
 *   signal?: AbortSignal, progress?: (done: number, total: number) => void }} [options]
 *   `onlyInTree`: no plugin or extender of the host filters nodes, and PodTopologySpread has no
 *   default constraint that does; then it is proven for many failures, instead of tried, that no
 *   pod waits
 * @returns {Promise<Sweep>}
 * @throws {import('../../kubernetes/errors.js').InputError} if that cannot be asked of this cluster
 * @throws the signal's reason
 */
export async function sweep(scheduler, failures, options = {}) {
  const { population, onlyInTree, signal, progress, ...question } = options;
  const tasks = new SweepTasks(scheduler, { ...question, failures }, { population, onlyInTree });
  try {
    /** @type {FailureReport[]} */
    const reports = [];
    for (let index = 0; index < tasks.length; index++) {
      signal?.throwIfAborted();
      progress?.(index, tasks.length);
      if (index % PAUSE === 0) await pause();
      const report = await tasks.run(index, { signal });
      if (report) reports.push(report);
    }
    progress?.(tasks.length, tasks.length);
    return sweepOf(tasks.head, reports);
  } finally {
    tasks.dispose();
  }
}

/**
 * Returns the answer of a whole sweep.
 * @param {SweepHead} head
 * @param {FailureReport[]} reports of all failures that leave pods pending
 */
export function sweepOf({ kubernetesVersion, groups, tasks, ...question }, reports) {
  const failures = [...reports].sort((a, b) => b.waiting - a.waiting || a.task - b.task);
  /** @type {SweepFields} */
  const fields = {
    groups,
    tasks,
    survived: tasks - failures.length,
    ...question,
    weakest: weakestOf(failures),
    failures,
  };
  return documentOf('Sweep', { kubernetesVersion }, fields);
}

/**
 * @param {FailureReport[]} failures the worst first
 * @returns {WeakPart[]}
 */
function weakestOf(failures) {
  /** @type {Map<string, WeakPart>} */
  const parts = new Map();
  for (const { parts: names, waiting } of failures) {
    for (const part of names) {
      const known = parts.get(part) ?? { part, failures: 0, most: 0, total: 0 };
      known.failures += 1;
      known.most = Math.max(known.most, waiting);
      known.total += waiting;
      parts.set(part, known);
    }
  }
  return [...parts.values()].sort((a, b) => b.total - a.total || b.most - a.most);
}
