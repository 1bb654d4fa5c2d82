/** Prints how two nodes differ for a pod: `stowage explain --against`. */
import { printable } from '../../engine/printable.js';
import { contrast } from '../../whatif/contrast.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { atTurnOf } from './explanation.js';
import { commandsFor } from '../../whatif/fix/commands.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { EXIT } from '../terminal/problems.js';
import { formatTable, painter } from '../terminal/terminal.js';
import { workloadsOf } from '../cluster/workload.js';

/**
 * @import { ExplainOptions } from './arguments.js'
 * @import { Host } from '../host.js'
 * @import { Simulation } from '../simulation/simulation.js'
 */

/** @typedef {Awaited<ReturnType<typeof contrast>>} Contrasted */

/**
 * @param {{ pod: string, node: string, configuration: object | undefined }} asked
 * @param {Simulation} simulation
 * @param {ExplainOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function explainAgainst({ pod, node, configuration }, simulation, options, host) {
  const { engine, schedulerOptions, cluster } = simulation;
  const workload = workloadsOf(cluster)(pod);
  const settings = { engine, schedulerOptions, configuration, workload };
  const answer = await atTurnOf(pod, simulation, (scheduler) =>
    contrast(scheduler, pod, undefined, node, settings),
  );
  const asked = [cluster.pods.get(pod)].flatMap((object) => object ?? []);
  const missing = missingIn(cluster, { ...simulation, asked });
  const document = { ...answer, missing, warnings: cluster.warnings };
  host.stdout.write(
    options.output === 'json'
      ? jsonText(document)
      : options.output === 'yaml'
        ? yamlText(document)
        : textOf(answer, options, host),
  );
  const fits = answer.node !== null && ['chosen', 'feasible'].includes(answer.b.verdict);
  return printMissing(missing, options, host) ?? (fits ? EXIT.yes : EXIT.no);
}

/**
 * @param {Contrasted} answer
 * @param {ExplainOptions} options
 * @param {Host} host
 */
function textOf(answer, options, host) {
  const { a, b, differences, flips } = answer;
  const paint = painter(options.color, host);
  const first = `${paint(printable(answer.pod), 'bold')}: ${printable(firstLine(answer))}\n`;
  if (answer.node === b.node) return first;
  const rows = differences
    .filter((one) => one.a !== 0 || one.b !== 0)
    .map((one) => [one.plugin, ...[one.weight, one.a, one.b].map(String), signed(one.difference)]);
  const head = ['PLUGIN', 'WEIGHT', a?.node ?? '', b.node, 'DIFFERENCE'];
  const table = formatTable([head, ...rows], options);
  const ways = flips.flatMap(({ by, sentence, changes = [] }) => [
    `- ${sentence}`,
    ...(options.quiet || by === 'Weight' ? [] : changes.flatMap(commandsFor)).map(
      (line) => `  ${line}`,
    ),
  ]);
  const found = [`it would go to ${b.node} with any of these changes:`, ...ways];
  const none = [`no single change was found with which it goes to ${b.node}`];
  const rest = ['', ...(ways.length > 0 ? found : none)].map((line) => `${printable(line)}\n`);
  return `${first}${table && `\n${table}`}${rest.join('')}`;
}

/** @param {Contrasted} answer */
function firstLine({ node, message, a, b }) {
  if (node === b.node) return `it goes to ${b.node}`;
  const where = node === null ? 'it fits nowhere' : `it goes to ${node}`;
  // An extender that refuses is no plugin.
  const reasons = b.refusals.map(({ plugin, reasons: words }) =>
    [plugin, words.join(', ')].filter(Boolean).join(': '),
  );
  switch (b.verdict) {
    case 'feasible':
      // It is gated, or an extender failed.
      if (node === null) return `it gets no node, though ${b.node} passes: ${message}`;
      return a?.total === b.total
        ? `${where}; ${b.node} has the same score, ${b.total}`
        : `${where} with ${a?.total} points, ${b.node} has ${b.total}`;
    case 'notReached':
      return `${where}; ${b.node} was not looked at, because enough other nodes fit`;
    default:
      return `${where}; ${b.node} refuses it (${reasons.join('; ')})`;
  }
}

/** @param {number} difference */
function signed(difference) {
  return difference > 0 ? `+${difference}` : String(difference);
}
