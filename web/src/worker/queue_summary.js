/** The scheduler's queues, as much of them as a page shows. */

/**
 * @import { Inspection, QueuedPod } from '../../../js/src/index.js'
 * @import { QueueMoveCause, TimelineRow } from './timeline.js'
 */

/**
 * A pod that is about to be tried.
 * @typedef {{ pod: string, lastMove?: QueueMoveCause }} ActivePod
 */

/**
 * As they come up: the next one first. `gated` are those of the unschedulable pods that a plugin
 * keeps from being tried.
 * @typedef {{ active: ActivePod[], backoff: QueuedPod[], unschedulable: QueuedPod[], gated:
 *   QueuedPod[] }} Queues
 */

/**
 * An Inspection in which the queues are cut off; `counts` has how many pods are in them.
 * @typedef {Omit<Inspection, 'queues'> & { queues: Queues, counts: Record<keyof Queues, number> }}
 *   QueueSummary
 */

/**
 * @param {Inspection} inspection
 * @param {TimelineRow[]} rows of all that happened
 * @param {number} most of each queue
 * @returns {QueueSummary}
 */
export function summaryOf({ queues, ...inspection }, rows, most) {
  const { active, backoff } = queues;
  const next = [...backoff].sort((a, b) => timeOf(a) - timeOf(b));
  const gated = queues.unschedulable.filter((pod) => pod.gated);
  const unschedulable = queues.unschedulable.filter((pod) => !pod.gated);
  return {
    ...inspection,
    queues: {
      active: withMoves(active.slice(0, most), rows),
      backoff: next.slice(0, most),
      unschedulable: unschedulable.slice(0, most),
      gated: gated.slice(0, most),
    },
    counts: {
      active: active.length,
      backoff: next.length,
      unschedulable: unschedulable.length,
      gated: gated.length,
    },
  };
}

/**
 * The scheduler tells of the others what moved them; of these it was told when it happened.
 * @param {string[]} pods
 * @param {TimelineRow[]} rows
 * @returns {ActivePod[]}
 */
function withMoves(pods, rows) {
  /** @type {Map<string, QueueMoveCause>} */
  const moves = new Map();
  const wanted = new Set(pods);
  for (let index = rows.length - 1; index >= 0 && wanted.size > 0; index -= 1) {
    const { kind, pod = '', cause } = rows[index];
    if (kind === 'QueueMove' && cause && wanted.delete(pod)) moves.set(pod, cause);
  }
  return pods.map((pod) => ({ pod, ...(moves.has(pod) && { lastMove: moves.get(pod) }) }));
}

/** @param {QueuedPod} pod */
function timeOf({ expiresAt }) {
  return expiresAt ? Date.parse(expiresAt) : 0;
}
