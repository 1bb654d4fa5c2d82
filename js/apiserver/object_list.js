/** Exports all objects as a v1 List, and imports such a List. */
import { itemsIn } from '../src/kubernetes/values.js';
import { objectText } from './object_text.js';
import { RESOURCES } from '../src/kubernetes/kinds.js';

/**
 * @import { Storage } from './storage.js'
 * @import { Store } from './store.js'
 */

/** Namespaces and classes come first, because other objects need them. */
const FIRST = ['namespaces', 'priorityclasses', 'storageclasses'];

/**
 * @param {Storage} storage
 * @returns {Uint8Array} JSON; the List has the server's resourceVersion
 */
export function exportedList(storage) {
  const plurals = new Set([...FIRST, ...RESOURCES.map(({ plural }) => plural)]);
  const items = [...plurals].flatMap((plural) => storage.list(plural).map(objectText));
  const metadata = { resourceVersion: String(storage.resourceVersion) };
  const head = JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata });
  return new TextEncoder().encode(`${head.slice(0, -1)},"items":[${items.join(',')}]}`);
}

/**
 * @param {Storage} storage
 * @param {Store} store
 * @param {Uint8Array} bytes
 */
export function importedList(storage, store, bytes) {
  const list = JSON.parse(new TextDecoder().decode(bytes));
  const version = Number(list.metadata?.resourceVersion);
  if (Number.isInteger(version)) storage.advanceTo(version);
  for (const object of itemsIn(list.items)) store.load(object);
}
