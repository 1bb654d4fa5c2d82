/**
 * Parses the method and path of a request.
 * Counterpart: apiserver/pkg/endpoints/request/requestinfo.go, v1.36.
 */
import { resourceAt } from '../src/kubernetes/kinds.js';
import { badRequest, failure, noSuchPath } from '../src/kubernetes/status_errors.js';

/** @import { Resource } from '../src/kubernetes/kinds.js' */

/**
 * @typedef {'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' |
 *   'deletecollection'} Verb
 */

/**
 * @typedef {object} ResourceRequest
 * @property {Verb} verb
 * @property {Resource} resource
 * @property {string} namespace '' for all namespaces, and for cluster-scoped objects
 * @property {string} name '' for a collection
 * @property {string} subresource '' for the object itself
 * @property {URLSearchParams} query
 */

/**
 * @param {string} method
 * @param {URL} url
 * @returns {ResourceRequest | null} null if the path is not that of a resource
 * @throws {import('../src/kubernetes/api_error.js').ApiError} NotFound, MethodNotAllowed
 */
export function requestInfo(method, url) {
  const parts = partsOf(url.pathname);
  const [apiVersion, rest] =
    parts[0] === 'api' ? [parts[1], parts.slice(2)] : [parts.slice(1, 3).join('/'), parts.slice(3)];
  if ((parts[0] !== 'api' && parts[0] !== 'apis') || rest.length === 0) return null;
  const isOldWatch = rest[0] === 'watch';
  if (isOldWatch) rest.shift();
  const isInNamespace = rest[0] === 'namespaces' && rest.length > 2;
  const resource =
    (isInNamespace && resourceAt(apiVersion, rest[2])) || resourceAt(apiVersion, rest[0]);
  if (!resource) throw noSuchPath();
  const namespace = resource.plural !== 'namespaces' && isInNamespace ? rest[1] : '';
  const [name = '', ...subresource] = rest.slice(namespace === '' ? 1 : 3);
  const query = url.searchParams;
  if (resource.namespaced !== (namespace !== '') && name !== '') throw noSuchPath();
  const request = { resource, namespace, name, subresource: subresource.join('/'), query };
  return { ...request, verb: verbOf(method, request, isOldWatch) };
}

/** @param {string} path */
function partsOf(path) {
  try {
    const parts = path.split('/').filter((part) => part !== '');
    return path.includes('%') ? parts.map(decodeURIComponent) : parts;
  } catch {
    throw badRequest(`a path that cannot be read: ${path}`);
  }
}

/**
 * @param {string} method
 * @param {Omit<ResourceRequest, 'verb'>} request
 * @param {boolean} isOldWatch
 * @returns {Verb}
 */
function verbOf(method, { resource, name, namespace, query }, isOldWatch) {
  const isCollection = name === '';
  const isWatch = isOldWatch || ['true', '1'].includes(query.get('watch') ?? '');
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (isOldWatch || (isCollection && isWatch)) return 'watch';
      return isCollection ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      if (!isCollection) return 'update';
      break;
    case 'PATCH':
      if (!isCollection) return 'patch';
      break;
    case 'DELETE':
      if (!isCollection) return 'delete';
      if (!resource.namespaced || namespace !== '') return 'deletecollection';
      break;
  }
  throw methodNotAllowed();
}

/** The path does not support the method. */
export function methodNotAllowed() {
  const message = 'the server does not allow this method on the requested resource';
  return failure(405, 'MethodNotAllowed', message, {});
}
