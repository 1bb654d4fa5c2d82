/**
 * Prepares an object before it replaces the stored one.
 * Counterpart: `BeforeUpdate` of apiserver/pkg/registry/rest, v1.36.
 */
import { checkKind } from './before_create.js';
import { isEqual } from './frozen.js';
import { withManagedFields } from './managed_fields/field_manager.js';
import { present } from './object_meta.js';
import { decoded } from './request_body.js';
import { invalid } from '../src/kubernetes/status_errors.js';
import { strategyOf } from './strategies.js';
import { SETTABLE, restoredByStatus } from './strategies/status_metadata.js';
import { metadataErrors, metadataUpdateErrors } from './validation/object_meta.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 * @import { StrategyContext } from './strategies/strategy.js'
 */

/**
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {KubernetesObject} old
 * @param {StrategyContext & { subresource: string, fieldManager: string }} context `fieldManager`:
 *   '' keeps the given managedFields
 * @returns {KubernetesObject} with the resourceVersion of `old`; equal to `old` if nothing changes
 * @throws {import('../src/kubernetes/api_error.js').ApiError} Invalid
 */
export function beforeUpdate(resource, object, old, context) {
  checkKind(resource, object);
  const given = context.isDecoded ? object : decoded(resource, object).object;
  const { subresource } = context;
  const isStatus = subresource === 'status';
  const isPart = isStatus || subresource === 'finalize';
  const strategy = strategyOf(resource);
  const changed = draftOf(resource, given, old, subresource);
  const draft = context.gates?.enabled(changed, old) ?? changed;
  const whole = strategy.setDefaults?.(draft, context) ?? draft;
  const next = isPart
    ? (isStatus && strategy.prepareForStatusUpdate?.(whole, old)) || whole
    : counted(resource, strategy.prepareForUpdate?.(whole, old, context) ?? whole, old);
  const all = [
    ...metadataErrors(resource, next.metadata),
    ...metadataUpdateErrors(next.metadata, old.metadata),
    ...(isPart ? [] : (strategy.validate?.(next, context) ?? [])),
    ...(isPart ? [] : (strategy.validateUpdate?.(next, old, context) ?? [])),
    ...((isStatus && strategy.validateStatusUpdate?.(next, old, context)) || []),
  ];
  const errors = context.gates?.inForce(all, () => strategy.validate?.(old, context) ?? []) ?? all;
  if (errors.length > 0) throw invalid(resource, next.metadata.name, errors);
  if (!isPart && !old.metadata.deletionTimestamp) strategy.admit?.(next, old, context);
  return managed(resource, next, old, context);
}

/**
 * Fields are tracked from an object's first server-side apply on.
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {KubernetesObject} live
 * @param {{ now: number, subresource: string, fieldManager: string }} context
 */
function managed(resource, object, live, { now, subresource, fieldManager }) {
  if (fieldManager === '' || !live.metadata.managedFields) return object;
  return withManagedFields({ live, object, resource, subresource, fieldManager, now });
}

/**
 * Returns the old object with the changes that a subresource may make; '' may change everything but
 * the status.
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {KubernetesObject} old
 * @param {string} subresource
 */
function draftOf(resource, object, old, subresource) {
  switch (subresource) {
    case 'status':
      return withStatus(resource, object, old);
    case 'finalize':
      return {
        ...old,
        metadata: withMetadata(object, old),
        spec: { ...old.spec, finalizers: object.spec?.finalizers ?? [] },
      };
    case 'resize':
      return resized(object, old);
    default:
      return withoutStatus(resource, object, old);
  }
}

/**
 * Returns the old pod with the resources and resize policies of the new one. Counterpart:
 * `dropNonResizeUpdates` of pkg/registry/core/pod/strategy.go, v1.36.
 * @param {KubernetesObject} object
 * @param {KubernetesObject} old
 */
function resized({ metadata: { managedFields }, spec }, old) {
  const containers = resizedContainers(spec.containers, old.spec.containers);
  const initContainers = resizedContainers(spec.initContainers, old.spec.initContainers);
  const { resources } = spec;
  return {
    ...old,
    metadata: present({ ...old.metadata, managedFields }),
    spec: { ...present({ ...old.spec, initContainers, resources }), containers },
  };
}

/**
 * @param {any[] | null | undefined} containers if they are other containers they are returned
 *   unchanged, and validation refuses them
 * @param {any[]} [old]
 */
function resizedContainers(containers, old = []) {
  const isSame =
    containers?.length === old.length &&
    containers.every(({ name }, index) => name === old[index].name);
  if (!isSame) return containers;
  return containers.map(({ resources, resizePolicy }, index) =>
    present({ ...old[index], resources, resizePolicy }),
  );
}

/**
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {KubernetesObject} old
 */
function withStatus({ kind }, object, old) {
  const metadata = withMetadata(object, old, restoredByStatus(kind));
  return { ...old, metadata, ...present({ status: object.status }) };
}

/**
 * Returns the metadata of the old object with the changes that the new one may make.
 * @param {KubernetesObject} object
 * @param {KubernetesObject} old
 * @param {'all' | readonly string[]} [restored] fields that stay unchanged
 */
function withMetadata({ metadata }, old, restored = []) {
  const set = restored === 'all' ? [] : SETTABLE.filter((name) => !restored.includes(name));
  const given = Object.fromEntries(set.map((name) => [name, metadata[name]]));
  return present({ ...old.metadata, ...given, managedFields: metadata.managedFields });
}

/**
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {KubernetesObject} old
 */
function withoutStatus({ kind, apiVersion, subresources }, object, old) {
  const metadata = withMetadata(object, old);
  const hasStatus = subresources.some(({ name }) => name === 'status');
  const status = hasStatus ? { status: old.status } : {};
  const next = { ...object, kind, apiVersion, metadata, ...status };
  return hasStatus && old.status === undefined ? without(next, 'status') : next;
}

/**
 * Increments the generation if the spec changed.
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {KubernetesObject} old
 */
function counted(resource, object, old) {
  if (!strategyOf(resource).hasGeneration) return object;
  const isChange =
    !isEqual(desired(object), desired(old)) ||
    (resource.plural === 'deployments' &&
      !isEqual(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}));
  if (!isChange) return object;
  const generation = (old.metadata.generation ?? 0) + 1;
  return { ...object, metadata: { ...object.metadata, generation } };
}

/** Returns everything except metadata and status. @param {KubernetesObject} object */
function desired({ kind: _kind, apiVersion: _version, metadata: _metadata, ...fields }) {
  return without(fields, 'status');
}

/**
 * @template {Record<string, any>} T
 * @param {T} object
 * @param {string} field
 * @returns {T}
 */
function without(object, field) {
  return /** @type {T} */ (
    Object.fromEntries(Object.entries(object).filter(([key]) => key !== field))
  );
}
