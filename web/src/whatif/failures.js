/** Failures, each tried by itself: what it would leave pending. */
import { pause } from '../../../js/src/index.js';
import { inFuture } from '../../../js/src/whatif.js';

/** @import { Base } from './present.js' */

/** Nodes that are lost together. `name`: the node, or the zone. */
/** @typedef {{ name: string, nodes: string[] }} Failure */

/**
 * The pods that a failure would leave pending, by priority, from high to low; at most `MOST_PODS`
 * are named.
 * @typedef {{ name: string, pending: number, priorities: [number, number][], pods: { pod: string,
 *   message: string }[] }} Finding
 */

/** Findings are reported, and other questions answered, at least this often: milliseconds. */
const REPORT_MS = 50;

const MOST_PODS = 20;

/**
 * @param {Base} base
 * @param {readonly Failure[]} failures
 * @param {{ onFound: (found: Finding[]) => unknown, signal: AbortSignal }} options
 */
export async function sweep(base, failures, { onFound, signal }) {
  /** @type {Finding[]} */
  let found = [];
  let reported = performance.now();
  for (const failure of failures) {
    found.push(await findingOf(base, failure, signal));
    if (performance.now() - reported < REPORT_MS) continue;
    onFound(found);
    found = [];
    await pause();
    signal.throwIfAborted();
    reported = performance.now();
  }
  onFound(found);
}

/**
 * @param {Base} base
 * @param {Failure} failure
 * @param {AbortSignal} signal
 * @returns {Promise<Finding>}
 */
function findingOf({ scheduler, population }, { name, nodes }, signal) {
  return inFuture(scheduler, population, async (future) => {
    future.removeNodes(nodes);
    if (future.moving.size > 0) await future.settle({ signal });
    const touched = new Set(future.moving);
    for (const { pod } of future.decisions) touched.add(pod);
    const pods = [...touched].flatMap((pod) => {
      const known = population.pod(pod);
      if (!known?.spec.nodeName) return [];
      const { state, message } = future.fateOf(pod);
      return state === 'Pending' ? [{ pod, message, priority: known.spec.priority ?? 0 }] : [];
    });
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const { priority } of pods) counts.set(priority, (counts.get(priority) ?? 0) + 1);
    const priorities = [...counts].sort(([a], [b]) => b - a);
    const named = pods.slice(0, MOST_PODS).map(({ pod, message }) => ({ pod, message }));
    return { name, pending: pods.length, priorities, pods: named };
  });
}
