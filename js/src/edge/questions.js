/** Checks questions. */
import { failure } from '../kubernetes/status_errors.js';
import { isRecord, wordsOf } from '../kubernetes/values.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** Names of kubeconfig contexts contain dots, dashes and underscores. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;
const NAME_WORDS =
  'letters, digits, ".", "_" and "-", at most 253, and begins with a letter or digit';

/** The details of each node: its total, also its scores, also the scores before the weights. */
const DETAILS = ['total', 'scores', 'rawScores'];

/** The default number of nodes in an answer. */
const NODES = 10;

/** @typedef {'total' | 'scores' | 'rawScores'} Detail */
/**
 * @typedef {{ pod: KubernetesObject, cluster: string, limit: number, detail: Detail }}
 *   PreScoreQuestion
 */
/** @typedef {{ pod: KubernetesObject, clusters: string[] }} RankingQuestion */

/**
 * @param {unknown} body
 * @returns {PreScoreQuestion}
 * @throws {import('../kubernetes/api_error.js').ApiError} BadRequest; Invalid if the pod is
 */
export function preScoreQuestion(body) {
  const fields = checkedFields(body, ['pod', 'cluster', 'limit', 'detail']);
  const { cluster, limit = NODES, detail = 'scores' } = fields;
  checkName('cluster', cluster);
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw badField('limit', limit, 'must be an integer from 0');
  if (!DETAILS.includes(detail))
    throw badField('detail', detail, `must be one of ${DETAILS.join(', ')}`);
  return { pod: checkedPod(fields.pod), cluster, limit, detail };
}

/**
 * @param {unknown} body
 * @param {number} most the maximum number of clusters
 * @returns {RankingQuestion}
 * @throws {import('../kubernetes/api_error.js').ApiError} BadRequest; Invalid if the pod is
 */
export function rankingQuestion(body, most) {
  const { pod, clusters } = checkedFields(body, ['pod', 'clusters']);
  if (!Array.isArray(clusters) || clusters.length === 0)
    throw badField('clusters', clusters, 'must be a list of names');
  if (clusters.length > most)
    throw badField('clusters', clusters.length, `must be ${most} at most`);
  clusters.forEach((name, index) => {
    checkName(`clusters[${index}]`, name);
    if (clusters.indexOf(name) < index)
      throw badField(`clusters[${index}]`, name, 'is named twice');
  });
  return { pod: checkedPod(pod), clusters };
}

/**
 * Decodes the name of a snapshot in a path.
 * @param {string} text
 * @throws {import('../kubernetes/api_error.js').ApiError} BadRequest
 */
export function snapshotName(text) {
  checkName('name', text);
  return text;
}

/**
 * @param {unknown} body
 * @param {string[]} known
 */
function checkedFields(body, known) {
  if (!isRecord(body)) throw badField('', body, 'must be an object');
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw badField(unknown, body[unknown], `there is no such field, only ${known.join(', ')}`);
  return body;
}

/**
 * @param {string} field
 * @param {unknown} name
 */
function checkName(field, name) {
  if (typeof name !== 'string' || !NAME.test(name))
    throw badField(field, name, `a name consists of ${NAME_WORDS}`);
}

/**
 * The engine checks the pod's fields.
 * @param {any} pod
 * @returns {KubernetesObject}
 */
function checkedPod(pod) {
  if (!isRecord(pod)) throw badPod('FieldValueRequired', 'pod', 'a Pod is expected');
  const { apiVersion = 'v1', kind = 'Pod' } = pod;
  if (kind === 'Pod' && apiVersion === 'v1') return pod;
  const type = `${wordsOf(apiVersion)}, Kind=${wordsOf(kind)}`;
  throw badPod('FieldValueNotSupported', 'pod.kind', `a v1 Pod is expected, not ${type}`);
}

/**
 * @param {string} reason
 * @param {string} field
 * @param {string} message
 */
function badPod(reason, field, message) {
  const causes = [{ reason, message, field }];
  return failure(422, 'Invalid', `${field}: ${message}`, { kind: 'Pod', causes });
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} must
 */
function badField(field, value, must) {
  const message = `Invalid value: ${JSON.stringify(value) ?? 'none'}: ${must}`;
  const causes = [{ reason: 'FieldValueInvalid', message, ...(field && { field }) }];
  const sentence = [field || 'the body', message].join(': ');
  return failure(400, 'BadRequest', sentence, { causes });
}
