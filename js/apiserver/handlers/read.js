/**
 * Reads: one object, a list, a watch.
 * Counterpart: apiserver/pkg/endpoints/handlers/get.go and watch.go, v1.36.
 */
import { listOptions } from '../list_options.js';
import { listPage } from '../lists.js';
import { viewAccepted } from '../negotiation.js';
import { representation } from '../representation.js';
import { jsonResponse, streamResponse } from '../responses.js';
import { badRequest, notFound } from '../../src/kubernetes/status_errors.js';
import { WatchStream } from '../watch_stream.js';

/** @import { Exchange } from './context.js' */

/** @param {Exchange} exchange */
export function getObject(exchange) {
  const answer = representationFor(exchange);
  return jsonResponse(answer.object(objectOf(exchange)));
}

/**
 * Returns the object that the path names.
 * @param {Exchange} exchange
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} NotFound
 */
export function objectOf({ server, info: { resource, namespace, name } }) {
  const object = server.store.get(resource.plural, namespace, name);
  if (!object) throw notFound(resource, name);
  return object;
}

/** @param {Exchange} exchange */
export function listObjects(exchange) {
  const { server, info } = exchange;
  const answer = representationFor(exchange);
  const options = listOptions(info.resource, info.query, false);
  const { objects, metadata } = listPage(server.storage, info, options);
  return jsonResponse(answer.list(objects, metadata));
}

/** @param {Exchange} exchange */
export function watchObjects(exchange) {
  const { server, info, request } = exchange;
  const { storage, clock, random, watches } = server;
  const options = withName(listOptions(info.resource, info.query, true), info.name);
  const { stream } = new WatchStream({
    storage,
    request: info,
    options,
    representation: representationFor(exchange),
    clock,
    random,
    watches,
    asked: request,
  });
  return streamResponse(stream);
}

/**
 * Adds the name in the path to the selector of a watch; another name there is an error.
 * @param {import('../list_options.js').ListOptions} options
 * @param {string} name
 */
function withName(options, name) {
  if (name === '') return options;
  const asked = options.fieldSelector.name;
  if (asked !== undefined && asked !== name) {
    throw badRequest('both a name and a field selector provided; please provide one or the other.');
  }
  return { ...options, fieldSelector: options.fieldSelector.withName(name) };
}

/**
 * Returns the form in which the client wants objects. Handlers call it first, so that nothing is
 * written for a client that does not accept the response.
 * @param {Exchange} exchange
 * @param {import('../representation.js').ObjectType} [type] if it differs from the path's
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} NotAcceptable
 */
export function representationFor(exchange, type = exchange.info.resource) {
  const { server, info } = exchange;
  const includeObject = info.query.get('includeObject');
  return representation(type, viewFor(exchange), {
    now: () => server.clock.now(),
    tableOf: server.forKubectl?.tableOf,
    includeObject,
  });
}

/**
 * Returns the view that the client accepts. Reviews and bindings cannot be read and have no Table.
 * @param {Exchange} exchange
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} NotAcceptable
 */
export function viewFor({ server, info: { resource, subresource }, request }) {
  const { verbs } = resource.subresources.find(({ name }) => name === subresource) ?? resource;
  const hasTable = server.forKubectl !== undefined && verbs.includes('get');
  return viewAccepted(request.headers.get('Accept'), { hasTable });
}
