/** The cost of a plugin in JavaScript: basic pods, all nodes scored, through the package's API. */
import { median, ratioOf, repeat } from './measure.js';
import { elapsedMs, startTime } from './stopwatch.js';
import { batchesOf, WORKLOADS } from './workloads.js';

/** @typedef {import('../../js/src/index.js').Engine} Engine */
/** @typedef {import('../../js/src/index.js').Plugin} Plugin */

const WARM_UP_CYCLES = 64;
const ZONE = 'topology.kubernetes.io/zone';

/** @type {Record<string, Plugin | null>} */
export const PLUGINS = {
  none: null,
  'trivial-filter': { name: 'Bench', filter: () => undefined },
  'trivial-filter-chunk': {
    name: 'Bench',
    filterChunk: (state, pod, nodes) => nodes.map(() => null),
  },
  'label-filter': {
    name: 'Bench',
    filter: (state, pod, { node }) =>
      node.metadata.labels?.[ZONE] === 'nowhere'
        ? { code: 'Unschedulable', reasons: ['no'] }
        : null,
  },
  'trivial-score': { name: 'Bench', score: () => 50 },
};

/**
 * @param {Engine} engine
 * @param {{ plugin: Plugin | null, nodes: number, cycles: number, runs: number }} load
 */
export function measurePlugin(engine, { plugin, nodes, cycles, runs }) {
  const { node, pod } = WORKLOADS.basic('');
  const batches = [...batchesOf(nodes, node), ...batchesOf(WARM_UP_CYCLES + cycles, pod)];
  const enabled = plugin ? [{ name: plugin.name }] : [];
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    percentageOfNodesToScore: 100,
    profiles: [{ plugins: { multiPoint: { enabled } } }],
  };
  const { calibration, results } = repeat(runs, () => {
    const scheduler = engine.createScheduler({ configuration, plugins: plugin ? [plugin] : [] });
    try {
      for (const batch of batches) scheduler.apply(batch, { format: 'lines' });
      scheduler.run({ maxCycles: WARM_UP_CYCLES });
      const start = startTime();
      const { records } = scheduler.run({ maxCycles: cycles });
      const seconds = elapsedMs(start) / 1000;
      const decisions = /** @type {import('../../js/src/index.js').Decision[]} */ (
        records.filter(({ kind }) => kind === 'Decision')
      );
      if (decisions.some(({ result }) => result !== 'scheduled')) throw new Error('not scheduled');
      return decisions.length / seconds;
    } finally {
      scheduler.dispose();
    }
  });
  const perSecond = median(results);
  return {
    perSecond,
    ratio: ratioOf(perSecond, calibration),
    usPerDecision: 1e6 / perSecond,
    calibrationMs: calibration * 1000,
  };
}
