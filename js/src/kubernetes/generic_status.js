/**
 * Creates the Status of a response without one, for example a proxy's, as client-go does. Source:
 * `NewGenericServerResponse` in apimachinery/pkg/api/errors/errors.go, v1.36.
 */

/** @import { Status } from './types.js' */

/** The maximum length of the body's text in the message. */
const TEXT_CHARACTERS = 2048;

/**
 * Reason and message by HTTP status; if the message is absent, the server's own text replaces it.
 */
const KNOWN = /** @type {Record<number, [string, string?]>} */ ({
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  403: ['Forbidden'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  406: ['NotAcceptable'],
  409: ['Conflict', 'the server reported a conflict'],
  415: ['UnsupportedMediaType'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: [
    'TooManyRequests',
    'the server has received too many requests and has asked us to try again later',
  ],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, ' +
      'but may still be processing the request',
  ],
});

/**
 * @param {number} code the HTTP status
 * @param {{ method: string, path: string, text: string }} about the request, and the response's
 *   body
 * @returns {Status}
 */
export function genericStatus(code, { method, path, text }) {
  const said = text.trim().slice(0, TEXT_CHARACTERS) || 'unknown';
  const [reason, words] = reasonAndMessage(code, method, said);
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message: `${words} (${method.toLowerCase()} ${path})`,
    reason,
    details: { causes: [{ reason: 'UnexpectedServerResponse', message: said }] },
    code,
  };
}

/**
 * @param {number} code
 * @param {string} method
 * @param {string} said
 * @returns {[string, string]}
 */
function reasonAndMessage(code, method, said) {
  if (code === 409 && method === 'POST') return ['AlreadyExists', String(KNOWN[409][1])];
  const [reason, message] = KNOWN[code] ?? [];
  if (reason) return [reason, message ?? said];
  if (code >= 500) {
    const quoted = JSON.stringify(said);
    return [
      'InternalError',
      `an error on the server (${quoted}) has prevented the request from succeeding`,
    ];
  }
  return [
    '',
    `the server responded with the status code ${code} but did not return more information`,
  ];
}
