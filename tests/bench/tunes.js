/** Measures how many configurations can be tried on the openb trace. */
import { TuneTasks } from '../../js/src/whatif/tune/tasks.js';
import { tuningTrials } from '../../js/src/whatif/tune/trials.js';
import { loadOpenb } from '../support/openb.js';

/** @typedef {import('../../js/src/index.js').Engine} Engine */

const BASE = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };

const MS_PER_HOUR = 3_600_000;

/**
 * Tries `trials` configurations, each on the first 70 % of the trace, and on the rest as well if it
 * is better than the default. `cpuMs`: the processor's time of one, whatever else runs on the
 * machine.
 * @param {Engine} engine
 * @param {{ data: string, list: string, trials: number, pods?: number }} load `pods`: the first
 *   ones of the trace; default all
 */
export async function measureTune(engine, { data, list, trials, pods }) {
  const { nodes, events } = loadOpenb(data, list);
  const created = events.filter(({ type }) => type === 'create').map(({ pod }) => pod);
  const trace = created.slice(0, pods);
  const weights = { NodeResourcesFit: Array.from({ length: trials }, (_, at) => at + 1) };
  const options = { startTime: 0 };
  const scheduler = engine.createScheduler(options);
  try {
    scheduler.apply(nodes);
    const question = {
      trace,
      trials: tuningTrials(BASE, { weights, strategies: ['MostAllocated'] }),
    };
    // Opening the list tries the default, in which the code is compiled.
    const tasks = await TuneTasks.open(scheduler, question, { engine, schedulerOptions: options });
    const before = process.cpuUsage();
    const start = performance.now();
    let better = 0;
    for (let task = 1; task < tasks.length; task++)
      if ((await tasks.run(task, {})).holdOut) better += 1;
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1000 / trials;
    const meanMs = (performance.now() - start) / trials;
    const perCoreHour = MS_PER_HOUR / cpuMs;
    return { trials, better, pods: trace.length, meanMs, cpuMs, perCoreHour };
  } finally {
    scheduler.dispose();
  }
}
