/** The answer of a sweep, for people. */
import { printable } from '../../engine/printable.js';
import { counted, formatTable, painter } from '../terminal/terminal.js';

/**
 * @import { FailureReport } from '../../whatif/sweep/tasks.js'
 * @import { Sweep, WeakPart } from '../../whatif/sweep/sweep.js'
 * @import { Host } from '../host.js'
 */

/** The most rows of each table; documents have all. */
const FAILURES_SHOWN = 20;
const PARTS_SHOWN = 10;

/**
 * @param {Sweep} answer
 * @param {{ quiet: boolean, headers: boolean, color: 'auto' | 'always' | 'never' }} options
 * @param {Host} host
 * @returns {string}
 */
export function formatSweep({ tasks, failures, weakest, groups, byLabel }, options, host) {
  const paint = painter(options.color, host);
  const first = `${paint(verdictOf(failures.length, tasks), 'bold')}\n`;
  if (options.quiet || failures.length === 0) return first;
  const label = byLabel === undefined ? [] : [byLabel.toUpperCase()];
  const head = ['FAILURE', 'DISPLACED', 'WAITING', 'BY PRIORITY', ...label, 'THE FIRST'];
  const rows = failures.slice(0, FAILURES_SHOWN).map(rowOf);
  const table = formatTable([head, ...rows], options);
  const parts = [first, table + moreLine(failures.length - FAILURES_SHOWN, 'failures')];
  if (groups.some(({ count }) => count > 1)) parts.push(weakestTable(weakest, options));
  return parts.join('\n');
}

/** @param {number} failing @param {number} tasks */
function verdictOf(failing, tasks) {
  const all = counted(tasks, 'failure');
  if (failing === 0) return `none of ${all} leaves a pod pending`;
  return `${failing} of ${all} ${failing === 1 ? 'leaves' : 'leave'} pods pending`;
}

/** @param {FailureReport} report */
function rowOf({ failure, displaced, waiting, byPriority, byLabel, pods: [{ pod, message }] }) {
  const priorities = byPriority.map(({ priority, pods }) => `${priority}: ${pods}`);
  const labels = byLabel?.map(({ value, pods }) => `${value ?? '<none>'}: ${pods}`);
  return [
    failure,
    String(displaced),
    String(waiting),
    priorities.join(', '),
    ...(labels ? [labels.join(', ')] : []),
    `${pod}: ${filterPart(message)}`,
  ];
}

/** Returns a message without the part about preemption. @param {string} message */
function filterPart(message) {
  const [first] = message.split(/(?<=\.) (?:no new claims to deallocate, )?preemption: /);
  return first;
}

/** @param {WeakPart[]} weakest @param {{ headers: boolean }} options */
function weakestTable(weakest, options) {
  const head = ['WEAKEST', 'FAILURES', 'WAITING AT MOST', 'IN ALL'];
  const rows = weakest
    .slice(0, PARTS_SHOWN)
    .map(({ part, failures, most, total }) => [part, ...[failures, most, total].map(String)]);
  return formatTable([head, ...rows], options) + moreLine(weakest.length - PARTS_SHOWN, 'parts');
}

/** @param {number} count @param {string} what */
function moreLine(count, what) {
  return count > 0 ? printable(`and ${count} more ${what}: -o json has all`) + '\n' : '';
}
