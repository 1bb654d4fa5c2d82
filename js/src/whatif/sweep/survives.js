/** Asserts in a test that a cluster survives failures: for node:test, vitest and jest. */
import { loadEngine } from '../../engine/engine.js';
import { Scheduler } from '../../engine/scheduler.js';
import { parse } from '../../manifests/parse.js';
import { Future } from '../future.js';
import { Population } from '../population.js';
import { checkedSets } from './failures.js';
import { hasOnlyInTreeFilters } from './in_tree_filters.js';
import { sweep } from './sweep.js';

/**
 * @import { Engine } from '../../engine/engine.js'
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { SchedulerOptions } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Sweep } from './sweep.js'
 */

/**
 * The failures that a cluster must survive, and the pods that must have nodes afterwards. `nodes:
 * 1`: any node; `nodes: 2`: any two at once; `zones`, `racks`: likewise. At least one is required.
 * @typedef {object} Survival
 * @property {1 | 2} [nodes]
 * @property {1 | 2} [zones]
 * @property {1 | 2} [racks] with the label `topologyKey`
 * @property {string} [topologyKey]
 * @property {string} [selector] default: all pods
 * @property {string} [namespace] default: all namespaces
 * @property {AbortSignal} [signal]
 * @property {Engine} [engine] for a cluster that is no Scheduler; default: the shared one
 * @property {SchedulerOptions} [scheduler] the options of the scheduler of such a cluster
 */

/** What can be a cluster: a text is a snapshot, as JSON or YAML. */
/** @typedef {Scheduler | KubernetesObject | KubernetesObject[] | string} AskedCluster */

/** The numbers of failures and of pods in a message. */
const FAILURES_SHOWN = 10;
const PODS_SHOWN = 5;

/** The fields of Survival that are failures, in the order in which they are tried. */
const KINDS = /** @type {const} */ (['nodes', 'zones', 'racks']);

/** A cluster does not survive. Test runners show it like a failed assertion of their own. */
class SurvivalError extends Error {
  /** @override */
  name = 'AssertionError';
  code = 'ERR_ASSERTION';
  generatedMessage = false;
  operator = 'survives';
  expected = 'no pod waits';

  /** @param {Sweep} answer */
  constructor(answer) {
    super(messageOf(answer));
    /** The answer of `sweep`. */
    this.actual = answer;
  }
}

/**
 * Resolves if all pods that had nodes have nodes after each of the failures.
 * @param {AskedCluster} cluster
 * @param {Survival} survival
 * @returns {Promise<void>}
 * @throws {Error} an AssertionError with failures, pods and reasons; `actual` is the Sweep
 * @throws {InputError} if that cannot be asked of this cluster
 */
export async function survives(cluster, survival) {
  const answer = await answerOf(cluster, survival);
  if (answer.failures.length > 0) throw new SurvivalError(answer);
}

/**
 * A matcher for `expect.extend({ toSurvive })`: `await expect(cluster).toSurvive({ zones: 1 })`.
 * @param {AskedCluster} cluster
 * @param {Survival} survival
 * @returns {Promise<{ pass: boolean, message: () => string }>}
 * @throws {InputError} if that cannot be asked of this cluster
 */
export async function toSurvive(cluster, survival) {
  const answer = await answerOf(cluster, survival);
  const pass = answer.failures.length === 0;
  const message = () =>
    pass
      ? `expected a failure to leave pods pending, but all ${answer.tasks} leave none`
      : messageOf(answer);
  return { pass, message };
}

/**
 * @param {AskedCluster} cluster
 * @param {Survival} survival
 * @returns {Promise<Sweep>}
 */
async function answerOf(cluster, survival) {
  const { signal, engine, scheduler: options, nodes, zones, racks, ...question } = survival;
  const counts = { nodes, zones, racks };
  const sets = KINDS.flatMap((of) => {
    const count = counts[of];
    if (count === undefined) return [];
    const { topologyKey } = question;
    return [{ of, count, ...(of === 'racks' && { topologyKey }) }];
  });
  const failures = checkedSets(sets);
  if (cluster instanceof Scheduler) return sweep(cluster, failures, { ...question, signal });
  const objects = objectsOf(cluster);
  const used = engine ?? (await loadEngine());
  const scheduler = used.createScheduler(options);
  try {
    scheduler.apply(objects);
    const present = new Future(scheduler, new Population(scheduler));
    await present.settle({ signal });
    const onlyInTree = hasOnlyInTreeFilters(options ?? {});
    return await sweep(scheduler, failures, { ...question, signal, onlyInTree });
  } finally {
    scheduler.dispose();
  }
}

/**
 * @param {Exclude<AskedCluster, Scheduler>} cluster
 * @returns {KubernetesObject[]}
 * @throws {InputError} with the first fault of a text
 */
function objectsOf(cluster) {
  if (typeof cluster !== 'string') return [cluster].flat();
  return parse(cluster, {
    onError: (error) => {
      throw error;
    },
  });
}

/** @param {Sweep} answer */
function messageOf({ tasks, failures }) {
  const count = failures.length === 1 ? '1 failure leaves' : `${failures.length} failures leave`;
  const lines = failures.slice(0, FAILURES_SHOWN).flatMap(({ failure, waiting, pods }) => [
    `  ${failure}: ${waiting} ${waiting === 1 ? 'pod waits' : 'pods wait'}`,
    ...pods.slice(0, PODS_SHOWN).map(({ pod, message, preemptedBy }) => {
      const evicted = preemptedBy === undefined ? '' : ` (evicted for ${preemptedBy})`;
      return `    ${pod}${evicted}: ${message}`;
    }),
    ...moreOf(waiting - PODS_SHOWN, 'pods', '    '),
  ]);
  const more = moreOf(failures.length - FAILURES_SHOWN, 'failures', '  ');
  return [`${count} pods pending, of ${tasks} tried:`, ...lines, ...more].join('\n');
}

/** @param {number} count @param {string} what @param {string} indent */
function moreOf(count, what, indent) {
  return count > 0 ? [`${indent}and ${count} more ${what}`] : [];
}
