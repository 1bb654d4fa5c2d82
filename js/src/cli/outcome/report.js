import { printable } from '../../engine/printable.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { podsThatWait } from './outcome.js';
import { counted, formatTable, shortList } from '../terminal/terminal.js';

/**
 * @import { BadInput } from '../../check/report.js'
 * @import { Decision, Evaluation } from '../../engine/types.js'
 * @import { MadeUpHere, Missing } from '../../check/types.js'
 * @import { Outcome } from './outcome.js'
 * @import { WaitingGroup } from './waiting_pods.js'
 * @import { Color } from '../terminal/terminal.js'
 */

/** @typedef {'table' | 'wide' | 'json' | 'yaml' | 'name'} OutputFormat */

/**
 * @typedef {{ decisions: Decision[], kubernetesVersion: string, evaluation?: Evaluation, missing:
 *   Missing[], waiting: WaitingGroup[], madeUp: MadeUpHere[], warnings: string[], problems:
 *   BadInput[] }} Details
 */

/** The colours of results. */
const COLORS = new Map(
  /** @type {[string, Color][]} */ ([
    ['Scheduled', 'green'],
    ['Evicted', 'yellow'],
    ['SchedulingGated', 'yellow'],
  ]),
);

/**
 * Formats the outcome, in one of the formats of `-o`.
 * @param {Outcome} outcome
 * @param {Details} details
 * @param {{ output: OutputFormat, headers: boolean, paint: (text: string, color: Color) => string
 *   }} options
 * @returns {string}
 */
export function formatOutcome(outcome, details, { output, headers, paint }) {
  switch (output) {
    case 'json':
      return jsonText(simulationDocument(outcome, details));
    case 'yaml':
      return yamlText(simulationDocument(outcome, details));
    case 'name':
      return outcome.pods.map(({ name }) => `${printable(`pod/${name}`)}\n`).join('');
    default:
      return podTable(outcome, details.decisions, { isWide: output === 'wide', headers, paint });
  }
}

/**
 * The versioned document of `-o json`; its schema is js/schema/stowage-v1.json.
 * @param {Outcome} outcome
 * @param {Details} details
 */
function simulationDocument(
  { summary, pods, leftAlone },
  { decisions, kubernetesVersion, evaluation, missing, waiting, madeUp, warnings, problems },
) {
  const reported = new Set(pods.map(({ pod }) => pod));
  return {
    apiVersion: 'stowage/v1',
    kind: 'Simulation',
    kubernetesVersion,
    summary,
    pods,
    leftAlone,
    missing,
    waiting,
    madeUp,
    decisions: decisions.filter(({ pod }) => reported.has(pod)),
    ...(evaluation && { evaluation }),
    warnings,
    problems,
  };
}

/**
 * @param {Outcome} outcome
 * @param {Decision[]} decisions
 * @param {{ isWide: boolean, headers: boolean, paint: (text: string, color: Color) => string }}
 *   options
 */
function podTable({ pods }, decisions, { isWide, headers, paint }) {
  const bySeq = new Map(decisions.map((decision) => [decision.seq, decision]));
  const wideHead = isWide ? ['ATTEMPTS', 'FEASIBLE', 'PLUGINS', 'VOLUMES'] : [];
  const rows = pods.map((pod) => [
    pod.namespace,
    pod.name,
    pod.node ?? '<none>',
    pod.result,
    ...(isWide ? wideCells(bySeq.get(pod.seq ?? -1)) : []),
    pod.message || '<none>',
  ]);
  return formatTable([['NAMESPACE', 'POD', 'NODE', 'RESULT', ...wideHead, 'MESSAGE'], ...rows], {
    headers,
    paint: (text, row, column) =>
      row > 0 && column === 3 ? paint(text, COLORS.get(text) ?? 'red') : text,
  });
}

/** @param {Decision | undefined} decision */
function wideCells(decision) {
  if (!decision) return ['<none>', '<none>', '<none>', '<none>'];
  const {
    attempts,
    feasibleNodes,
    numAllNodes,
    unschedulablePlugins = [],
    volumes = {},
  } = decision;
  return [
    attempts === undefined ? '<none>' : String(attempts),
    feasibleNodes === undefined ? '<none>' : `${feasibleNodes}/${numAllNodes}`,
    unschedulablePlugins.join(',') || '<none>',
    Object.entries(volumes)
      .map(([claim, volume]) => `${claim}=${volume}`)
      .join(',') || '<none>',
  ];
}

/**
 * `placed 3, pending 1, bound before 37 (v1.36, 12 ms)`
 * @param {Outcome['summary']} summary
 * @param {{ kubernetesVersion: string, elapsedMs: number }} details
 */
export function summaryLine(
  { placed, pending, evicted, boundBefore },
  { kubernetesVersion, elapsedMs },
) {
  const parts = [
    `placed ${placed}`,
    `pending ${pending}`,
    evicted > 0 && `evicted ${evicted}`,
    `bound before ${boundBefore}`,
  ];
  return `${parts.filter(Boolean).join(', ')} (${kubernetesVersion}, ${timeText(elapsedMs)})`;
}

/**
 * `12 ms`
 * @param {number} elapsedMs
 */
export function timeText(elapsedMs) {
  return `${elapsedMs < 10 ? elapsedMs.toFixed(1) : Math.round(elapsedMs)} ms`;
}

/**
 * Returns warnings that must not be overlooked: pods whose placement is not final.
 * @param {Outcome} outcome
 * @returns {string[]}
 */
export function warningLines(outcome) {
  const waiting = podsThatWait(outcome);
  if (waiting.length === 0) return [];
  const who =
    waiting.length === 1
      ? '1 pod has a node and waits'
      : `${waiting.length} pods have a node and wait`;
  return [`warning: ${who} for volumes: ${shortList(waiting)}`];
}

/**
 * Returns lines about the pods that stayed unchanged, with the reasons.
 * @param {Outcome['leftAlone']} leftAlone
 * @returns {string[]}
 */
export function leftAloneLines(leftAlone) {
  const terminating = leftAlone
    .filter(({ reason }) => reason === 'Terminating')
    .map(({ pod }) => pod);
  const others = leftAlone
    .filter(({ reason }) => reason === 'OtherScheduler')
    .map(({ pod, schedulerName }) => `${pod} (${schedulerName})`);
  const lines = [];
  if (terminating.length > 0)
    lines.push(`left as they are: ${terminating.length} terminating: ${shortList(terminating)}`);
  if (others.length > 0)
    lines.push(`left as they are: ${others.length} of other schedulers: ${shortList(others)}`);
  return lines;
}

/**
 * Returns lines about the ignored objects.
 * @param {Map<string, number>} types the number of objects of each
 * @param {boolean} isEach whether each type has a line
 * @returns {string[]}
 */
export function ignoredLines(types, isEach) {
  const lines = [...types].map(
    ([type, count]) => `ignored: ${count} ${type}, which the scheduler does not read`,
  );
  if (isEach || types.size === 0) return lines;
  const count = [...types.values()].reduce((sum, number) => sum + number, 0);
  const objects = counted(count, 'object');
  const kinds = counted(types.size, 'kind');
  return [`ignored: ${objects} of ${kinds} that the scheduler does not read (-v names them)`];
}
