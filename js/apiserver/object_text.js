/** JSON of stored objects. */
import { ofLatest } from './of_latest.js';

/** @import { KubernetesObject } from '../src/kubernetes/types.js' */

/**
 * Returns an object as an item of a list, whose kind follows from the list.
 * @param {KubernetesObject} object
 */
export function itemText({ kind: _kind, apiVersion: _version, ...fields }) {
  return JSON.stringify(fields);
}

/**
 * Returns a whole object; stored objects start with kind and apiVersion.
 * @type {(object: KubernetesObject) => string} of a frozen one
 */
export const objectText = ofLatest((object) => JSON.stringify(object));
