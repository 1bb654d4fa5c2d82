/**
 * Cost per hour: among the nodes that fit, the cheapest wins; a pod may set a maximum. A node has
 * its cost in the annotation `example.com/cost-per-hour`.
 */
import { fileURLToPath } from 'node:url';
import { createScheduler, unresolvable } from 'stowage';

const COST = 'example.com/cost-per-hour';
const MOST = 'example.com/max-cost-per-hour';

/** @param {any} object @param {string} name */
function amount({ metadata }, name) {
  const value = Number(metadata.annotations?.[name] ?? NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** @type {import('stowage').Plugin} */
export const costPerHour = {
  name: 'CostPerHour',
  filter(state, pod, { node }) {
    const cost = amount(node, COST);
    const most = amount(pod, MOST);
    if (most === undefined || (cost !== undefined && cost <= most)) return undefined;
    return unresolvable('node(s) cost more per hour than the pod allows');
  },
  // In hundredths of a cent: scores are integers. A node without a price counts as free.
  score: (state, pod, { node }) => Math.round((amount(node, COST) ?? 0) * 10_000),
  normalizeScore(state, pod, scores) {
    const costs = scores.map(({ score }) => score);
    const [least, most] = [Math.min(...costs), Math.max(...costs)];
    for (const entry of scores) {
      entry.score =
        most === least ? 100 : Math.round((100 * (most - entry.score)) / (most - least));
    }
  },
};

export const configuration = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'CostPerHour', weight: 5 }] } } }],
};

/** @param {string} name @param {string} cpu @param {string} cost */
const node = (name, cpu, cost) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, annotations: { [COST]: cost } },
  status: { allocatable: { cpu, memory: '16Gi', pods: '110' } },
});

/** @param {string} name @param {string} cpu @param {string} [most] */
const pod = (name, cpu, most) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations: { ...(most && { [MOST]: most }) } },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }] },
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const scheduler = await createScheduler({ configuration, plugins: [costPerHour] });
  scheduler.apply([
    node('spot', '2', '0.05'),
    node('small', '4', '0.20'),
    node('big', '16', '0.90'),
  ]);
  scheduler.apply([pod('web', '2'), pod('api', '2'), pod('db', '8'), pod('thrifty', '8', '0.50')]);
  for (const decision of await scheduler.schedule()) {
    console.log(`${decision.pod}  ${decision.node ?? decision.message}`);
  }
  scheduler.dispose();
}
