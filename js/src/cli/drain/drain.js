import { InputError } from '../../kubernetes/errors.js';
import { drain as drainNodes } from '../../whatif/drain.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { withPresent } from '../simulation/present.js';
import { BadInputError, EXIT } from '../terminal/problems.js';
import { printable } from '../../engine/printable.js';
import { counted, formatTable, painter } from '../terminal/terminal.js';

/**
 * @import { Host } from '../host.js'
 * @import { DrainOptions } from './arguments.js'
 * @import { Fate } from '../../whatif/future.js'
 */

/** @typedef {Awaited<ReturnType<typeof drainNodes>>} Answer */

/**
 * `stowage drain`: reports how a drain of nodes would go.
 * @param {DrainOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function drain(options, host) {
  return withPresent(options, host, async ({ scheduler, population, cluster, progress }) => {
    try {
      const { force, deleteEmptyDirData, readySeconds } = options;
      const answer = await drainNodes(scheduler, options.nodes, {
        ...{ force, deleteEmptyDirData, readySeconds, population },
        objects: cluster.read,
        ...(cluster.listed.has('DaemonSet') && { knowsDaemonSets: true }),
        progress: (done, total) => progress.update('evicting', done, total),
      });
      progress.clear();
      host.stdout.write(formatAnswer(answer, options, host));
      return answer.isDrained && answer.isPlaced ? EXIT.yes : EXIT.no;
    } catch (error) {
      if (!(error instanceof InputError) || error.kind !== 'Drain') throw error;
      throw new BadInputError([`there is no node "${error.value}" in the cluster`]);
    }
  });
}

/**
 * @param {Answer} answer
 * @param {DrainOptions} options
 * @param {Host} host
 */
function formatAnswer(answer, options, host) {
  if (options.output === 'json') return jsonText(answer);
  if (options.output === 'yaml') return yamlText(answer);
  const paint = painter(options.color, host);
  const isGood = answer.isDrained && answer.isPlaced;
  const first = paint(printable(sentenceOf(answer)), isGood ? 'green' : 'red');
  if (options.quiet) return `${first}\n`;
  const stays = answer.nodes.flatMap((node) => node.stays).length;
  const staying = stays > 0 ? [`${counted(stays, 'pod')} of DaemonSets and static pods stay`] : [];
  const sections = [
    [first, ...staying].join('\n') + '\n',
    formatTable(
      [['ROUND', 'NODE', 'POD', 'BUDGET', 'AFTER', 'MESSAGE'], ...evicted(answer)],
      options,
    ),
    formatTable([['NOT EVICTED', 'NODE', 'BUDGET', 'MESSAGE'], ...notEvicted(answer)], options),
    formatTable([['PREEMPTED', 'BEFORE', 'AFTER', 'MESSAGE'], ...preempted(answer)], options),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

/** @param {Answer} answer */
function sentenceOf({ nodes, isDrained, rounds, secondsAtMost, waiting, blocked }) {
  const names = nodes.map(({ node }) => node).join(', ');
  const time = `${counted(rounds.length, 'round')}, ${secondsAtMost} seconds at most`;
  const refused = nodes.flatMap((node) => node.refused).length;
  const failures = [
    ...(blocked.length > 0 ? [`budgets block ${counted(blocked.length, 'pod')}`] : []),
    ...(refused > 0 ? [`${counted(refused, 'pod')} would be refused`] : []),
    ...(waiting.length > 0 ? [`${counted(waiting.length, 'pod')} would wait`] : []),
  ];
  const verdict = isDrained ? 'can be drained' : 'cannot be drained';
  return `${names} ${verdict}: ${[time, ...failures].join('; ')}`;
}

/** @param {Answer} answer */
function evicted({ rounds }) {
  return rounds.flatMap(({ node, evictions }, index) =>
    evictions.map(({ pod, budget, after }) => [
      String(index + 1),
      node,
      pod,
      budget ?? '<none>',
      placeOf(after),
      messageOf(after),
    ]),
  );
}

/** @param {Answer} answer */
function notEvicted({ nodes, blocked }) {
  const refused = nodes.flatMap(({ node, refused }) =>
    refused.map(({ pod, message }) => [pod, node, '<none>', message]),
  );
  const byBudget = blocked.map(({ pod, node, budgets, message }) => {
    const figures = budgets.map(
      ({ budget, disruptionsAllowed, currentHealthy, desiredHealthy }) =>
        `${budget} (allows ${disruptionsAllowed}: ` +
        `${currentHealthy} healthy, needs ${desiredHealthy})`,
    );
    return [pod, node, figures.join(', '), message];
  });
  return [...refused, ...byBudget];
}

/** @param {Answer} answer */
function preempted(answer) {
  return answer.preempted.map(({ pod, before, after }) => [
    pod,
    before,
    placeOf(after),
    [`preempted by ${after.preemptedBy}`, after.message].filter(Boolean).join('; '),
  ]);
}

/** @param {Fate} fate */
function placeOf({ state, node }) {
  return node ?? (state === 'Gone' ? '<ends>' : '<waits>');
}

/** @param {Fate} fate */
function messageOf({ message, preemptedBy }) {
  const evicted = preemptedBy === undefined ? [] : [`preempted by ${preemptedBy}`];
  return [...evicted, message].filter(Boolean).join('; ');
}
