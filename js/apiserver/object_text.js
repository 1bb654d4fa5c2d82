/** JSON of stored objects. */
import { ofLatest } from './of_latest.js';

/** @import { KubernetesObject } from '../src/kubernetes/types.js' */

/**
 * An object as it stands in a list, which says the kind of its items once.
 * @param {KubernetesObject} object
 */
export function itemText({ kind: _kind, apiVersion: _version, ...fields }) {
  return JSON.stringify(fields);
}

/**
 * A whole object; kind and apiVersion come first in all that is stored.
 * @type {(object: KubernetesObject) => string} of a frozen one
 */
export const objectText = ofLatest((object) => JSON.stringify(object));
