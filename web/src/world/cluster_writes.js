/** Writes to an API server, as kubectl would send them. */
import { InputError, StowageError } from '../../../js/src/index.js';
import { resourceOf } from '../../../js/src/kubernetes.js';

/**
 * @import { Store } from '../../../js/apiserver/index.js'
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { ApiClient } from '../../../js/src/informer.js'
 */

/**
 * Identifies an object.
 * @typedef {{ apiVersion: string, kind: string, namespace?: string, name: string }} ObjectReference
 */

/** An object to delete. @typedef {ObjectReference & { gracePeriodSeconds?: number }} Deleted */

const FIELD_MANAGER = 'stowage-playground';

/** ClusterWrites makes the changes that people ask for. */
export class ClusterWrites {
  #store;
  #client;

  /**
   * @param {{ client: Pick<ApiClient, 'json'>, store?: Store }} parts `store` belongs to a world's
   *   own server: objects are put into it as they are, including their status
   */
  constructor({ client, store }) {
    this.#client = client;
    this.#store = store;
  }

  /**
   * Creates an object, or applies it to the existing one. In a world a new object keeps its written
   * status; in a live cluster only nodes get one.
   * @param {KubernetesObject} object
   * @returns {Promise<void>}
   * @throws {import('../../../js/src/index.js').StowageError} in the API server's words
   */
  async apply(object) {
    const { metadata = {} } = object;
    const { path, collection, resource, namespace } = placeOf(object, metadata);
    const isNew = !metadata.name || !this.#store?.get(resource, namespace, metadata.name);
    if (this.#store && isNew) return void this.#store.load(object);
    const { status, ...rest } = object;
    if (!metadata.name) {
      await this.#client.json(collection, { method: 'POST', body: JSON.stringify(rest) });
      return;
    }
    await this.#serverSideApply(path, rest);
    if (status === undefined || (!this.#store && object.kind !== 'Node')) return;
    const { apiVersion, kind } = object;
    const { name } = metadata;
    await this.#serverSideApply(`${path}/status`, { apiVersion, kind, metadata: { name }, status });
  }

  /**
   * @param {Deleted} deleted
   * @returns {Promise<void>}
   * @throws {import('../../../js/src/index.js').StowageError}
   */
  async delete({ gracePeriodSeconds, ...reference }) {
    const { path } = placeOf(reference, reference);
    const isAtOnce = gracePeriodSeconds !== undefined;
    const query = isAtOnce ? { gracePeriodSeconds } : {};
    await this.#client.json(path, { method: 'DELETE', query });
  }

  /**
   * Evicts a pod, as `kubectl drain` does. A PodDisruptionBudget may refuse.
   * @param {string} pod `namespace/name`
   * @returns {Promise<void>}
   * @throws {import('../../../js/src/index.js').StowageError} in the API server's words, after the
   *   pod's name
   */
  async evict(pod) {
    const [namespace, name = ''] = pod.split('/');
    const { path } = placeOf({ apiVersion: 'v1', kind: 'Pod' }, { namespace, name });
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
    try {
      await this.#client.json(`${path}/eviction`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    } catch (cause) {
      if (!(cause instanceof StowageError)) throw cause;
      throw new StowageError(cause.code, `pod ${pod}: ${cause.message}`, { cause });
    }
  }

  /**
   * @param {ObjectReference} reference
   * @param {object} patch a merge patch
   * @param {string} [subresource]
   * @returns {Promise<void>}
   * @throws {import('../../../js/src/index.js').StowageError}
   */
  async patch(reference, patch, subresource = '') {
    const { path } = placeOf(reference, reference);
    await this.#client.json(subresource ? `${path}/${subresource}` : path, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify(patch),
    });
  }

  /**
   * Returns an object as it is, and as a strategic merge patch would leave it.
   * @param {ObjectReference} reference
   * @param {object} patch
   * @returns {Promise<{ before: KubernetesObject, after: KubernetesObject }>}
   * @throws {import('../../../js/src/index.js').StowageError}
   */
  async preview(reference, patch) {
    const { path } = placeOf(reference, reference);
    const before = await this.#client.json(path);
    const after = await this.#client.json(path, {
      method: 'PATCH',
      query: { dryRun: 'All' },
      headers: { 'Content-Type': 'application/strategic-merge-patch+json' },
      body: JSON.stringify(patch),
    });
    return { before, after };
  }

  /**
   * @param {string} path
   * @param {KubernetesObject} object
   */
  async #serverSideApply(path, object) {
    await this.#client.json(path, {
      method: 'PATCH',
      query: { fieldManager: FIELD_MANAGER, force: true },
      headers: { 'Content-Type': 'application/apply-patch+yaml' },
      body: JSON.stringify(object),
    });
  }
}

/**
 * The path of an object in the API.
 * @param {{ apiVersion?: string, kind?: string }} type
 * @param {{ namespace?: string, name?: string }} names
 * @returns {{ path: string, collection: string, resource: string, namespace: string }}
 * @throws {InputError} if the kind is unknown
 */
export function placeOf({ apiVersion = '', kind = '' }, { namespace = '', name = '' }) {
  const resource = resourceOf({ apiVersion, kind });
  if (!resource) {
    const detail = `no resource is served for ${kind} of ${apiVersion}`;
    throw new InputError({ code: 'UnknownKind', apiVersion, kind, namespace, name, detail });
  }
  const { plural, namespaced } = resource;
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const own = namespaced ? namespace || 'default' : '';
  const within = namespaced ? `/namespaces/${encodeURIComponent(own)}` : '';
  const collection = `${base}${within}/${plural}`;
  return {
    resource: plural,
    namespace: own,
    collection,
    path: `${collection}/${encodeURIComponent(name)}`,
  };
}
