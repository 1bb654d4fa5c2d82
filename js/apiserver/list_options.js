/**
 * The options of a list or a watch.
 * Counterpart: apimachinery/pkg/apis/meta/internalversion (types, defaults, validation), v1.36.
 */
import { forbiddenField, invalidValue, notSupported } from '../src/kubernetes/field_errors.js';
import { parseFieldSelector } from '../src/kubernetes/field_selector.js';
import { parseLabelSelector } from '../src/kubernetes/label_selector.js';
import { booleanOf } from './query_values.js';
import { badRequest, invalid } from '../src/kubernetes/status_errors.js';

/**
 * @import { FieldError } from '../src/kubernetes/field_errors.js'
 * @import { FieldSelector } from '../src/kubernetes/field_selector.js'
 * @import { LabelSelector } from '../src/kubernetes/label_selector.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 */

/**
 * @typedef {object} ListOptions
 * @property {LabelSelector} labelSelector
 * @property {FieldSelector} fieldSelector
 * @property {string} resourceVersion
 * @property {string} resourceVersionMatch
 * @property {number} limit 0 means no limit
 * @property {string} continue
 * @property {boolean} allowWatchBookmarks
 * @property {boolean | undefined} sendInitialEvents
 * @property {number | undefined} timeoutSeconds
 */

const EXACT = 'Exact';
const NOT_OLDER_THAN = 'NotOlderThan';

/**
 * @param {Resource} resource
 * @param {URLSearchParams} query
 * @param {boolean} isWatch
 * @returns {ListOptions}
 * @throws {import('../src/kubernetes/api_error.js').ApiError} BadRequest, Invalid
 */
export function listOptions(resource, query, isWatch) {
  const options = {
    labelSelector: parseLabelSelector(query.get('labelSelector') ?? ''),
    fieldSelector: parseFieldSelector(resource, query.get('fieldSelector') ?? ''),
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    limit: Math.max(0, integer(query, 'limit') ?? 0),
    continue: query.get('continue') ?? '',
    allowWatchBookmarks: booleanOf(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: booleanOf(query, 'sendInitialEvents'),
    timeoutSeconds: integer(query, 'timeoutSeconds'),
  };
  const errors = isWatch ? watchErrors(options) : listErrors(options);
  if (!/^\d*$/.test(options.resourceVersion)) {
    const detail = `strconv.ParseUint: parsing "${options.resourceVersion}": invalid syntax`;
    errors.push(invalidValue('resourceVersion', options.resourceVersion, detail));
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return isWatch ? withInitialEvents(options) : options;
}

/**
 * Without a version, or with version 0, a watch starts with the existing objects.
 * @param {ListOptions} options
 * @returns {ListOptions}
 */
function withInitialEvents(options) {
  const { sendInitialEvents, resourceVersion } = options;
  const isFromAny = resourceVersion === '' || resourceVersion === '0';
  return sendInitialEvents === undefined && isFromAny
    ? { ...options, sendInitialEvents: true }
    : options;
}

/** @param {ListOptions} options */
function listErrors({ resourceVersion, resourceVersionMatch: match, ...options }) {
  /** @type {FieldError[]} */
  const errors = [];
  const forbid = (/** @type {string} */ detail) =>
    void errors.push(forbiddenField('resourceVersionMatch', `resourceVersionMatch ${detail}`));
  if (match !== '') {
    if (resourceVersion === '') forbid('is forbidden unless resourceVersion is provided');
    if (options.continue !== '') forbid('is forbidden when continue is provided');
    if (match !== EXACT && match !== NOT_OLDER_THAN) {
      errors.push(notSupported('resourceVersionMatch', match, [EXACT, NOT_OLDER_THAN, '']));
    }
    if (match === EXACT && resourceVersion === '0') {
      forbid('"exact" is forbidden for resourceVersion "0"');
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

/** @param {ListOptions} options */
function watchErrors({ resourceVersionMatch: match, sendInitialEvents, ...options }) {
  /** @type {FieldError[]} */
  const errors = [];
  const forbid = (/** @type {string} */ detail) =>
    void errors.push(forbiddenField('resourceVersionMatch', detail));
  if (sendInitialEvents !== undefined && match !== NOT_OLDER_THAN) {
    forbid(`sendInitialEvents requires setting resourceVersionMatch to ${NOT_OLDER_THAN}`);
  }
  if (match === '') return errors;
  if (sendInitialEvents === undefined) {
    forbid('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  }
  if (match !== NOT_OLDER_THAN) {
    errors.push(notSupported('resourceVersionMatch', match, [NOT_OLDER_THAN]));
  }
  if (options.continue !== '') {
    forbid('resourceVersionMatch is forbidden when continue is provided');
  }
  return errors;
}

/**
 * @param {URLSearchParams} query
 * @param {string} name
 */
function integer(query, name) {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  }
  return Number(text);
}
