/**
 * Negotiates the form of a response, which is always JSON, and of a request.
 * Counterpart: apiserver/pkg/endpoints/handlers/negotiation, v1.36.
 */
import { failure, unsupportedMediaType } from '../src/kubernetes/status_errors.js';

/**
 * The form of a response. Kind '' is the object itself, the others are views of any object, whose
 * version is that of the group meta.k8s.io.
 * @typedef {object} View
 * @property {'' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'} kind
 * @property {string} apiVersion '' for the object itself
 */

/** The media types of bodies that every server reads. */
export const BODY_TYPES = ['application/json', 'application/yaml'];

/** That of the bodies which kubectl creates itself, from v1.33 on. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const VIEW_GROUP = 'meta.k8s.io';
const VIEW_VERSIONS = ['v1', 'v1beta1'];
const VIEW_KINDS = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];

/** @type {View} */
const OBJECT_ITSELF = Object.freeze({ kind: '', apiVersion: '' });

/** @typedef {{ type: string, parameters: Map<string, string> }} MediaType */

/**
 * Returns the served view that the `Accept` header prefers.
 * @param {string | null} accept
 * @param {{ hasTable?: boolean }} [resource] `hasTable`: whether it can be returned as a Table
 * @returns {View}
 * @throws {import('../src/kubernetes/api_error.js').ApiError} NotAcceptable
 */
export function viewAccepted(accept, { hasTable = true } = {}) {
  if (accept === null || accept.trim() === '') return OBJECT_ITSELF;
  for (const { type, parameters } of mediaTypes(accept)) {
    const isJson = ['application/json', 'application/*', '*/*'].includes(type);
    const isInternal = parameters.has('stream') && parameters.get('stream') !== 'watch';
    if (!isJson || isInternal) continue;
    const view = viewOf(parameters);
    if (view && (hasTable || view.kind !== 'Table')) return view;
  }
  throw notAcceptable('only the following media types are accepted: application/json');
}

/**
 * @param {Map<string, string>} parameters of a media type
 * @returns {View | null} null if there is no such view
 */
function viewOf(parameters) {
  const [kind, group, version] = ['as', 'g', 'v'].map((name) => parameters.get(name));
  if (kind === undefined) return OBJECT_ITSELF;
  const isServed =
    VIEW_KINDS.includes(kind) && group === VIEW_GROUP && VIEW_VERSIONS.includes(version ?? '');
  if (!isServed) return null;
  return { kind: /** @type {View['kind']} */ (kind), apiVersion: `${group}/${version}` };
}

/**
 * Whether the client prefers aggregated discovery to all other forms.
 * @param {string | null} accept
 */
export function acceptsAggregatedDiscovery(accept) {
  for (const { type, parameters } of mediaTypes(accept ?? '')) {
    if (type !== 'application/json' && type !== '*/*') continue;
    if (parameters.get('as') === undefined) return false;
    const isKnown =
      parameters.get('g') === 'apidiscovery.k8s.io' &&
      parameters.get('as') === 'APIGroupDiscoveryList' &&
      parameters.get('v') === 'v2';
    if (isKnown) return true;
  }
  return false;
}

/**
 * Returns the media type of a body, without its parameters; JSON by default if it is supported.
 * @param {string | null} contentType
 * @param {readonly string[]} supported
 * @throws {import('../src/kubernetes/api_error.js').ApiError} UnsupportedMediaType
 */
export function bodyType(contentType, supported) {
  const type = (contentType ?? '').split(';')[0].trim().toLowerCase();
  const known = type || 'application/json';
  if (supported.includes(known)) return known;
  throw unsupportedMediaType(
    'the body of the request was in an unknown format - accepted media types include: ' +
      supported.join(', '),
  );
}

/** @param {string} message */
export function notAcceptable(message) {
  return failure(406, 'NotAcceptable', message);
}

/**
 * @param {string} accept
 * @returns {MediaType[]} in the order of the header
 */
function mediaTypes(accept) {
  return accept.split(',').map((clause) => {
    const [type, ...parameters] = clause.split(';').map((part) => part.trim());
    return {
      type: type.toLowerCase(),
      parameters: new Map(
        parameters.map((parameter) => {
          const [name, value = ''] = parameter.split('=').map((part) => part.trim());
          return [name.toLowerCase(), value];
        }),
      ),
    };
  });
}
