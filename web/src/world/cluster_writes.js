/** Writes to the API server of a world, in its own protocol: what kubectl would send. */
import { resourceOf } from '../../../js/src/embedded_apiserver/resources.js';
import { InputError } from '../../../js/src/errors.js';

/**
 * @import { ApiServer } from '../../../js/src/embedded_apiserver/api_server.js'
 * @import { ApiClient } from '../../../js/src/informer/api_client.js'
 * @import { KubernetesObject } from '../../../js/src/types.js'
 */

/**
 * Which object is meant.
 * @typedef {{ apiVersion: string, kind: string, namespace?: string, name: string }} ObjectReference
 */

const FIELD_MANAGER = 'stowage-playground';

/** Writes makes the changes that people ask for. */
export class ClusterWrites {
  #server;
  #client;

  /** @param {{ server: ApiServer, client: ApiClient }} parts */
  constructor({ server, client }) {
    this.#server = server;
    this.#client = client;
  }

  /**
   * Makes an object as it is written, with its status, or applies it to the one that is there.
   * @param {KubernetesObject} object
   * @returns {Promise<void>}
   * @throws {import('../../../js/src/errors.js').StowageError} in the API server's words
   */
  async apply(object) {
    const { metadata = {} } = object;
    const { path, resource, namespace } = placeOf(object, metadata);
    if (!metadata.name || !this.#server.store.get(resource, namespace, metadata.name)) {
      this.#server.store.load(object);
      return;
    }
    const { status, ...rest } = object;
    await this.#serverSideApply(path, rest);
    if (status === undefined) return;
    const { apiVersion, kind } = object;
    const { name } = metadata;
    await this.#serverSideApply(`${path}/status`, { apiVersion, kind, metadata: { name }, status });
  }

  /**
   * @param {ObjectReference} reference
   * @returns {Promise<void>}
   * @throws {import('../../../js/src/errors.js').StowageError}
   */
  async delete(reference) {
    const { path } = placeOf(reference, reference);
    await this.#client.json(path, { method: 'DELETE' });
  }

  /**
   * @param {ObjectReference} reference
   * @param {object} patch a merge patch
   * @param {string} [subresource]
   * @returns {Promise<void>}
   * @throws {import('../../../js/src/errors.js').StowageError}
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
 * @param {{ apiVersion?: string, kind?: string }} type
 * @param {{ namespace?: string, name?: string }} names
 */
function placeOf({ apiVersion = '', kind = '' }, { namespace = '', name = '' }) {
  const resource = resourceOf({ apiVersion, kind });
  if (!resource) {
    const detail = `no resource is served for ${kind} of ${apiVersion}`;
    throw new InputError({ code: 'UnknownKind', apiVersion, kind, namespace, name, detail });
  }
  const { plural, namespaced } = resource;
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const own = namespaced ? namespace || 'default' : '';
  const within = namespaced ? `/namespaces/${encodeURIComponent(own)}` : '';
  return {
    resource: plural,
    namespace: own,
    path: `${base}${within}/${plural}/${encodeURIComponent(name)}`,
  };
}
