import { printable } from '../../engine/printable.js';
import { InputError } from '../../kubernetes/errors.js';
import { publishedFor, staticPodsOn } from '../../whatif/model_nodes.js';
import { plan as planNodes } from '../../whatif/plan.js';
import { applyCluster } from '../cluster/batches.js';
import { sayLeftAside } from '../cluster/left_aside.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { readSources } from '../input/inputs.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { poolIn } from '../input/pool_files.js';
import { BadInputError, EXIT } from '../terminal/problems.js';
import {
  createScheduler,
  readConfiguration,
  readManifests,
  schedulerOptionsOf,
} from '../simulation/simulation.js';
import { counted, formatTable, painter, Progress } from '../terminal/terminal.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Plan } from '../../whatif/plan.js'
 * @import { Pool } from '../../whatif/plan/pools.js'
 * @import { Host } from '../host.js'
 * @import { PlanOptions, PoolFlag } from './arguments.js'
 */

/**
 * `stowage plan`: reports how many nodes to buy.
 * @param {PlanOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function plan(options, host) {
  const progress = new Progress(host.stderr, options);
  try {
    const configuration = await readConfiguration(options, host);
    const cluster = await readManifests(options, { host, progress });
    const inFiles = await filePools(options, host);
    const engine = await host.loadEngine();
    const schedulerOptions = schedulerOptionsOf(cluster, configuration, options);
    const kept = { ...schedulerOptions, keepObjects: true };
    const scheduler = createScheduler(engine, kept, configuration);
    try {
      applyCluster(scheduler, cluster, (done, total) => progress.update('reading', done, total));
      const pools = options.pools.map((flag) => inFiles.get(flag) ?? poolLike(scheduler, flag));
      const answer = await planNodes(scheduler, [], pools, {
        maxNodes: options.maxNodes,
        maxTrials: options.maxTrials,
        createScheduler: () => createScheduler(engine, schedulerOptions, configuration),
        progress: (trials) => progress.update('trying mixes', trials, options.maxTrials),
      });
      progress.clear();
      host.stdout.write(formatAnswer(answer, options, host));
      const { schedulerNames } = configuration;
      const missing = missingIn(cluster, { schedulerNames });
      const isGood = answer.found && answer.impossible.length === 0 && cluster.refused.length === 0;
      return printMissing(missing, options, host) ?? (isGood ? EXIT.yes : EXIT.no);
    } catch (error) {
      if (error instanceof InputError && error.field?.startsWith('pools['))
        throw new BadInputError([`--pool: ${error.message}`]);
      throw error;
    } finally {
      scheduler.dispose();
    }
  } finally {
    progress.clear();
  }
}

/**
 * Reads the pools that are files.
 * @param {PlanOptions} options
 * @param {Host} host
 * @returns {Promise<Map<PoolFlag, Pool>>}
 * @throws {BadInputError}
 */
async function filePools(options, host) {
  const { pools, skipInvalid, recursive } = options;
  /** @type {Map<PoolFlag, Pool>} */
  const found = new Map();
  for (const flag of pools) {
    if (!('file' in flag)) continue;
    const sources = await readSources([flag.file], { skipInvalid, recursive }, host);
    const { leftAside, ...pool } = await poolIn(flag.file, sources, host);
    sayLeftAside(leftAside, options, host);
    found.set(flag, { ...pool, price: flag.price });
  }
  return found;
}

/**
 * @param {Scheduler} scheduler
 * @param {PoolFlag} flag
 * @returns {Pool}
 * @throws {BadInputError}
 */
function poolLike(scheduler, flag) {
  const name = 'like' in flag ? flag.like : '';
  const node = scheduler.get('Node', name);
  if (!node) throw new BadInputError([`--pool: there is no node "${name}" in the cluster`]);
  const objects = [...publishedFor(scheduler, node), ...staticPodsOn(scheduler, name)];
  return { node, objects, price: flag.price };
}

/**
 * @param {Plan} answer
 * @param {PlanOptions} options
 * @param {Host} host
 */
function formatAnswer(answer, options, host) {
  if (options.output === 'json') return jsonText(answer);
  if (options.output === 'yaml') return yamlText(answer);
  const paint = painter(options.color, host);
  const { found, impossible, pending, pods } = answer;
  const isGood = found && impossible.length === 0;
  const first = `${paint(printable(sentenceOf(answer)), isGood ? 'green' : 'red')}\n`;
  if (options.quiet) return first;
  const rows = answer.pools.map(({ pool, price, nodes }) => {
    const placed = pods.filter((pod) => pod.pool === pool).length;
    const cost = moneyOf(price * nodes.length);
    return [pool, String(nodes.length), moneyOf(price), cost, String(placed)];
  });
  const lost = impossible.map(({ pod, message }) => [pod, message]);
  const late = pending.map(({ pod, message }) => [pod, message]);
  const sections = [
    formatTable([['IMPOSSIBLE', 'MESSAGE'], ...lost], options),
    `${first}${proofOf(answer)}\n`,
    formatTable([['POOL', 'NODES', 'PRICE', 'COST', 'PODS'], ...rows], options),
    formatTable([['WAITS', 'MESSAGE'], ...late], options),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

/** @param {Plan} answer */
function sentenceOf({ found, nodes, price, pools, pods, pending, impossible }) {
  const left = impossible.length > 0 ? `; no node takes ${counted(impossible.length, 'pod')}` : '';
  const waiting = counted(pending.length, 'pod');
  if (!found) return `no mix that was tried places all pods: ${waiting} would wait${left}`;
  if (nodes === 0)
    return `no new node is needed: ${counted(pods.length, 'pod')} would be placed${left}`;
  const parts = pools.filter((pool) => pool.nodes.length > 0);
  const mix = parts.map((pool) => `${pool.nodes.length} ${pool.pool}`).join(', ');
  return `${counted(nodes, 'new node')} for ${moneyOf(price)}: ${mix}${left}`;
}

/** @param {Plan} answer */
function proofOf({ found, optimal, minimal, replayed, lowerBound, trials }) {
  const bound = lowerBound === null ? 'no number of nodes is enough' : moneyOf(lowerBound);
  const tried = `${counted(trials, 'mix', 'mixes')} tried`;
  if (!found) return `lower bound: ${bound}; ${tried}`;
  const claims = [
    optimal ? 'no mix is cheaper' : 'a cheaper mix is possible',
    ...(minimal && !optimal ? ['with one node fewer pods wait'] : []),
    tried,
    ...(replayed ? ['replayed from scratch'] : []),
  ];
  return `lower bound: ${bound}; ${claims.join('; ')}`;
}

/** @param {number} amount */
function moneyOf(amount) {
  return String(Math.round(amount * 10_000) / 10_000);
}
