/**
 * The journal's entries as rows of a list: actions, events that the scheduler received, its
 * records, and its calls.
 */
import { releaseOf } from '../../../js/src/kubernetes.js';
import { MOST_NAMED } from '../world/watched.js';

/**
 * @import { Decision } from '../../../js/src/index.js'
 * @import { Entry } from '../world/journal.js'
 * @import { Action, Said, SchedulerSettings, WatchedChanges } from '../world/world.js'
 */

/** @typedef {'Action' | 'Event' | 'Decision' | 'Call' | 'BindingResult' | 'QueueMove' | 'Fault'}
 *   TimelineKind */

/** A record or an input of any kind. @typedef {{ kind: string, [field: string]: any }} AnyRecord */

/** @typedef {{ event: string, plugin?: string, hint?: string }} QueueMoveCause */

/**
 * @typedef {object} TimelineRow
 * @property {number} position the number of entries done in the world after this row
 * @property {string} at a time in ISO 8601
 * @property {TimelineKind} kind
 * @property {string} text
 * @property {string} [pod] `namespace/name` of the pod that it is about
 * @property {string | null} [node]
 * @property {string} [result] of decisions and bindings; of calls `failed`
 * @property {QueueMoveCause} [cause] of moves
 * @property {number} [attempt] of decisions: what `Playground.evaluate` takes
 * @property {{ phase: string, message: string }} [failure] of bindings that failed
 */

/**
 * @param {Entry} entry
 * @param {number} position after the entry
 * @param {(logLine: number, decision: Decision) => number} numberOf assigns a number to an attempt
 * @returns {TimelineRow[]}
 */
export function rowsOf({ action, at, said, errors }, position, numberOf) {
  const text = actionText(action);
  /** @type {TimelineRow[]} */
  const rows = text === '' ? [] : [{ position, at: isoTime(at), kind: 'Action', text }];
  for (const error of errors)
    rows.push({ position, at: isoTime(at), kind: 'Fault', text: String(error) });
  for (const { record, logLine } of withEventsJoined(said)) {
    if (record.kind === 'WatchEvents') {
      rows.push(...eventRows(/** @type {any} */ (record), position));
      continue;
    }
    const row = rowOf(record);
    if (row && row.kind === 'Decision')
      row.attempt = numberOf(logLine, /** @type {Decision} */ (record));
    if (row) rows.push({ position, ...row });
  }
  return rows;
}

/**
 * Joins consecutive events of one type: how they were split into batches is chance.
 * @param {Said[]} said
 */
function withEventsJoined(said) {
  /** @type {{ record: AnyRecord, logLine: number }[]} */
  const all = [];
  for (const { record, logLine } of said) {
    const last = all.at(-1)?.record;
    if (last?.kind === 'WatchEvents' && isSameRun(last, record)) {
      const names = [...last.names, .../** @type {AnyRecord} */ (record).names];
      const count = last.count + /** @type {AnyRecord} */ (record).count;
      const changes = [...last.changes, .../** @type {AnyRecord} */ (record).changes];
      const joined = { ...last, count, names: names.slice(0, MOST_NAMED), changes };
      all[all.length - 1] = { record: joined, logLine };
    } else {
      all.push({ record, logLine });
    }
  }
  return all;
}

/** @param {AnyRecord} one @param {AnyRecord} next */
function isSameRun(one, next) {
  const names = /** @type {const} */ (['kind', 'type', 'objectKind', 'at']);
  return names.every((name) => one[name] === next[name]);
}

/** By the type of the watch event. */
const HAPPENED = new Map([
  ['ADDED', 'added'],
  ['MODIFIED', 'updated'],
  ['DELETED', 'deleted'],
]);

/**
 * A few events get a row each; many share one row.
 * @param {WatchedChanges & { at: string }} watched
 * @param {number} position
 * @returns {TimelineRow[]}
 */
function eventRows({ at, type, objectKind, count, names, changes }, position) {
  /** @type {Pick<TimelineRow, 'position' | 'at' | 'kind'>} */
  const own = { position, at, kind: 'Event' };
  const happened = HAPPENED.get(type) ?? type;
  if (count > names.length) {
    const plural = objectKind.endsWith('s') ? `${objectKind}es` : `${objectKind}s`;
    const some = names.slice(0, 3).join(', ');
    const rest = count - Math.min(3, names.length);
    const which = some === '' ? '' : `: ${some} and ${rest.toLocaleString('en')} more`;
    return [{ ...own, text: `${count.toLocaleString('en')} ${plural} ${happened}${which}` }];
  }
  return names.map((name, index) => {
    const parts = changes[index].length > 0 ? `: ${changes[index].join(', ')}` : '';
    return objectKind === 'Pod'
      ? { ...own, pod: name, text: `Pod ${happened}${parts}` }
      : { ...own, text: `${objectKind} ${name} ${happened}${parts}` };
  });
}

/** @param {SchedulerSettings} settings */
function configuredText({ kubernetesVersion, plugins }) {
  const release = kubernetesVersion ? `, as ${releaseOf(kubernetesVersion)}` : '';
  return (plugins ? 'another scheduler, with plugins' : 'another configuration') + release;
}

/**
 * A cycle needs no row: its records show it.
 * @param {Action} action
 */
function actionText(action) {
  switch (action.do) {
    case 'apply': {
      const names = action.objects.map(({ kind, metadata }) => `${kind} ${metadata?.name}`);
      return names.length === 0 ? '' : `apply ${listed(names)}`;
    }
    case 'delete':
      return `delete ${listed(action.objects.map(({ kind, name }) => `${kind} ${name}`))}`;
    case 'evict':
      return `evict ${listed(action.pods)}`;
    case 'patch':
      return `change ${action.object.kind} ${action.object.name}`;
    case 'scheduleOne':
      return `schedule ${action.pod} next`;
    case 'configure':
      return configuredText(action.scheduler);
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
      const { result, node, phase, message } = record;
      if (result === 'bound') return { kind, at, pod, result, node, text: `bound to ${node}` };
      const text = `not bound to ${node}: ${message}`;
      return { kind, at, pod, result, node, text, failure: { phase, message } };
    }
    case 'QueueMove': {
      const { event, plugin, hint, from, to } = record;
      const words = plugin ? `${event}, ${plugin} says ${hint}` : event;
      const cause = { event, ...(plugin && { plugin, hint }) };
      return { kind, at, pod, cause, text: `${from ? `${from} → ` : ''}${to} (${words})` };
    }
    case 'Request': {
      const { method, path, outcome, message } = record;
      const hasFailed = typeof outcome === 'string' || outcome >= 400;
      const text = `${method} ${path} → ${outcome}${message ? ` ${message}` : ''}`;
      return { kind: 'Call', at, pod, text, ...(hasFailed && { result: 'failed' }) };
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
