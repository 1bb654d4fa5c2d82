/**
 * Formats log entries as Kubernetes components do. Counterparts: klog v2's text format, and
 * component-base/logs/json, v1.36.
 */
import { splitKey } from '../kubernetes/keys.js';
import { printable, printableQuoted } from '../engine/printable.js';
import { wordsOf } from '../kubernetes/values.js';

/** @import { LogEntry } from './log_entry.js' */

/** The position in the code: parsers of klog require one. */
const PLACE = 'stowage:1';

/** Values that are pods: `namespace/name`. */
const PODS = new Set(['pod', 'preemptor', 'victim']);

const two = (/** @type {number} */ number) => String(number).padStart(2, '0');

/**
 * `I1122 10:14:34.123456      17 stowage:1] "Successfully bound pod to node" pod="default/a"`, in
 * UTC.
 * @param {LogEntry} entry
 * @param {{ now: number, pid: number }} context milliseconds since the epoch
 */
export function klogLine({ severity, message, error, values }, { now, pid }) {
  const time = new Date(now);
  const day = `${two(time.getUTCMonth() + 1)}${two(time.getUTCDate())}`;
  const clock = `${time.toISOString().slice(11, 23)}000`;
  const head = `${severity === 'error' ? 'E' : 'I'}${day} ${clock} ${String(pid).padStart(7)}`;
  const err = error === undefined ? {} : { err: error };
  const pairs = Object.entries({ ...err, ...values })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${textOf(value)}`);
  return `${head} ${PLACE}] ${quoted(message)}${pairs.join('')}\n`;
}

/**
 * `{"ts":1763806474123,"msg":"…","v":2,"pod":{"name":"a","namespace":"default"},…}`.
 * @param {LogEntry} entry
 * @param {{ now: number }} context
 */
export function jsonLine({ severity, verbosity, message, error, values }, { now }) {
  const pairs = Object.entries(values).map(([key, value]) => [
    key,
    PODS.has(key) && typeof value === 'string' ? objectRef(value) : value,
  ]);
  const level = severity === 'error' ? { err: error } : { v: verbosity };
  const line = { ts: now, msg: message, ...level, ...Object.fromEntries(pairs) };
  return `${quoted(line)}\n`;
}

/** @param {unknown} value */
function textOf(value) {
  if (value === null) return '<nil>';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.stringify(value) === undefined ? printable(wordsOf(value)) : quoted(value);
}

/** @param {unknown} value a JSON value */
function quoted(value) {
  return printableQuoted(JSON.stringify(value));
}

/** A pod as klog marshals an ObjectRef. @param {string} pod `namespace/name` */
function objectRef(pod) {
  const { namespace, name } = splitKey(pod);
  return { name, namespace };
}
