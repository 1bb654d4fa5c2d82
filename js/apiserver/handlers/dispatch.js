/** Chooses the handler of a request. */
import { createBinding } from '../subresources/binding.js';
import { createEviction } from '../subresources/eviction.js';
import { serveScale } from '../subresources/scale.js';
import { methodNotAllowed } from '../request_info.js';
import { failure, methodNotSupported, noSuchPath } from '../../src/kubernetes/status_errors.js';
import { deleteCollection, deleteObject } from './delete.js';
import { patchObject } from './patch.js';
import { getObject, listObjects, watchObjects } from './read.js';
import { createReview, isReview } from './reviews.js';
import { createObject, updateObject } from './write.js';

/**
 * @import { PlainResponse } from '../../src/io/plain_http.js'
 * @import { Exchange, Handler } from './context.js'
 */

/** @type {Record<string, Handler>} */
const OBJECTS = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create: createObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
};

/** @type {Record<string, Handler>} */
const SUBRESOURCES = {
  binding: createBinding,
  eviction: createEviction,
  scale: serveScale,
};

/** Subresources that only a kubelet can answer. */
const OF_KUBELETS = ['log', 'exec', 'attach', 'portforward', 'proxy', 'ephemeralcontainers'];

/**
 * @param {Exchange} exchange
 * @returns {PlainResponse | Promise<PlainResponse>}
 * @throws {import('../../src/kubernetes/api_error.js').ApiError}
 */
export function dispatch(exchange) {
  const { resource, verb, subresource } = exchange.info;
  if (subresource === '') {
    if (!resource.verbs.includes(verb)) throw methodNotSupported(resource, verb);
    if (verb === 'create' && exchange.info.name !== '') throw methodNotAllowed();
    return isReview(resource) ? createReview(exchange) : OBJECTS[verb](exchange);
  }
  const [name] = subresource.split('/');
  if (resource.plural === 'pods' && OF_KUBELETS.includes(name)) throw noKubelet(name);
  const found = resource.subresources.find((one) => one.name === subresource);
  if (!found) throw noSuchPath();
  if (!found.verbs.includes(verb)) throw methodNotAllowed();
  return (SUBRESOURCES[subresource] ?? OBJECTS[verb])(exchange);
}

/** @param {string} subresource */
function noKubelet(subresource) {
  const message = `pods/${subresource}: this API server has no kubelets that run containers`;
  return failure(501, 'NotImplemented', message, {});
}
