/**
 * Creates the answers of a webhook in an AdmissionReview v1. Source:
 * k8s.io/api/admission/v1/types.go; extensible admission controllers, "Response".
 */
import { StowageError } from '../kubernetes/errors.js';
import { isRecord, wordsOf } from '../kubernetes/values.js';
import { REVIEW } from './review_request.js';

/**
 * @import { Status } from '../kubernetes/types.js'
 * @import { AdmissionSettings } from './admission_options.js'
 * @import { PassedBy, Question } from './question.js'
 * @import { AdmissionRequest } from './review_request.js'
 * @import { Verdict } from './verdict.js'
 */

/**
 * An `AdmissionResponse` except its `uid`.
 * @typedef {object} Answer
 * @property {boolean} allowed
 * @property {string[]} [warnings]
 * @property {Status} [status] the reason of a denial
 * @property {'JSONPatch'} [patchType]
 * @property {string} [patch] base64
 * @property {Record<string, string>} [auditAnnotations] by names without a slash: the API server
 *   prefixes them with the webhook's name and a slash
 */

/** The API server may truncate longer warnings; it counts characters. */
const WARNING_LENGTH = 256;

/** The annotations of `mode: 'annotate'`, as paths of a JSON patch. */
const PREDICTED = Object.freeze({
  node: 'stowage/predicted-node',
  reason: 'stowage/predicted-reason',
});

/**
 * @param {AdmissionRequest} request
 * @param {Answer} answer
 */
export function reviewResponse({ uid }, answer) {
  return Response.json({ ...REVIEW, response: { uid, ...answer } });
}

/**
 * The answer to requests that are not evaluated.
 * @param {PassedBy} why
 * @param {AdmissionSettings} settings
 * @returns {Answer}
 */
export function passedAnswer(why, { mode }) {
  const warnings = why.group && mode !== 'annotate' ? [warningOf(why.group)] : [];
  const auditAnnotations = { ...why };
  return { allowed: true, ...(warnings.length > 0 && { warnings }), auditAnnotations };
}

/**
 * @param {AdmissionRequest} request
 * @param {Question} question
 * @param {Verdict} verdict
 * @param {AdmissionSettings} settings
 * @returns {Answer}
 */
export function verdictAnswer(request, question, verdict, { mode, denied }) {
  const { fits, node, message, nearest, group } = verdict;
  const auditAnnotations = {
    fits,
    ...(node !== null && { node }),
    ...(message !== '' && { message }),
    ...(nearest && { nearest }),
    ...(group && { group }),
  };
  if (mode === 'annotate')
    return { allowed: true, ...annotationPatch(request, verdict), auditAnnotations };
  const hint = nearest ? [`nearest node of ${question.subject}: ${nearest}`] : [];
  if (group) hint.push(group);
  const isDenied = message !== '' && mode === 'deny' && denied.includes(fits);
  const said = isDenied || message === '' ? hint : [message, ...hint];
  const warnings = said.map(warningOf);
  return {
    allowed: !isDenied,
    ...(warnings.length > 0 && { warnings }),
    ...(isDenied && { status: denial(request, question, message) }),
    auditAnnotations,
  };
}

/**
 * The answer to requests that cannot be evaluated.
 * @param {AdmissionRequest} request
 * @param {unknown} cause
 * @param {boolean} isLate
 * @param {AdmissionSettings} settings
 * @returns {Answer}
 */
export function failureAnswer({ kind }, cause, isLate, { failurePolicy }) {
  const why = wordsOf(cause);
  const auditAnnotations = { failure: why, 'failure-policy': failurePolicy };
  if (failurePolicy === 'Ignore') return { allowed: true, auditAnnotations };
  const status =
    cause instanceof StowageError ? cause.toStatus() : failureStatus(isLate, wordsOf(cause));
  const message = `it is not known whether this ${kind.kind} could be scheduled: ${why}`;
  return { allowed: false, status: { ...status, message }, auditAnnotations };
}

/**
 * @param {boolean} isLate
 * @param {string} message
 * @returns {Status}
 */
function failureStatus(isLate, message) {
  const [code, reason] = isLate ? [504, 'Timeout'] : [500, 'InternalError'];
  const kind = /** @type {const} */ ({ apiVersion: 'v1', kind: 'Status' });
  return { ...kind, metadata: {}, status: 'Failure', message, reason, code };
}

/**
 * @param {AdmissionRequest} request
 * @param {Question} question
 * @param {string} message
 * @returns {Status}
 */
function denial({ name, kind: { group, kind }, object }, { field }, message) {
  const called = name || object?.metadata?.name;
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Invalid',
    details: {
      ...(called && { name: called }),
      ...(group && { group }),
      kind,
      causes: [{ reason: 'FieldValueInvalid', message, field }],
    },
    code: 422,
  };
}

/**
 * Makes a text fit for the API server's Warning header: it drops warnings with control characters.
 * @param {string} message
 */
function warningOf(message) {
  const characters = [...message.replace(/\p{Cc}/gu, ' ')];
  if (characters.length <= WARNING_LENGTH) return characters.join('');
  return `${characters.slice(0, WARNING_LENGTH - 1).join('')}…`;
}

/**
 * Patches only differences, and removes annotations of an earlier prediction.
 * @param {AdmissionRequest} request
 * @param {Verdict} verdict
 * @returns {Pick<Answer, 'patch' | 'patchType'>}
 */
function annotationPatch({ object }, { node, message }) {
  const given = object?.metadata?.annotations;
  const present = isRecord(given) ? given : {};
  const wanted = { [PREDICTED.node]: node ?? '', [PREDICTED.reason]: message };
  const operations = Object.entries(wanted).flatMap(([name, value]) => {
    const path = `/metadata/annotations/${name.replaceAll('/', '~1')}`;
    if (value !== '') return [{ op: 'add', path, value }];
    return name in present ? [{ op: 'remove', path }] : [];
  });
  if (operations.length === 0) return {};
  const first = isRecord(given) ? [] : [{ op: 'add', path: '/metadata/annotations', value: {} }];
  const patch = base64(JSON.stringify([...first, ...operations]));
  return { patchType: 'JSONPatch', patch };
}

/** Encodes the text's UTF-8. @param {string} text */
function base64(text) {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
