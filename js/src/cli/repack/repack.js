import { printable } from '../../engine/printable.js';
import { InputError } from '../../kubernetes/errors.js';
import { repack as repackNodes } from '../../whatif/repack.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { withPresent } from '../simulation/present.js';
import { BadInputError, EXIT } from '../terminal/problems.js';
import { counted, formatTable, painter } from '../terminal/terminal.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Host } from '../host.js'
 * @import { RepackOptions } from './arguments.js'
 */

/** @typedef {Awaited<ReturnType<typeof repackNodes>>} Answer */

/** @type {Readonly<Record<Answer['blocked'][number]['reason'], string>>} */
const REASONS = Object.freeze({
  Kept: 'kept by --keep',
  ControlPlane: 'belongs to the control plane',
  Refused: 'a pod cannot be moved',
  Budget: 'a budget forbids an eviction',
  Waits: 'a moved pod would wait',
  Preempts: 'a moved pod would preempt another one',
  Returns: 'a moved pod would come back',
  NotTried: 'not tried',
});

/**
 * `stowage repack`: reports the moves that empty nodes.
 * @param {RepackOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function repack(options, host) {
  return withPresent(options, host, async (present) => {
    const { scheduler, cluster, engine, schedulerOptions, progress } = present;
    const { empty, keep, price, maxTrials, deleteEmptyDirData } = options;
    try {
      const goal = empty === undefined ? { maximum: /** @type {const} */ (true) } : undefined;
      const answer = await repackNodes(scheduler, goal ?? { emptyNodes: Number(empty) }, {
        ...{ keep, maxTrials, deleteEmptyDirData, objects: cluster.read },
        ...(cluster.listed.has('DaemonSet') && { knowsDaemonSets: true }),
        ...(price !== undefined && { priceOf: (node) => priceIn(node, price) }),
        createScheduler: () => engine.createScheduler(schedulerOptions),
        progress: (done, total) => progress.update('trying nodes', done, total),
      });
      progress.clear();
      host.stdout.write(formatAnswer(answer, options, host));
      return answer.reached && answer.emptied.length > 0 ? EXIT.yes : EXIT.no;
    } catch (error) {
      if (!(error instanceof InputError) || !error.field?.startsWith('keep[')) throw error;
      throw new BadInputError([`--keep: there is no node "${error.value}" in the cluster`]);
    }
  });
}

/**
 * @param {KubernetesObject} node
 * @param {string} label
 * @returns {number}
 * @throws {BadInputError}
 */
function priceIn({ metadata }, label) {
  const text = metadata.labels?.[label];
  if (/^\d+(\.\d+)?$/.test(text ?? '')) return Number(text);
  const found = text === undefined ? 'lacks the label' : `has no number in the label`;
  throw new BadInputError([`--price: node ${metadata.name} ${found} ${label}`]);
}

/**
 * @param {Answer} answer
 * @param {RepackOptions} options
 * @param {Host} host
 */
function formatAnswer(answer, options, host) {
  if (options.output === 'json') return jsonText(answer);
  if (options.output === 'yaml') return yamlText(answer);
  const paint = painter(options.color, host);
  const isGood = answer.reached && answer.emptied.length > 0;
  const first = `${paint(printable(sentenceOf(answer)), isGood ? 'green' : 'red')}\n`;
  if (options.quiet) return first;
  const moves = answer.moves.map(({ step, pod, from, to }) => [
    ...[String(step), pod, from],
    to ?? '<ends>',
  ]);
  const stays = answer.blocked.map(({ node, reason, pod, message }) => [
    node,
    REASONS[reason],
    pod ?? '<none>',
    message,
  ]);
  const sections = [
    `${first}${printable(proofOf(answer))}\n`,
    formatTable([['STEP', 'POD', 'FROM', 'TO'], ...moves], options),
    formatTable([['STAYS', 'WHY', 'POD', 'MESSAGE'], ...stays], options),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

/** @param {Answer} answer */
function sentenceOf({ emptied, moves, priceSaved, reached }) {
  const names = emptied.map(({ node }) => node).join(', ');
  if (emptied.length === 0) return 'no node can be emptied';
  const saved = priceSaved === undefined ? '' : `, which saves ${priceSaved}`;
  const only = reached ? '' : 'only ';
  const count = counted(emptied.length, 'node');
  return `${only}${count} can be emptied with ${counted(moves.length, 'move')}${saved}: ${names}`;
}

/** @param {Answer} answer */
function proofOf({ replayed, sameNodes, trials, complete }) {
  const claims = [
    `${counted(trials, 'node')} tried`,
    ...(replayed ? [`replayed from scratch${sameNodes ? '' : ', with other target nodes'}`] : []),
    ...(complete ? [] : ['not every node was tried']),
  ];
  return claims.join('; ');
}
