/** How much is measured: in a whole run, and in a quick one. */

/**
 * @typedef {object} Plan
 * @property {number[]} nodes
 * @property {number} runs the figure is the median of this many
 * @property {number} cycles         decisions per run, at most
 * @property {number} budgetSeconds  per run
 * @property {number} decodePods
 * @property {{nodes: number, beats: number}} heartbeats  of each node
 * @property {{nodes: number, pods: number}} memory
 * @property {{nodes: number, pods: number, cycles: number, failures: number}} large
 * @property {{nodes: number, pods: number, soakPods: number}} pipeline
 * @property {number} watchEvents
 * @property {{nodes: number[], pods: number, runs: number}} live
 * @property {{nodes: number[], requests: number}} admission
 * @property {{nodes: number, summary: number, table: number}} evaluate  questions, by detail
 * @property {Record<'basic' | 'mixed' | 'threads' | 'allPairs', number>} sweep  failures
 * @property {{trials: number}} tune  configurations
 * @property {{nodes: number, pods: number}} fix
 * @property {{nodes: number, podsPerNode: number, transactions: number}} transactions
 * @property {{nodes: number, pods: number}} gangs
 */

/** @type {Plan} */
export const FULL = {
  nodes: [500, 5000, 50_000],
  runs: 5,
  cycles: 4000,
  budgetSeconds: 1,
  decodePods: 20_000,
  heartbeats: { nodes: 5000, beats: 4 },
  memory: { nodes: 5000, pods: 150_000 },
  large: { nodes: 100_000, pods: 1_000_000, cycles: 20_000, failures: 40 },
  pipeline: { nodes: 5000, pods: 30_000, soakPods: 1_000_000 },
  watchEvents: 100_000,
  live: { nodes: [1000, 5000], pods: 10_000, runs: 3 },
  admission: { nodes: [1000, 5000], requests: 2000 },
  evaluate: { nodes: 5000, summary: 400, table: 50 },
  sweep: { basic: 500_000, mixed: 500, threads: 10_000, allPairs: 500_000 },
  fix: { nodes: 5000, pods: 130 },
  tune: { trials: 100 },
  transactions: { nodes: 5000, podsPerNode: 30, transactions: 100 },
  gangs: { nodes: 5000, pods: 10_000 },
};

/** @type {Plan} */
export const QUICK = {
  nodes: [500, 5000],
  runs: 1,
  cycles: 1000,
  budgetSeconds: 0.3,
  decodePods: 4000,
  heartbeats: { nodes: 5000, beats: 1 },
  memory: { nodes: 5000, pods: 20_000 },
  large: { nodes: 10_000, pods: 100_000, cycles: 2000, failures: 10 },
  pipeline: { nodes: 5000, pods: 10_000, soakPods: 100_000 },
  watchEvents: 20_000,
  live: { nodes: [1000, 5000], pods: 2000, runs: 1 },
  admission: { nodes: [1000, 5000], requests: 500 },
  evaluate: { nodes: 5000, summary: 160, table: 20 },
  sweep: { basic: 2000, mixed: 100, threads: 400, allPairs: 400 },
  fix: { nodes: 5000, pods: 39 },
  tune: { trials: 10 },
  transactions: { nodes: 5000, podsPerNode: 30, transactions: 40 },
  gangs: { nodes: 5000, pods: 2000 },
};
