/** Asks the engine for faults of objects: of those that no command reads before, for example. */
import { resourceOf } from '../../kubernetes/kinds.js';

/**
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Host } from '../host.js'
 */

/** @typedef {{ error: InputError, object: KubernetesObject }} Fault */

/**
 * Asks the engine, which reads the objects of most commands, for the faults of those that have no
 * known kind. Without this, a command that picks objects by their kind would pass over them.
 * @param {KubernetesObject[]} objects
 * @param {Pick<Host, 'loadEngine'>} host
 * @returns {Promise<Fault[]>}
 */
export async function faultsOfUnknown(objects, host) {
  return faultsIn(
    objects.filter((object) => !resourceOf(object)),
    host,
  );
}

/**
 * Asks the engine for the faults of objects, before they are used or copied.
 * @param {KubernetesObject[]} objects
 * @param {Pick<Host, 'loadEngine'>} host
 * @returns {Promise<Fault[]>}
 */
export async function faultsIn(objects, host) {
  /** @type {Fault[]} */
  const faults = [];
  if (objects.length === 0) return faults;
  const scheduler = (await host.loadEngine()).createScheduler({ keepObjects: false });
  const onError = (/** @type {InputError} */ error) => {
    // Kinds of other projects are no fault.
    if (error.code !== 'UnknownKind') faults.push({ error, object: objects[error.index ?? 0] });
  };
  scheduler.apply(objects.map(withoutEvent), { onError });
  scheduler.dispose();
  return faults;
}

/**
 * Returns what the engine is to read as an object. Without its type, a watch event is an object
 * that lacks a kind: input is a cluster, and not its changes.
 * @param {KubernetesObject} object
 */
export function withoutEvent(object) {
  return object.kind === undefined ? { ...object, type: undefined } : object;
}
