/**
 * Writes of whole objects.
 * Counterpart: apiserver/pkg/endpoints/handlers/create.go and update.go, v1.36.
 */
import { asStored } from '../event_conversion.js';
import { decodeObject, readBody } from '../request_body.js';
import { jsonResponse } from '../responses.js';
import { badRequest } from '../../src/kubernetes/status_errors.js';
import { warningsOf } from '../strategies.js';
import { checkFieldManager, fieldManagerOf, isDryRun } from './options.js';
import { representationFor } from './read.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { ResourceRequest } from '../request_info.js'
 * @import { Exchange } from './context.js'
 */

/** @param {Exchange} exchange */
export async function createObject(exchange) {
  const { server, info } = exchange;
  const answer = representationFor(exchange);
  checkFieldManager(info.query, 'CreateOptions');
  const dryRun = isDryRun(info.query);
  const { object, warnings } = decodeObject(
    info.resource,
    await readBody(exchange),
    info.query.get('fieldValidation'),
  );
  const created = server.store.create(info.resource.plural, stored(info, object), {
    dryRun,
    isDecoded: true,
  });
  return jsonResponse(answer.object(created), {
    status: 201,
    warnings: [...warningsOf(info.resource), ...warnings],
  });
}

/** @param {Exchange} exchange */
export async function updateObject(exchange) {
  const { server, info, request } = exchange;
  const answer = representationFor(exchange);
  checkFieldManager(info.query, 'UpdateOptions');
  const dryRun = isDryRun(info.query);
  const { object, warnings } = decodeObject(
    info.resource,
    await readBody(exchange),
    info.query.get('fieldValidation'),
  );
  checkName(info.name, object);
  const existed = server.store.get(info.resource.plural, info.namespace, info.name) !== undefined;
  const updated = server.store.update(info.resource.plural, stored(info, object), {
    subresource: info.subresource,
    dryRun,
    fieldManager: fieldManagerOf(request, info.query),
    isDecoded: true,
  });
  return jsonResponse(answer.object(updated), {
    status: existed ? 200 : 201,
    warnings: [...warningsOf(info.resource), ...warnings],
  });
}

/**
 * Returns the object in the namespace of the path, in the stored form.
 * @param {ResourceRequest} info
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} BadRequest
 */
export function stored({ resource, namespace }, object) {
  const metadata = object.metadata ?? {};
  checkNamespace(namespace, object);
  const placed = namespace === '' ? object : { ...object, metadata: { ...metadata, namespace } };
  return asStored(resource, placed);
}

/**
 * @param {string} namespace of the path, '' for a cluster-scoped object
 * @param {{ metadata?: { namespace?: string } }} object
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} BadRequest
 */
export function checkNamespace(namespace, { metadata }) {
  if (namespace === '' || !metadata?.namespace || metadata.namespace === namespace) return;
  throw badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  );
}

/**
 * @param {string} name of the path
 * @param {KubernetesObject} object
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} BadRequest
 */
export function checkName(name, { metadata }) {
  if (metadata?.name === name) return;
  if (metadata?.name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  }
  throw badRequest(
    `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
  );
}
