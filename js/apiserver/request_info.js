/**
 * Parses the method and path of a request.
 * Counterpart: apiserver/pkg/endpoints/request/requestinfo.go, v1.36.
 */
import { resourceAt } from '../src/kubernetes/kinds.js';
import { booleanOf } from './query_values.js';
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
 * @param {Pick<URL, 'pathname' | 'searchParams'>} address
 * @returns {ResourceRequest | null} null if the path is not that of a resource
 * @throws {import('../src/kubernetes/api_error.js').ApiError} NotFound, MethodNotAllowed
 */
export function requestInfo(method, { pathname, searchParams: query }) {
  const parts = partsOf(pathname);
  const [root, group, version] = parts;
  if (root !== 'api' && root !== 'apis') return null;
  const isOldWatch = parts[root === 'api' ? 2 : 3] === 'watch';
  const at = (root === 'api' ? 2 : 3) + Number(isOldWatch);
  if (parts.length <= at - Number(isOldWatch)) return null;
  const apiVersion = root === 'api' ? group : `${group}/${version}`;
  const isInNamespace = parts[at] === 'namespaces' && parts.length > at + 2;
  const resource =
    (isInNamespace && resourceAt(apiVersion, parts[at + 2])) || resourceAt(apiVersion, parts[at]);
  if (!resource) throw noSuchPath();
  const namespace = resource.plural !== 'namespaces' && isInNamespace ? parts[at + 1] : '';
  const last = at + (namespace === '' ? 1 : 3);
  const name = parts[last] ?? '';
  if (resource.namespaced !== (namespace !== '') && name !== '') throw noSuchPath();
  const subresource = parts.length > last + 1 ? parts.slice(last + 1).join('/') : '';
  const verb = verbOf(method, { resource, name, namespace, query }, isOldWatch);
  return { verb, resource, namespace, name, subresource, query };
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
 * @param {Omit<ResourceRequest, 'verb' | 'subresource'>} request
 * @param {boolean} isOldWatch
 * @returns {Verb}
 */
function verbOf(method, { resource, name, namespace, query }, isOldWatch) {
  const isCollection = name === '';
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (isOldWatch || (isCollection && booleanOf(query, 'watch'))) return 'watch';
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
