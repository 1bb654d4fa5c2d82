/**
 * Lists, complete or in pages, at the current version or an older one.
 * Source: "Retrieving large results sets in chunks" and "Resource versions" of the Kubernetes API
 * concepts, and apiserver/pkg/storage/etcd3/store.go, v1.36.
 */
import { INCONSISTENT, continueAfter, inconsistentToken, parseContinue } from './continue_token.js';
import {
  badRequest,
  expired,
  failure,
  tooLargeResourceVersion,
} from '../src/kubernetes/status_errors.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { ListOptions } from './list_options.js'
 * @import { ResourceRequest } from './request_info.js'
 * @import { Storage } from './storage.js'
 */

/**
 * @typedef {object} Page
 * @property {KubernetesObject[]} objects
 * @property {{ resourceVersion: string, continue?: string, remainingItemCount?: number }} metadata
 */

/** @typedef {Pick<ResourceRequest, 'resource' | 'namespace'>} Place */

/**
 * @param {Storage} storage
 * @param {Place} place
 * @param {ListOptions} options
 * @returns {Page}
 * @throws {import('../src/kubernetes/api_error.js').ApiError} Expired, Timeout (for a future
 *   version), BadRequest
 */
export function listPage(storage, place, options) {
  const start = startOf(storage, options);
  const prefix = prefixOf(place);
  const { entries, count } = entriesAt(storage, place, options, start);
  // The watch cache returns lists of any version without pages.
  const isWhole = options.limit === 0 || (options.resourceVersion === '0' && !options.continue);
  const limit = isWhole ? Infinity : options.limit;
  const { labelSelector, fieldSelector } = options;
  /** @type {KubernetesObject[]} */
  const objects = [];
  let last = '';
  let remainingItemCount = count;
  for (const [key, object] of entries) {
    last = key;
    remainingItemCount -= 1;
    if (labelSelector.matches(object.metadata.labels) && fieldSelector.matches(object)) {
      objects.push(object);
    }
    if (objects.length === limit) break;
  }
  const resourceVersion = String(start.resourceVersion);
  if (remainingItemCount === 0) return { objects, metadata: { resourceVersion } };
  const token = continueAfter(
    start.resourceVersion,
    prefix === '' ? `/${last}` : last.slice(prefix.length),
  );
  const isCounted = labelSelector.isEmpty && fieldSelector.isEmpty;
  return {
    objects,
    metadata: {
      resourceVersion,
      continue: token,
      ...(isCounted && { remainingItemCount }),
    },
  };
}

/**
 * Returns the common prefix of a collection's keys.
 * @param {Place} place
 */
export function prefixOf({ resource, namespace }) {
  return resource.namespaced && namespace !== '' ? `${namespace}/` : '';
}

/**
 * Returns the version of the list, and its first key.
 * @param {Storage} storage
 * @param {ListOptions} options
 * @returns {{ resourceVersion: number, key?: string }}
 */
function startOf(storage, options) {
  const current = storage.resourceVersion;
  if (options.continue !== '') {
    if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    const { resourceVersion, start } = parseContinue(options.continue);
    return {
      resourceVersion: resourceVersion === INCONSISTENT ? current : resourceVersion,
      key: start,
    };
  }
  const wanted = Number(options.resourceVersion);
  if (wanted > current) throw tooLargeResourceVersion(options.resourceVersion, current);
  return { resourceVersion: isExact(options) ? wanted : current };
}

/**
 * A version means "at least" for most lists, and exactly that one for pages.
 * @param {ListOptions} options
 */
function isExact({ resourceVersion, resourceVersionMatch, limit }) {
  if (resourceVersion === '' || resourceVersion === '0') return false;
  return resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0);
}

/**
 * @param {Storage} storage
 * @param {Place} place
 * @param {ListOptions} options
 * @param {ReturnType<typeof startOf>} start
 */
function entriesAt(storage, place, options, { resourceVersion, key = '' }) {
  const prefix = prefixOf(place);
  const found = storage.at(place.resource.plural, resourceVersion, {
    prefix,
    start: prefix + key,
  });
  if (found) return found;
  throw options.continue === '' ? expired(VERSION_EXPIRED) : continueExpired(options.continue);
}

const VERSION_EXPIRED = 'The resourceVersion for the provided list is too old.';

const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start ' +
  'a new list without the continue parameter, or use the continue token in this response to ' +
  'retrieve the remainder of the results. Continuing with the provided token results in an ' +
  'inconsistent list - objects that were created, modified, or deleted between the time the ' +
  'first chunk was returned and now may show up in the list.';

/** @param {string} token */
function continueExpired(token) {
  return failure(410, 'Expired', CONTINUE_EXPIRED, undefined, {
    continue: inconsistentToken(token),
  });
}
