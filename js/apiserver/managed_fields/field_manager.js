/**
 * Keeps metadata.managedFields: the manager that last set each field, by creating, updating,
 * patching or applying; and merges applied configurations. Counterpart:
 * apimachinery/pkg/util/managedfields/internal, fieldmanager.go and the managers that it is made
 * of, and structured-merge-diff/v6/merge/update.go; v1.36.
 *
 * Simplified: fields of managers of another API version of the kind count as fields of this
 * version, and sets that were written before a type changed are not converted. Neither happens in a
 * server that serves one version of each kind.
 */
import { isEqual } from '../frozen.js';
import { timestamp } from '../object_meta.js';
import { shapeOf } from '../schema/types.js';
import { zeroOf } from '../schema/zero.js';
import { badRequest } from '../../src/kubernetes/status_errors.js';
import { unknown } from '../patch/patch_errors.js';
import { compare } from './compare.js';
import { applyConflict } from './conflicts.js';
import {
  difference,
  intersection,
  isEmpty,
  recursiveDifference,
  setOf,
  union,
} from './field_set.js';
import { allowedByLastApplied, withLastApplied } from './last_applied.js';
import { capUpdateManagers, identityOf, readManagers, writeManagers } from './managers.js';
import { merge, removeItems } from './merge.js';
import { resetFields } from './reset_fields.js';
import { fieldSetOf, withNamedFields } from './typed_values.js';
import { faultOf } from './validate.js';

/** @import { Shape } from '../schema/types.js' */
/** @import { FieldSet } from './field_set.js' */
/** @import { Comparison } from './compare.js' */
/** @import { Manager, Managers } from './managers.js' */

/** @typedef {{ apiVersion: string, kind: string }} Kind */
/** @typedef {Readonly<Record<string, any>>} Live */

/** Fields that no manager owns. */
const STRIPPED = setOf(
  [
    ['apiVersion'],
    ['kind'],
    ['metadata'],
    ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName']
      .concat('generation', 'managedFields', 'resourceVersion')
      .map((name) => ['metadata', name]),
  ].map((path) => path.map((name) => `f:${name}`)),
);

/**
 * Returns the object of a create, an update or a patch with its new managedFields.
 * @param {object} options
 * @param {Live | null} options.live the stored object; null on creation
 * @param {Live} options.object the object to store, after defaulting. Not changed
 * @param {Kind} options.resource
 * @param {string} [options.subresource]
 * @param {string} options.fieldManager of the request, or else the start of its User-Agent
 * @param {number} options.now milliseconds since the epoch
 * @returns {any}
 */
export function withManagedFields({ live, object, resource, subresource, fieldManager, now }) {
  const shape = shapeOf(resource.apiVersion, resource.kind);
  const before = withoutManagedFields(live ?? zeroOf(shape));
  const after = withoutManagedFields(object);
  const managers = knownManagers({ live, object, subresource });
  // Objects without managedFields stay untracked until their first server-side apply.
  if (managers.size === 0 && live !== null) return withEntries(after, managers);
  update({ managers, before, after, shape, resource, subresource, fieldManager, now });
  capUpdateManagers(managers);
  return withEntries(after, managers);
}

/**
 * Returns the result of server-side apply.
 * @param {object} options
 * @param {Live | null} options.live null on creation
 * @param {Live} options.config the applied configuration
 * @param {Kind} options.resource
 * @param {string} [options.subresource]
 * @param {string} options.fieldManager
 * @param {boolean} options.force takes fields from other managers
 * @param {number} options.now milliseconds since the epoch
 * @returns {any} an equal object if nothing changes
 */
export function applyConfiguration({ live, config, resource, fieldManager, ...rest }) {
  const shape = shapeOf(resource.apiVersion, resource.kind);
  checkConfiguration(config, resource, shape);
  const before = withoutManagedFields(live ?? zeroOf(shape));
  const managers = readManagers(live?.metadata?.managedFields);
  if (!managers) throw unknown('failed to decode managed fields');
  if (managers.size === 0) {
    const first = { ...rest, fieldManager: 'before-first-apply' };
    update({
      managers,
      before: withoutManagedFields(zeroOf(shape)),
      after: before,
      shape,
      resource,
      ...first,
    });
  }
  const base = live ? before : {};
  const options = { before, base, config, shape, resource, fieldManager, ...rest };
  const applied = apply(options, managers);
  const object =
    fieldManager === 'kubectl' ? withLastApplied(applied.object, config) : applied.object;
  return withEntries(object, applied.managers);
}

/**
 * @param {{ live: Live | null, object: Live, subresource?: string }} options
 * @returns {Managers}
 */
function knownManagers({ live, object, subresource }) {
  const stored = readManagers(live?.metadata?.managedFields) ?? new Map();
  const given = object.metadata?.managedFields;
  if (subresource || !Array.isArray(given)) return stored;
  const isReset =
    given.length === 0 || (given.length === 1 && Object.keys(given[0] ?? {}).length === 0);
  if (isReset) return new Map();
  const own = readManagers(given);
  return own && own.size > 0 ? own : stored;
}

/** @param {Live} config @param {Kind} resource @param {Shape} shape */
function checkConfiguration(config, { apiVersion, kind }, shape) {
  const gvk = (/** @type {Kind} */ type) => {
    const version = `${type.apiVersion ?? ''}`;
    return `${version.includes('/') ? version : `/${version}`}, Kind=${type.kind ?? ''}`;
  };
  if (config.apiVersion !== apiVersion || config.kind !== kind) {
    throw badRequest(`invalid object type: ${gvk(/** @type {any} */ (config))}`);
  }
  const { namespace = '', name = '', managedFields } = config.metadata ?? {};
  if (Array.isArray(managedFields)) throw badRequest('metadata.managedFields must be nil');
  const fault = faultOf(config, shape);
  if (fault === null) return;
  const who = `${namespace}/${name}; ${gvk({ apiVersion, kind })}`;
  throw unknown(`failed to create typed patch object (${who}): ${fault}`);
}

/**
 * @typedef {object} Updating
 * @property {Managers} managers changed
 * @property {any} before
 * @property {any} after
 * @property {Shape} shape
 * @property {Kind} resource
 * @property {string} [subresource]
 * @property {string} fieldManager
 * @property {number} now
 */

/** @param {Updating} options */
function update({ managers, before, after, shape, resource, subresource, fieldManager, now }) {
  const changes = filtered(compare(before, after, shape), resource, subresource);
  const taken = union(changes.modified, changes.added);
  disown(managers, null, changes);
  const set = difference(taken, STRIPPED);
  if (isEmpty(set)) return;
  const { apiVersion } = resource;
  /** @type {Omit<Manager, 'set'>} */
  const entry = {
    manager: fieldManager || 'unknown',
    operation: 'Update',
    apiVersion,
    ...(subresource && { subresource }),
  };
  const identity = identityOf(entry);
  const previous = managers.get(identity)?.set ?? {};
  managers.set(identity, { ...entry, time: timestamp(now), set: union(set, previous) });
}

/**
 * Removes changed fields from all other managers.
 * @param {Managers} managers changed
 * @param {string | null} own the manager that keeps its fields
 * @param {Comparison} changes
 */
function disown(managers, own, { added, modified, removed }) {
  const gone = union(union(added, modified), removed);
  for (const [identity, entry] of managers) {
    if (identity === own) continue;
    const set = difference(entry.set, gone);
    if (isEmpty(set)) managers.delete(identity);
    else managers.set(identity, { ...entry, set });
  }
}

/**
 * The applied configuration; `base` is the object that it is merged with.
 * @typedef {Omit<Updating, 'managers' | 'after'> & { base: any, config: any, force: boolean }}
 *   Applying
 */

/**
 * @param {Applying} options
 * @param {Managers} known
 * @returns {{ object: any, managers: Managers }}
 */
function apply({ before, base, config, shape, force, now, ...request }, known) {
  const { resource, subresource, fieldManager } = request;
  const managers = new Map(known);
  const { apiVersion } = resource;
  /** @type {Omit<Manager, 'set'>} */
  const entry = {
    manager: fieldManager,
    operation: 'Apply',
    apiVersion,
    ...(subresource && { subresource }),
  };
  const own = identityOf(entry);
  const last = managers.get(own);
  const reset = resetFields(resource.kind, subresource);
  const applied = recursiveDifference(fieldSetOf(config, shape), reset);
  managers.set(own, { ...entry, set: applied });
  const merged = merge(base, config, shape) ?? {};
  const object = prune({ merged, last: last?.set ?? {}, managers, shape });
  const changes = filtered(compare(before, object, shape), resource, subresource);
  if (!force) refuseConflicts({ managers, own, changes, before, shape, apiVersion, fieldManager });
  disown(managers, own, changes);
  const set = difference(applied, STRIPPED);
  const isNoop = isEqual(before, object);
  const time = isNoop ? last?.time : timestamp(now);
  if (isEmpty(set)) managers.delete(own);
  else managers.set(own, { ...entry, ...(time !== undefined && { time }), set });
  return { object, managers };
}

/**
 * @param {{ managers: Managers, own: string, changes: Comparison, before: any, shape: Shape,
 *   apiVersion: string, fieldManager: string }} options
 */
function refuseConflicts({ managers, own, changes, before, shape, apiVersion, fieldManager }) {
  const touched = union(changes.modified, changes.added);
  const allowed =
    fieldManager === 'kubectl' ? allowedByLastApplied({ live: before, shape, apiVersion }) : {};
  const conflicts = new Map(
    [...managers]
      .filter(([identity]) => identity !== own)
      .map(([identity, { set }]) => [identity, difference(intersection(set, touched), allowed)]),
  );
  if ([...conflicts.values()].every(isEmpty)) return;
  throw applyConflict(conflicts, managers);
}

/**
 * Removes fields that the manager applied before, no longer applies, and owns alone.
 * @param {{ merged: any, last: FieldSet, managers: Managers, shape: Shape }} options
 */
function prune({ merged, last, managers, shape }) {
  if (isEmpty(last)) return merged;
  const named = (/** @type {FieldSet} */ set) => withNamedFields(set, shape);
  const owned = [...managers.values()].reduce((all, { set }) => union(all, set), {});
  const everything = named(fieldSetOf(merged, shape));
  const withoutLast = removeItems(merged, named(last), shape);
  const kept = union(named(fieldSetOf(withoutLast, shape)), named(owned));
  const withOwned = removeItems(merged, difference(everything, kept), shape);
  const left = named(fieldSetOf(withOwned, shape));
  // Fields that no manager owns, or below another manager's field, are not this manager's to
  // remove.
  const removed = intersection(difference(everything, left), named(last));
  return removeItems(merged, removed, shape) ?? {};
}

/**
 * @param {Comparison} changes
 * @param {Kind} resource
 * @param {string} [subresource]
 * @returns {Comparison} without fields that the request cannot set
 */
function filtered({ added, modified, removed }, { kind }, subresource) {
  const reset = resetFields(kind, subresource);
  if (isEmpty(reset)) return { added, modified, removed };
  return {
    added: recursiveDifference(added, reset),
    modified: recursiveDifference(modified, reset),
    removed: recursiveDifference(removed, reset),
  };
}

/** managedFields never own themselves. @param {Live} object */
function withoutManagedFields(object) {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** @param {any} object @param {Managers} managers */
function withEntries(object, managers) {
  const managedFields = writeManagers(managers);
  if (!managedFields) return object;
  return { ...object, metadata: { ...object.metadata, managedFields } };
}
