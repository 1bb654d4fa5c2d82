/** Structured log entries, with the content of kube-scheduler's klog lines. */
import { messageOf } from '../engine/calls_in_time.js';

/**
 * `values` are in printing order; a pod is `namespace/name`.
 * @typedef {object} LogEntry
 * @property {'info' | 'error'} severity
 * @property {number} verbosity the lowest `-v` of klog that prints it; 0 for errors
 * @property {string} message
 * @property {Record<string, unknown>} values
 * @property {string} [error] the message of an error
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
 * @param {unknown} error undefined for a fault without an Error object
 * @param {string} message
 * @param {Record<string, unknown>} [values]
 * @returns {LogEntry}
 */
export function failure(error, message, values = {}) {
  const words = error === undefined ? {} : { error: messageOf(error) };
  return { severity: 'error', verbosity: 0, message, values, ...words };
}
