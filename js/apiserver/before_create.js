/**
 * Prepares an object before it is stored for the first time.
 * Counterpart: `BeforeCreate` of apiserver/pkg/registry/rest, v1.36.
 */
import { decoded } from './request_body.js';
import { deepFreeze } from './frozen.js';
import { freshUid, generatedName, present, timestamp } from './object_meta.js';
import { zeroOf } from './schema/zero.js';
import { shapeOf } from './schema/types.js';
import { badRequest, failure, invalid } from '../src/kubernetes/status_errors.js';
import { strategyOf } from './strategies.js';
import { metadataErrors } from './validation/object_meta.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 * @import { StrategyContext } from './strategies/strategy.js'
 */

/**
 * Returns the object with a name, a uid, its defaults and the changes of admission.
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {StrategyContext} context
 * @returns {KubernetesObject}
 * @throws {import('../src/kubernetes/api_error.js').ApiError} Invalid, or the refusal of admission
 */
export function beforeCreate(resource, object, context) {
  checkKind(resource, object);
  const { metadata, ...fields } = context.isDecoded ? object : decoded(resource, object).object;
  if (metadata?.resourceVersion) {
    const message = 'resourceVersion should not be set on objects to be created';
    throw failure(500, 'InternalError', message);
  }
  const strategy = strategyOf(resource);
  const draft = {
    kind: resource.kind,
    apiVersion: resource.apiVersion,
    metadata: freshMetadata(metadata ?? {}, strategy.hasGeneration, context),
    ...fields,
    ...(isStatusDropped(resource) && { status: emptyStatus(resource) }),
  };
  const enabled = context.gates?.enabled(draft) ?? draft;
  const whole = strategy.setDefaults?.(enabled, context) ?? enabled;
  const prepared = strategy.prepareForCreate?.(whole, context) ?? whole;
  const all = [
    ...metadataErrors(resource, prepared.metadata, context.gates),
    ...(strategy.validate?.(prepared, context) ?? []),
    ...(strategy.validateCreate?.(prepared) ?? []),
  ];
  const errors = context.gates?.inForce(all) ?? all;
  if (errors.length > 0) throw invalid(resource, prepared.metadata.name ?? '', errors);
  strategy.admit?.(prepared, undefined, { ...context, subresource: '' });
  return prepared;
}

/**
 * Checks the object's type; an absent type is that of the resource.
 * @param {Resource} resource
 * @param {{ kind?: string, apiVersion?: string }} object
 */
export function checkKind(resource, { kind, apiVersion }) {
  if (kind !== undefined && kind !== resource.kind) {
    throw badRequest(`the object is a ${kind}, not a ${resource.kind}`);
  }
  if (apiVersion !== undefined && apiVersion !== resource.apiVersion) {
    const message = `the API version in the data (${apiVersion}) does not match the expected API`;
    throw badRequest(`${message} version (${resource.apiVersion})`);
  }
}

/**
 * Creations cannot set the status.
 * @param {Resource} resource
 */
function isStatusDropped(resource) {
  const hasStatus = resource.subresources.some(({ name }) => name === 'status');
  return hasStatus && !strategyOf(resource).keepsStatus;
}

/** @type {Map<string, object>} */
const EMPTY_STATUSES = new Map();

/** @param {Resource} resource */
function emptyStatus({ apiVersion, kind }) {
  let status = EMPTY_STATUSES.get(kind);
  if (!status) {
    const { status: empty } = zeroOf(shapeOf(apiVersion, kind));
    EMPTY_STATUSES.set(kind, (status = deepFreeze(empty ?? {})));
  }
  return status;
}

/**
 * @param {any} given
 * @param {boolean | undefined} hasGeneration
 * @param {StrategyContext} context
 */
function freshMetadata(given, hasGeneration, { now, random }) {
  const {
    name,
    generateName,
    namespace,
    labels,
    annotations,
    ownerReferences,
    finalizers,
    managedFields,
  } = given;
  const isToBeNamed = !name && generateName;
  return present({
    name: isToBeNamed ? generatedName(generateName, random) : name,
    generateName,
    namespace,
    uid: freshUid(random),
    generation: hasGeneration ? 1 : undefined,
    creationTimestamp: timestamp(now),
    labels,
    annotations,
    ownerReferences,
    finalizers,
    managedFields,
  });
}
