/** The scheduler's queues, shortened for the page. */

/**
 * @import { Inspection, QueuedPod } from '../../../js/src/index.js'
 * @import { QueueMoveCause, TimelineRow } from './timeline.js'
 */

/**
 * A pod in the active queue.
 * @typedef {{ pod: string, lastMove?: QueueMoveCause }} ActivePod
 */

/**
 * In the order in which pods leave: the next one first. `gated` are those of the unschedulable pods
 * that a PreEnqueue plugin rejects.
 * @typedef {{ active: ActivePod[], backoff: QueuedPod[], unschedulable: QueuedPod[], gated:
 *   QueuedPod[] }} Queues
 */

/**
 * An Inspection with shortened queues; `counts` has their full lengths.
 * @typedef {Omit<Inspection, 'queues'> & { queues: Queues, counts: Record<keyof Queues, number> }}
 *   QueueSummary
 */

/**
 * @param {Inspection} inspection
 * @param {TimelineRow[]} rows all rows of the timeline
 * @param {number} most the most pods of each queue
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
 * The scheduler reports why a pod waits in the other queues. For the active queue the timeline has
 * the event that moved the pod.
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
