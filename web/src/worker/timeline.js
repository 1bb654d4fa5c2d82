/** The journal's entries as rows of a list: what was done, and what the scheduler said to it. */

/**
 * @import { AnyRecord } from '../../../js/src/types.js'
 * @import { Entry } from '../world/journal.js'
 * @import { Action } from '../world/world.js'
 */

/**
 * @typedef {object} TimelineRow
 * @property {number} position how many entries are behind the world when it has happened
 * @property {string} at a time in ISO 8601
 * @property {'Action' | 'Decision' | 'BindingResult' | 'QueueMove' | 'Fault'} kind
 * @property {string} text
 * @property {string} [pod] `namespace/name`, that it is about
 * @property {string | null} [node]
 * @property {string} [result] of decisions and bindings
 * @property {number} [attempt] of decisions: what `Playground.evaluate` takes
 */

/**
 * @param {Entry} entry
 * @param {number} position behind it
 * @param {(logLine: number) => number} numberOf makes a number of an attempt
 * @returns {TimelineRow[]}
 */
export function rowsOf({ action, at, said, errors }, position, numberOf) {
  const text = actionText(action);
  /** @type {TimelineRow[]} */
  const rows = text === '' ? [] : [{ position, at: isoTime(at), kind: 'Action', text }];
  for (const error of errors)
    rows.push({ position, at: isoTime(at), kind: 'Fault', text: String(error) });
  for (const { record, logLine } of said) {
    const row = rowOf(record);
    if (row && row.kind === 'Decision') row.attempt = numberOf(logLine);
    if (row) rows.push({ position, ...row });
  }
  return rows;
}

/**
 * A cycle speaks for itself.
 * @param {Action} action
 */
function actionText(action) {
  switch (action.do) {
    case 'apply': {
      const names = action.objects.map(({ kind, metadata }) => `${kind} ${metadata?.name}`);
      return `apply ${listed(names)}`;
    }
    case 'delete':
      return `delete ${listed(action.objects.map(({ kind, name }) => `${kind} ${name}`))}`;
    case 'patch':
      return `change ${action.object.kind} ${action.object.name}`;
    case 'scheduleOne':
      return `schedule ${action.pod} next`;
    case 'configure':
      return 'another configuration';
    default:
      return '';
  }
}

/**
 * @param {AnyRecord} record
 * @returns {Omit<TimelineRow, 'position'> | undefined}
 */
function rowOf(record) {
  const { kind, at, pod } = record;
  switch (kind) {
    case 'Decision': {
      const { result, node, message = '' } = record;
      const text = result === 'scheduled' ? `scheduled on ${node}` : message || result;
      return { kind, at, pod, result, node, text };
    }
    case 'BindingResult': {
      const { result, node, message } = record;
      const text = result === 'bound' ? `bound to ${node}` : `not bound to ${node}: ${message}`;
      return { kind, at, pod, result, node, text };
    }
    case 'QueueMove': {
      const { event, plugin, hint, from, to } = record;
      const cause = plugin ? `${event}, ${plugin} says ${hint}` : event;
      return { kind, at, pod, text: `${from ? `${from} → ` : ''}${to} (${cause})` };
    }
    case 'InputError':
      return { kind: 'Fault', at, text: record.error.message };
    case 'Inconsistency':
      return { kind: 'Fault', at, text: record.message };
    default:
      return undefined;
  }
}

/** @param {string[]} words */
function listed(words) {
  const shown = words.slice(0, 3).join(', ');
  return words.length > 3 ? `${shown} and ${words.length - 3} more` : shown;
}

/** @param {number} time milliseconds since the epoch */
function isoTime(time) {
  return new Date(time).toISOString();
}
