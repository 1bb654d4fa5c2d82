/** JSON of stored objects, made once for all who read them: they are frozen, so it stays true. */

/** @import { KubernetesObject } from '../types.js' */

/** Without kind and apiVersion. @type {WeakMap<KubernetesObject, string>} */
const TEXTS = new WeakMap();

/**
 * An object as it stands in a list, which says the kind of its items once.
 * @param {KubernetesObject} object frozen
 */
export function itemText(object) {
  let text = TEXTS.get(object);
  if (text === undefined) {
    const { kind: _kind, apiVersion: _version, ...fields } = object;
    text = JSON.stringify(fields);
    TEXTS.set(object, text);
  }
  return text;
}

/**
 * @param {KubernetesObject} object frozen
 */
export function objectText(object) {
  const { kind, apiVersion } = object;
  const item = itemText(object);
  const type = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`;
  return item === '{}' ? `${type}}` : `${type},${item.slice(1)}`;
}
