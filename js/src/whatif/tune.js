/** Tunes a configuration: weights and strategies against a recorded trace, with hold-out. */
import { documentOf } from './document.js';
import { byScore } from './tune/score.js';
import { TuneTasks } from './tune/tasks.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { TrialReport, TuneHead, TuneQuestion, TuneTasksOptions } from './tune/tasks.js'
 */

/**
 * @typedef {TuneTasksOptions & { progress?: (done: number, total: number) => void }} TuneOptions
 *   `progress`: in configurations
 */

/**
 * Tries configurations on the first part of a trace, and the best one and the first one also on the
 * rest. Both parts begin with the cluster as it is. The pods are scheduled one by one in their
 * order, each once, and none is evicted. A configuration is better that places more pods, then the
 * one with less fragmentation, then the earlier one.
 * @param {Scheduler} scheduler with the cluster
 * @param {TuneQuestion} question
 * @param {TuneOptions} options
 * @returns {Promise<Tune>}
 * @throws {import('../kubernetes/errors.js').InputError} if the trace or an option is invalid
 * @throws {import('../kubernetes/errors.js').ConfigurationError} if a configuration is
 * @throws the signal's reason
 */
export async function tune(scheduler, question, options) {
  const { progress, signal } = options;
  const tasks = await TuneTasks.open(scheduler, question, options);
  try {
    /** @type {TrialReport[]} */
    const reports = [];
    for (let index = 0; index < tasks.length; index++) {
      reports.push(await tasks.run(index, { signal }));
      progress?.(index + 1, tasks.length);
    }
    return tuneOf(tasks.head, reports);
  } finally {
    tasks.dispose();
  }
}

/**
 * Returns the answer of all trials.
 * @param {TuneHead} head
 * @param {TrialReport[]} reports
 */
export function tuneOf({ kubernetesVersion, baseline }, reports) {
  const sorted = [...reports].sort((a, b) => byScore(a.train, b.train) || a.task - b.task);
  const { configuration, ...first } = baseline;
  const [{ task, ...winner }] = sorted;
  const best = { ...baseline, ...winner };
  return documentOf(
    'Tune',
    { kubernetesVersion },
    {
      isBetter: byScore(best.holdOut, baseline.holdOut) < 0,
      baseline: first,
      best,
      trials: sorted.map(({ name, train }) => ({ name, train })),
    },
  );
}

/** @typedef {ReturnType<typeof tuneOf>} Tune */
