/** The waiting pods of `stowage fix --all`, for this thread and for others. */
import { FixTasks } from '../../whatif/fix/tasks.js';
import { outcomeOf } from '../outcome/outcome.js';
import { inPresent } from '../simulation/present.js';
import { workloadsOf } from '../cluster/workload.js';

/**
 * @import { GrowingPool } from '../../whatif/fix/pools.js'
 * @import { WaitingGroup } from '../../whatif/fix/tasks.js'
 * @import { FixArguments } from './arguments.js'
 * @import { Host } from '../host.js'
 * @import { Present } from '../simulation/present.js'
 * @import { TaskInput } from '../shards/run.js'
 * @import { Progress } from '../terminal/terminal.js'
 */

/** @typedef {{ pools: GrowingPool[], limit: number, namespace?: string }} FixQuestion */

/** The outcomes of pods that found no node. */
const WAITING = ['Unschedulable', 'SchedulerError'];

/**
 * Opens the list of the pods that wait.
 * @param {TaskInput<FixQuestion, FixArguments>} data
 * @param {Host} host
 * @param {(list: FixTasks, context: { progress: Progress }) => Promise<number>} use returns the
 *   exit code
 * @returns {Promise<number>}
 */
export async function withTasks({ input, options, question }, host, use) {
  return inPresent(input, { options, host }, (present) => {
    const { scheduler, cluster, progress } = present;
    const { pools, limit, namespace } = question;
    const list = new FixTasks(scheduler, waitingGroups(present, namespace), {
      pools,
      priorityClasses: [...(cluster.context.priorityClasses ?? [])],
      atMost: limit,
    });
    return use(list, { progress });
  });
}

/**
 * Returns the pods that found no node, in the order of their decisions, by workload.
 * @param {Present} present
 * @param {string} [namespace] the only one, if given
 * @returns {WaitingGroup[]}
 */
function waitingGroups({ cluster, decisions, schedulerNames }, namespace) {
  const { pods } = outcomeOf(cluster, decisions, { schedulerNames, namespace });
  const workloadOf = workloadsOf(cluster);
  /** @type {Map<string, WaitingGroup>} */
  const groups = new Map();
  for (const { pod, result } of pods) {
    if (!WAITING.includes(result)) continue;
    const workload = workloadOf(pod);
    const key = workload ? JSON.stringify(workload) : pod;
    const known = groups.get(key);
    if (known) known.pods.push(pod);
    else groups.set(key, { pods: [pod], workload });
  }
  return [...groups.values()];
}
