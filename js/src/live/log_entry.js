/**
 * What is said on the way, as structured logs: what kube-scheduler's klog lines are made of.
 */
import { messageOf } from '../engine/calls_in_time.js';

/**
 * `values` are in the order in which they are printed; a pod is `namespace/name`.
 * @typedef {object} LogEntry
 * @property {'info' | 'error'} severity
 * @property {number} verbosity from which on it is said: klog's `-v`; 0 for errors
 * @property {string} message
 * @property {Record<string, unknown>} values
 * @property {string} [error] of an error: its message
 */

/** @typedef {(entry: LogEntry) => void} OnLog */

/**
 * @param {number} verbosity
 * @param {string} message
 * @param {Record<string, unknown>} [values]
 * @returns {LogEntry}
 */
export function info(verbosity, message, values = {}) {
  return { severity: 'info', verbosity, message, values };
}

/**
 * @param {unknown} error undefined: there is none, something is wrong all the same
 * @param {string} message
 * @param {Record<string, unknown>} [values]
 * @returns {LogEntry}
 */
export function failure(error, message, values = {}) {
  const words = error === undefined ? {} : { error: messageOf(error) };
  return { severity: 'error', verbosity: 0, message, values, ...words };
}
