/**
 * In which form a client wants its answer, which is always JSON, and in which it sends its request.
 * Counterpart: apiserver/pkg/endpoints/handlers/negotiation, v1.36.
 */
import { PROTOBUF } from './schema/protobuf.js';
import { failure, unsupportedMediaType } from './status_errors.js';

/**
 * `Table` and `PartialObjectMetadata` are views of any object; '' is the object itself.
 * @typedef {'' | 'Table' | 'PartialObjectMetadata'} View
 */

/** What a body may be sent as. */
const BODY_TYPES = ['application/json', 'application/yaml', PROTOBUF];

/** The views, and the version they have. A list is asked for by its own name. */
const VIEWS = new Map(
  /** @type {[string, View][]} */ ([
    ['Table', 'Table'],
    ['PartialObjectMetadata', 'PartialObjectMetadata'],
    ['PartialObjectMetadataList', 'PartialObjectMetadata'],
  ]),
);

/** @typedef {{ type: string, parameters: Map<string, string> }} MediaType */

/**
 * The view that the `Accept` header asks for first, among those that are served.
 * @param {string | null} accept
 * @returns {View}
 * @throws {import('../api_error.js').ApiError} NotAcceptable
 */
export function viewAccepted(accept) {
  if (accept === null || accept.trim() === '') return '';
  for (const { type, parameters } of mediaTypes(accept)) {
    const isJson = ['application/json', 'application/*', '*/*'].includes(type);
    const isInternal = parameters.has('stream') && parameters.get('stream') !== 'watch';
    if (!isJson || isInternal) continue;
    const as = parameters.get('as');
    if (as === undefined) return '';
    const view = VIEWS.get(as);
    const isKnown = parameters.get('g') === 'meta.k8s.io' && parameters.get('v') === 'v1';
    if (view && isKnown) return view;
  }
  throw notAcceptable(['application/json']);
}

/**
 * Whether aggregated discovery is asked for before all other forms.
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
 * The media type of a body, without its parameters; JSON where there is none.
 * @param {string | null} contentType
 * @param {readonly string[]} [supported]
 * @throws {import('../api_error.js').ApiError} UnsupportedMediaType
 */
export function bodyType(contentType, supported = BODY_TYPES) {
  const type = (contentType ?? '').split(';')[0].trim().toLowerCase();
  if (type === '' && supported === BODY_TYPES) return 'application/json';
  if (supported.includes(type)) return type;
  throw unsupportedMediaType(
    'the body of the request was in an unknown format - accepted media types include: ' +
      supported.join(', '),
  );
}

/** @param {string[]} types */
function notAcceptable(types) {
  return failure(
    406,
    'NotAcceptable',
    `only the following media types are accepted: ${types.join(', ')}`,
  );
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
