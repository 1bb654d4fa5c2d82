/**
 * Deletions, of one object and of a collection.
 * Counterpart: apiserver/pkg/endpoints/handlers/delete.go, v1.36.
 */
import { ApiError } from '../../src/kubernetes/api_error.js';
import { checkMortal } from '../admission/namespace_lifecycle.js';
import { listOptions } from '../list_options.js';
import { listPage } from '../lists.js';
import { jsonResponse } from '../responses.js';
import { forbidden } from '../../src/kubernetes/status_errors.js';
import { strategyOf } from '../strategies.js';
import { SYSTEM_PRIORITIES } from '../validation/other_kinds.js';
import { deleteOptions } from './options.js';
import { representationFor } from './read.js';

/**
 * @import { Resource } from '../../src/kubernetes/kinds.js'
 * @import { Exchange } from './context.js'
 */

/** @param {Exchange} exchange */
export async function deleteObject(exchange) {
  const { server, info } = exchange;
  const { resource, namespace, name } = info;
  const answer = representationFor(exchange);
  const options = await deleteOptions(exchange);
  checkDeletable(resource, name);
  const { object, isDeleted } = server.store.delete(resource.plural, namespace, name, options);
  if (!isDeleted || strategyOf(resource).returnsDeleted) {
    return jsonResponse(answer.object(object));
  }
  const { group, plural } = resource;
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(group !== '' && { group }),
      kind: plural,
      uid: object.metadata.uid,
    },
  };
  return jsonResponse(JSON.stringify(status));
}

/**
 * @param {Resource} resource
 * @param {string} name
 * @throws {ApiError} Forbidden
 */
function checkDeletable(resource, name) {
  if (resource.plural === 'namespaces') checkMortal(name);
  if (resource.plural !== 'priorityclasses' || !SYSTEM_PRIORITIES.has(name)) return;
  throw forbidden(resource, name, 'this is a system priority class and cannot be deleted');
}

/** @param {Exchange} exchange */
export async function deleteCollection(exchange) {
  const { server, info } = exchange;
  const { resource } = info;
  const answer = representationFor(exchange);
  const options = await deleteOptions(exchange);
  const selection = listOptions(resource, info.query, false);
  const { objects, metadata } = listPage(server.storage, info, selection);
  for (const { metadata: of } of objects) {
    try {
      server.store.delete(resource.plural, of.namespace ?? '', of.name, options);
    } catch (refusal) {
      // The deletion of one object may delete others of the collection.
      if (!(refusal instanceof ApiError && refusal.code === 'NotFound')) throw refusal;
    }
  }
  return jsonResponse(answer.list(objects, metadata));
}
