import { printable } from '../../engine/printable.js';
import { fix as findFix } from '../../whatif/fix.js';
import { fixesOf, isFixed } from '../../whatif/fix/tasks.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { alikeFixes, commandsOf } from './grouped.js';
import { withTasks } from './tasks.js';
import { readSources } from '../input/inputs.js';
import { firstToExplain, podsToExplain } from '../outcome/named_pod.js';
import { outcomeOf } from '../outcome/outcome.js';
import { poolIn } from '../input/pool_files.js';
import { withPresent } from '../simulation/present.js';
import { BadInputError, EXIT } from '../terminal/problems.js';
import { counted, painter } from '../terminal/terminal.js';
import { sayLeftAside } from '../cluster/left_aside.js';
import { mergeTasks, runTasks } from '../shards/run.js';
import { workloadsOf } from '../cluster/workload.js';

/**
 * @import { Fix, Offer } from '../../whatif/fix.js'
 * @import { GrowingPool } from '../../whatif/fix/pools.js'
 * @import { FixHead, FixReport, Fixes } from '../../whatif/fix/tasks.js'
 * @import { FixArguments } from './arguments.js'
 * @import { AlikeFixes } from './grouped.js'
 * @import { Host } from '../host.js'
 * @import { Missing } from '../../check/types.js'
 * @import { Tasks } from '../shards/run.js'
 */

/**
 * `stowage fix`: reports the smallest changes with which a pod gets a node.
 * @param {FixArguments} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function fix(options, host) {
  return options.pod === undefined ? fixAll(options, host) : fixOne(options.pod, options, host);
}

/**
 * Reports them for all pods that find no node.
 * @param {FixArguments} options
 * @param {Host} host
 */
async function fixAll(options, host) {
  /** @type {Tasks<FixReport, FixHead>} */
  const tasks = {
    kind: 'Fixes',
    doing: 'trying changes',
    module: new URL('./tasks.js', import.meta.url),
    withTasks,
    print(head, reports) {
      const answer = fixesOf(head, reports);
      host.stdout.write(formattedAll(answer, options, host));
      return answer.fixable === answer.waiting ? EXIT.yes : EXIT.no;
    },
  };
  if (options.action === 'merge') return mergeTasks(tasks, options);
  const { limit, namespace } = options;
  const pools = await poolsIn(options, host);
  return runTasks(tasks, { pools, limit, namespace }, { options, host });
}

/**
 * @param {string} asked the pod, as the user names it
 * @param {FixArguments} options
 * @param {Host} host
 */
async function fixOne(asked, options, host) {
  const pools = await poolsIn(options, host);
  return withPresent(options, host, async (present) => {
    const { scheduler, cluster, decisions, schedulerNames, missing, progress } = present;
    const { namespace } = options;
    const command = { cluster, namespace, schedulerNames, asked: 'fix' };
    const { pods: outcomes } = outcomeOf(cluster, decisions, { schedulerNames });
    const pod = firstToExplain(podsToExplain(asked, command), { cluster, outcomes });
    const answer = await findFix(scheduler, pod, {
      pools,
      priorityClasses: [...(cluster.context.priorityClasses ?? [])],
      workload: workloadsOf(cluster)(pod),
      atMost: options.limit,
      progress: (tried) => progress.announce(`trying: ${tried}`),
    });
    progress.clear();
    host.stdout.write(formatted(answer, { missing, warnings: cluster.warnings }, options, host));
    return isFixed(answer) ? EXIT.yes : EXIT.no;
  });
}

/**
 * Reads the pools of `--pool`, one in each file. What a file does not have is that of the cluster's
 * node.
 * @param {FixArguments} options
 * @param {Host} host
 * @returns {Promise<GrowingPool[]>}
 * @throws {BadInputError} if a file does not have one Node with allocatable resources
 */
async function poolsIn(options, host) {
  const sources = await readSources(options.pool, options, host);
  /** @type {GrowingPool[]} */
  const pools = [];
  for (const source of sources) {
    const { node, objects, leftAside } = await poolIn(source.name, [source], host);
    sayLeftAside(leftAside, options, host);
    if (!node.metadata?.name || !node.status?.allocatable)
      throw new BadInputError([`${source.name}: a pool has a Node with status.allocatable`]);
    pools.push({ node, ...(objects.length > 0 && { objects }) });
  }
  return pools;
}

/**
 * @param {Fix} answer
 * @param {{ missing: Missing[], warnings: string[] }} details
 * @param {FixArguments} options
 * @param {Host} host
 */
function formatted(answer, details, options, host) {
  const document = { ...answer, ...details };
  if (options.output === 'json') return jsonText(document);
  if (options.output === 'yaml') return yamlText(document);
  return fixText({ pods: [answer.pod], answer, answers: [answer] }, options, host);
}

/**
 * @param {Fixes} answer
 * @param {FixArguments} options
 * @param {Host} host
 */
function formattedAll(answer, options, host) {
  if (options.output === 'json') return jsonText(answer);
  if (options.output === 'yaml') return yamlText(answer);
  const { waiting, fixable, fixes } = answer;
  const noun = waiting === 1 ? 'pod waits' : 'pods wait';
  const ways = fixable === waiting ? 'each has a way' : `${fixable} of them with a way`;
  const sentence = waiting === 0 ? 'no pod waits' : `${waiting} ${noun}: ${ways}`;
  const first = painter(options.color, host)(sentence, fixable === waiting ? 'green' : 'red');
  const texts = alikeFixes(fixes).map((alike) => fixText(alike, options, host));
  return [`${first}\n`, ...texts].join('\n');
}

/**
 * @param {AlikeFixes} alike
 * @param {FixArguments} options
 * @param {Host} host
 */
function fixText({ pods, answer, answers }, options, host) {
  const paint = painter(options.color, host);
  const alone = answers.length > 1 ? ', each by itself' : '';
  const others = pods.length > 1 ? ` and ${pods.length - 1} more${alone}` : '';
  const pod = `${paint(printable(answer.pod), 'bold')}${others}`;
  if (answer.node) {
    const words = pods.length > 1 ? ': fits and goes to' : ' fits: it goes to';
    return `${pod}${words} ${printable(answer.node)}\n`;
  }
  const why = printable(answer.message);
  const first = `${pod}: ${why}\n`;
  const ways = answer.offers.map((offer, index) => wayText(offer, { answers, index }, options));
  const proof = proofLines(answer).map((line) => `${printable(line)}\n`);
  return [`${first}${proof.join('')}`, ...(ways.length > 0 ? ways : [NONE[answer.fits]])].join(
    '\n',
  );
}

/** The last line if no way was found. */
const NONE = Object.freeze({
  Now: '',
  WithPreemption: 'no change was found; it fits when other pods have been evicted\n',
  NotNow: 'no change was found\n',
  Never: 'no change was found\n',
});

/**
 * Returns why the pod can never fit, if that is so.
 * @param {Fix} answer
 * @returns {string[]}
 */
function proofLines({ proof }) {
  if (!proof) return [];
  const reasons = (proof.reasons ?? []).map(({ reasons: words, nodes, examples, why }) => {
    const names = `${examples.join(', ')}${nodes > examples.length ? ', ...' : ''}`;
    return `- ${words.join(', ')} on ${counted(nodes, 'node')} (${names}): ${why}`;
  });
  return [`never: ${proof.text}`, ...reasons];
}

/**
 * @param {Offer} offer
 * @param {{ answers: Fix[], index: number }} place of the offer in alike answers
 * @param {{ quiet: boolean }} options
 */
function wayText({ sentence, node, evicts }, { answers, index }, { quiet }) {
  const evicted = evicts.length > 0 ? `, and evicts ${evicts.join(', ')}` : '';
  const lines = [`${index + 1}. ${sentence}`, `   It then goes to ${node}${evicted}.`];
  if (quiet) return `${lines.map(printable).join('\n')}\n`;
  const { commands, others } = commandsOf(answers, index);
  const rest = others > 0 ? [`# and ${others} more of these; -o json has the changes of all`] : [];
  const indented = [...commands, ...rest].map((line) => `   ${line}`);
  return `${[...lines, ...indented].map(printable).join('\n')}\n`;
}
