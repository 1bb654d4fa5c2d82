/** Prepares an existing object from a dump, an export, or a file before it is stored. */
import { InputError } from '../src/kubernetes/errors.js';
import { beforeCreate } from './before_create.js';
import { asStored } from './event_conversion.js';
import { present, timestamp } from './object_meta.js';
import { decoded } from './request_body.js';
import { resourceNamed, resourceOf } from '../src/kubernetes/kinds.js';
import { strategyOf } from './strategies.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 * @import { StrategyContext } from './strategies/strategy.js'
 */

/**
 * An object with a uid is stored unchanged; others are completed as on creation, but keep their
 * status.
 * @param {KubernetesObject} object
 * @param {StrategyContext} context
 * @returns {{ resource: Resource, object: KubernetesObject }}
 * @throws {InputError} UnknownKind
 * @throws {import('../src/kubernetes/api_error.js').ApiError} BadRequest, Invalid
 */
export function beforeLoad(object, context) {
  const served = resourceOf(object);
  if (!served) throw unknownKind(object);
  const whole = decoded(served, placed(served, object)).object;
  const resource = resourceNamed(served.plural);
  const known = asStored(served, whole);
  const { uid, creationTimestamp } = known.metadata;
  if (!uid) return { resource, object: created(resource, known, context) };
  const metadata = {
    ...known.metadata,
    creationTimestamp: creationTimestamp ?? timestamp(context.now),
  };
  const loaded = { ...known, metadata };
  return { resource, object: strategyOf(resource).setDefaults?.(loaded, context) ?? loaded };
}

/**
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {StrategyContext} context
 */
function created(resource, object, context) {
  const { resourceVersion: _old, ...metadata } = object.metadata;
  const loading = { ...context, isDecoded: true, isLoaded: true };
  const fresh = beforeCreate(resource, { ...object, metadata }, loading);
  const times = present({ creationTimestamp: metadata.creationTimestamp });
  return {
    ...fresh,
    metadata: { ...fresh.metadata, ...times },
    ...(object.status && { status: { ...fresh.status, ...object.status } }),
  };
}

/**
 * @param {Resource} resource
 * @param {KubernetesObject} object
 */
function placed({ namespaced }, object) {
  if (!namespaced || object.metadata?.namespace) return object;
  return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
}

/** @param {KubernetesObject} object */
function unknownKind({ apiVersion, kind, metadata }) {
  return new InputError({
    code: 'UnknownKind',
    apiVersion,
    kind,
    namespace: metadata?.namespace,
    name: metadata?.name,
    detail: `no resource is served for ${kind} of ${apiVersion}`,
  });
}
