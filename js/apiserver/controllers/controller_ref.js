import { isNotFound } from './api_errors.js';
import { labelsOf, selectorFor } from './label_selector.js';
import { controllerOf, controllerRefTo } from '../../src/kubernetes/owners.js';

/**
 * Controller references: adoption and release. Counterpart:
 * pkg/controller/controller_ref_manager.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { ControllerContext } from './controller_context.js'
 * @import { Indexer } from './indexer.js'
 */

export { controllerOf, controllerRefTo };

/** The index of the objects that a controller owns, by its uid. */
export const CONTROLLER_UID = 'controllerUID';

/** The index of the objects without a controller, by namespace. */
const ORPHANS = 'orphans';

/**
 * Adds an index of a resource's objects by their controller.
 * @param {Indexer} indexer
 */
export function indexByController(indexer) {
  indexer.addIndex(CONTROLLER_UID, (object) => {
    const owner = controllerOf(object);
    return owner ? [owner.uid] : [];
  });
  indexer.addIndex(ORPHANS, (object) =>
    controllerOf(object) ? [] : [object.metadata.namespace ?? ''],
  );
}

/**
 * Returns the owner's objects: those with its reference that its selector matches, and matching
 * orphans, which are adopted. Objects that it does not match any more are released.
 * @param {ControllerContext} context
 * @param {object} claim
 * @param {KubernetesObject} claim.owner
 * @param {string} claim.resource of the objects
 * @param {any} claim.selector a LabelSelector
 * @param {(object: KubernetesObject) => boolean} [claim.isMeant] a further condition for an object
 * @param {string[]} [claim.finalizers] that adoption adds
 * @returns {KubernetesObject[]}
 */
export function claimObjects(
  context,
  { owner, resource, selector, isMeant = () => true, finalizers = [] },
) {
  const indexer = context.indexer(resource);
  const selected = selectorFor(selector);
  const isIts = (/** @type {KubernetesObject} */ object) =>
    selected.matches(labelsOf(object)) && isMeant(object);
  const isLeaving = Boolean(owner.metadata.deletionTimestamp);
  const claimed = [];
  for (const object of indexer.byIndex(CONTROLLER_UID, owner.metadata.uid)) {
    if (isIts(object)) claimed.push(object);
    else if (!isLeaving) release(context, resource, object, owner);
  }
  if (isLeaving) return claimed;
  for (const object of indexer.byIndex(ORPHANS, owner.metadata.namespace)) {
    if (object.metadata.deletionTimestamp || !isIts(object)) continue;
    const adopted = adopt(context, resource, object, { owner, finalizers });
    if (adopted) claimed.push(adopted);
  }
  return claimed;
}

/**
 * Returns the controller of an object, if it has that kind and exists with the same uid.
 * @param {KubernetesObject} object
 * @param {{ kind: string, indexer: Indexer }} owners
 * @returns {KubernetesObject | undefined}
 */
export function resolveController(object, { kind, indexer }) {
  const owner = controllerOf(object);
  if (owner?.kind !== kind) return undefined;
  const { namespace } = object.metadata;
  const found = indexer.get(namespace ? `${namespace}/${owner.name}` : owner.name);
  return found?.metadata.uid === owner.uid ? found : undefined;
}

/**
 * Enqueues the owners of a resource's object when it changes; for orphans, all owners that may
 * adopt it.
 * @param {ControllerContext} context
 * @param {object} dependents
 * @param {string} dependents.resource
 * @param {string} dependents.owners their resource
 * @param {string} dependents.kind of the owners
 * @param {(owner: KubernetesObject) => any} [dependents.selectorOf] the owner's LabelSelector
 * @param {(owner: KubernetesObject, after?: KubernetesObject, before?: KubernetesObject) => void}
 *   dependents.notify
 */
export function watchDependents(
  context,
  { resource, owners, kind, notify, selectorOf = ({ spec }) => spec.selector },
) {
  const indexer = context.indexer(owners);
  const dependents = context.indexer(resource);
  indexByController(dependents);
  indexer.addIndex('namespace', ({ metadata }) => [metadata.namespace ?? '']);
  context.onChange(resource, (after, before) => {
    const now = after && resolveController(after, { kind, indexer });
    const then = before && resolveController(before, { kind, indexer });
    if (then && then !== now) notify(then, after, before);
    if (now) notify(now, after, before);
    if (!after || controllerOf(after)) return;
    const isSame = before && before.metadata.labels === after.metadata.labels && !then;
    if (isSame) return;
    for (const owner of indexer.byIndex('namespace', after.metadata.namespace ?? ''))
      if (selectorFor(selectorOf(owner)).matches(labelsOf(after))) notify(owner, after, before);
  });
}

/**
 * @param {ControllerContext} context
 * @param {string} resource
 * @param {KubernetesObject} object
 * @param {{ owner: KubernetesObject, finalizers: string[] }} adoption
 */
function adopt({ store }, resource, object, { owner, finalizers: added }) {
  const { ownerReferences = [], finalizers = [] } = object.metadata;
  const metadata = {
    ...object.metadata,
    ownerReferences: [...ownerReferences, controllerRefTo(owner)],
    ...(added.length > 0 && { finalizers: [...new Set([...finalizers, ...added])] }),
  };
  try {
    return store.update(resource, { ...object, metadata });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return undefined;
  }
}

/**
 * @param {ControllerContext} context
 * @param {string} resource
 * @param {KubernetesObject} object
 * @param {KubernetesObject} owner
 */
function release({ store }, resource, object, owner) {
  const ownerReferences = object.metadata.ownerReferences.filter(
    (/** @type {any} */ { uid }) => uid !== owner.metadata.uid,
  );
  try {
    store.update(resource, { ...object, metadata: { ...object.metadata, ownerReferences } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
