/** Explains one pod's placement. */
import { virtualClock } from '../../io/clock.js';
import { unservedRequests } from '../../engine/device_culprits.js';
import { printable } from '../../engine/printable.js';
import { attemptsIn } from '../../engine/turn.js';
import { applyCluster } from '../cluster/batches.js';
import { formatCulprits } from './culprit_table.js';
import { formatMatrix } from './matrix.js';
import { nodesOf } from '../cluster/nodes.js';
import { SETTLING } from '../../whatif/future.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Evaluation } from '../../engine/types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { PodOutcome } from '../outcome/outcome.js'
 * @import { Simulation } from '../simulation/simulation.js'
 * @import { Color } from '../terminal/terminal.js'
 */

/**
 * Evaluates a pod in the cluster as of its last decision: a second scheduler repeats the simulation
 * up to there. A pod that was evicted without a decision is evaluated before its eviction, other
 * pods without a decision at the end.
 * @param {string} pod
 * @param {Simulation} simulation
 * @param {{ allPlugins: boolean }} options
 * @returns {Promise<Evaluation>}
 */
export function explainPod(pod, simulation, { allPlugins }) {
  const question = /** @type {const} */ ({
    detail: 'table',
    everyNode: true,
    culprits: true,
    allPlugins,
  });
  return atTurnOf(pod, simulation, (scheduler) => scheduler.evaluateAsync(pod, question));
}

/**
 * Calls `use` with a scheduler in the state at the pod's turn.
 * @template T
 * @param {string} pod `namespace/name`
 * @param {Simulation} simulation
 * @param {(scheduler: Scheduler) => Promise<T>} use
 * @returns {Promise<T>}
 */
export function atTurnOf(pod, simulation, use) {
  const { decisions } = simulation;
  const decided = decisions.findLastIndex((decision) => decision.pod === pod);
  const evicted = decisions.findIndex(({ preemption }) => preemption?.victims?.includes(pod));
  return atDecision(decided < 0 ? evicted : decided, simulation, use);
}

/**
 * Calls `use` with a scheduler in the state before the cycle of a decision.
 * @template T
 * @param {number} before the index of the decision; -1 for the state at the end
 * @param {Simulation} simulation
 * @param {(scheduler: Scheduler) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function atDecision(before, simulation, use) {
  const { scheduler, decisions, cluster, engine, schedulerOptions } = simulation;
  if (before < 0) return use(scheduler);
  const clock = virtualClock(cluster.startTime);
  const second = engine.createScheduler({ ...schedulerOptions, clock });
  try {
    applyCluster(second, { ...cluster, ignoredKinds: new Map() });
    await repeat(second, attemptsIn(decisions.slice(0, before)), cluster);
    passTime(second, clock, Date.parse(decisions[before].at));
    return await use(second);
  } finally {
    second.dispose();
  }
}

/**
 * Makes the first decisions of a simulation again. The cycle of a pod group makes several at once,
 * so in a cluster with groups each cycle has a turn of its own.
 * @param {Scheduler} scheduler
 * @param {number} attempts
 * @param {Cluster} cluster
 */
async function repeat(scheduler, attempts, { pods, startTime }) {
  const hasGroups = [...pods.values()].some(({ spec }) => spec?.schedulingGroup);
  for (let left = attempts; left > 0;) {
    const maxAttempts = hasGroups ? 1 : left;
    const made = await scheduler.schedule({ maxAttempts, until: startTime + SETTLING });
    if (made.length === 0) return;
    left -= attemptsIn(made);
  }
}

/**
 * Binds volumes and fires timers without making a decision.
 * @param {Scheduler} scheduler
 * @param {ReturnType<typeof virtualClock>} clock
 * @param {number} until
 */
function passTime(scheduler, clock, until) {
  for (;;) {
    const { nextDeadline } = scheduler.run({ maxCycles: 0 });
    if (nextDeadline === null || !(nextDeadline <= until)) return;
    clock.advanceTo(nextDeadline);
  }
}

/**
 * Formats the explanation: the pod's outcome, the matrix of nodes and plugins, and the culprits.
 * @param {Evaluation} evaluation
 * @param {{ cluster: Cluster, fate?: PodOutcome }} simulation
 * @param {{ headers: boolean, limit: number, paint: (text: string, color: Color) => string }}
 *   options
 * @returns {{ text: string, omitted: number }} the text, and the number of nodes that the limit
 *   left out
 */
export function formatExplanation(evaluation, { cluster, fate }, options) {
  const { text, omitted } = formatMatrix(evaluation, nodesOf(cluster), options);
  const node = fate?.node ?? evaluation.node;
  const where = fate?.result === 'Evicted' ? 'from' : 'on';
  const title = fate
    ? `${fate.result}${node ? ` ${where} ${node}` : ''}`
    : `would be on ${node ?? 'no node'}`;
  const lines = [fate?.message, unscored(evaluation), ...unservedRequests(evaluation)].filter(
    Boolean,
  );
  const pod = options.paint(printable(evaluation.pod), 'bold');
  const said = lines.map((line) => `${printable(line ?? '')}\n`).join('');
  const culprits = formatCulprits(evaluation, options);
  return {
    text: [`${pod}: ${printable(title)}\n${said}`, text, culprits].filter(Boolean).join('\n'),
    omitted,
  };
}

/**
 * Explains the absence of scores if only one node is left.
 * @param {Evaluation} evaluation
 */
function unscored({ feasible = [], total }) {
  return feasible.length === 1 && !total
    ? `only ${feasible[0]} fits: kube-scheduler scores nothing then`
    : '';
}

/** @param {number} omitted */
export function omittedLine(omitted) {
  return `${omitted} more nodes; --limit 0 shows all`;
}
