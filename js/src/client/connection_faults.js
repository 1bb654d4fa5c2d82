/** Classifies the exceptions of `fetch`: each runtime has its own words for the same fault. */
import { messageOf } from '../engine/calls_in_time.js';
import { ConnectionError } from './connection_error.js';

/** @typedef {'ConnectionRefused' | 'ConnectionReset' | 'Timeout'} ConnectionFault */

/** The maximum depth to which the causes of an error are searched. */
const DEPTH = 8;

/** Codes of Node's system errors, of undici, and of Bun. @type {Record<string, ConnectionFault>} */
const FAULTS = {
  ECONNREFUSED: 'ConnectionRefused',
  ConnectionRefused: 'ConnectionRefused',
  ECONNRESET: 'ConnectionReset',
  EPIPE: 'ConnectionReset',
  UND_ERR_SOCKET: 'ConnectionReset',
  ConnectionClosed: 'ConnectionReset',
  ETIMEDOUT: 'Timeout',
  UND_ERR_CONNECT_TIMEOUT: 'Timeout',
  UND_ERR_HEADERS_TIMEOUT: 'Timeout',
  UND_ERR_BODY_TIMEOUT: 'Timeout',
};

/** Deno's errors have no codes, only texts. @type {[RegExp, ConnectionFault][]} */
const WORDS = [
  [/connection refused/i, 'ConnectionRefused'],
  [
    /connection reset|unexpected (eof|end of file)|closed before message completed/i,
    'ConnectionReset',
  ],
  [/timed out/i, 'Timeout'],
];

/**
 * Returns the error of a request without a complete response.
 * @param {string} about the request: method and address
 * @param {unknown} cause the exception of `fetch`, or of reading the body
 * @returns {ConnectionError}
 */
export function connectionError(about, cause) {
  return new ConnectionError(faultOf(cause) ?? 'Network', `${about}: ${messageOf(cause)}`, {
    cause,
  });
}

/**
 * @param {unknown} error
 * @returns {ConnectionFault | undefined}
 */
function faultOf(error) {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < DEPTH; depth += 1, at = at.cause) {
    if (at.name === 'TimeoutError') return 'Timeout';
    const fault = FAULTS[String(/** @type {{ code?: unknown }} */ (at).code)];
    if (fault) return fault;
    const { message } = at;
    const [, known] = WORDS.find(([words]) => words.test(message)) ?? [];
    if (known) return known;
  }
  return undefined;
}
