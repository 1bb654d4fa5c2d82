/** Records of an engine that agrees with a recording, for tests of the comparator. */

/**
 * The record of an engine that agrees with a recorded attempt, in another order where that is free.
 * @param {any} expect
 */
export function recordOf(expect) {
  const { startTime, deletedPods, terminatingPods, after, ...fields } = expect;
  const visit = [...(expect.feasible ?? []).keys()].reverse();
  const column = (/** @type {number[] | undefined} */ of) => of && visit.map((at) => of[at]);
  const columns = (/** @type {Record<string, number[]> | undefined} */ of) =>
    of && Object.fromEntries(Object.entries(of).map(([name, scores]) => [name, column(scores)]));
  return {
    message: '',
    unschedulablePlugins: [],
    pendingPlugins: [],
    ...fields,
    node: expect.node ?? null,
    feasible: column(expect.feasible),
    total: column(expect.total),
    scores: columns(expect.scores),
    rawScores: columns(expect.rawScores),
    filter: expect.filter && [...expect.filter].reverse(),
    best: expect.best && [...expect.best].reverse(),
  };
}

/** @param {any} line  of a replay */
export function recordOfReplayLine(line) {
  const { node, feasible = 0, best, ties = 0, message = '' } = line;
  const names = Array.from({ length: feasible }, (_, at) => `node-${at}`);
  const preemption = node === null ? { message: 'of the post-filter' } : undefined;
  return {
    node,
    feasible: names,
    evaluatedNodes: line.evaluated ?? 0,
    total: best === undefined ? undefined : names.map((_, at) => (at < ties ? best : best - 1)),
    best: names.slice(0, Math.max(ties, 1)),
    message: preemption ? `${message} ${preemption.message}` : message,
    preemption,
  };
}
