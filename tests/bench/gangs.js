/** The time in which pod groups are scheduled: many small gangs, or one large gang. */
import { createScheduler } from './decisions.js';
import { median, ratioOf, repeat } from './measure.js';
import { batchesOf, nodeOf, podOf } from './objects.js';
import { elapsedMs, startTime } from './stopwatch.js';

const GATES = { GenericWorkload: true, GangScheduling: true };
/** Cycles in a call; each takes a gang. */
const CYCLES = 64;

/**
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {{ nodes: number, pods: number, size: number, runs: number }} load `size`: of each gang
 */
export function measureGangs(engine, { nodes, pods, size, runs }) {
  const member = (/** @type {number} */ at) =>
    podOf(at, { schedulingGroup: { podGroupName: `gang-${Math.floor(at / size)}` } });
  const group = (/** @type {number} */ at) => ({
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { namespace: 'default', name: `gang-${at}`, uid: `group-${at}` },
    spec: { schedulingPolicy: { gang: { minCount: size } } },
  });
  const batches = [
    ...batchesOf(nodes, nodeOf),
    ...batchesOf(pods / size, group),
    ...batchesOf(pods, member),
  ];
  const { calibration, results } = repeat(runs, () => {
    const scheduler = createScheduler(engine, 'all', GATES);
    try {
      for (const batch of batches) scheduler.applyBytes(batch, 0);
      // The pods that wait for their gangs are gated before.
      scheduler.run(0, 0);
      const start = startTime();
      const turns = Array.from({ length: Math.ceil(pods / size / CYCLES) }, () =>
        scheduler.runBytes(0, CYCLES),
      );
      const ms = elapsedMs(start);
      const text = turns.map((bytes) => Buffer.from(bytes).toString('latin1')).join('');
      const bound = text.match(/"kind":"BindingResult"/g)?.length ?? 0;
      if (bound !== pods) throw new Error(`${bound} of ${pods} pods`);
      return ms;
    } finally {
      scheduler.dispose();
    }
  });
  const ms = median(results);
  const perSecond = (pods * 1000) / ms;
  return {
    ms,
    perSecond,
    ratio: ratioOf(perSecond, calibration),
    calibrationMs: calibration * 1000,
  };
}
