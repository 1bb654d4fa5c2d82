/**
 * Path elements of fields in managedFields: `f:name` a field, `k:{"name":"c"}` an element of a list
 * with keys, `v:"x"` an element of a set. Counterpart: structured-merge-diff/v6/fieldpath,
 * element.go and serialize-pe.go.
 */
import { isRecord } from '../../src/kubernetes/values.js';

/** @import { Shape } from '../schema/types.js' */
/** @typedef {Extract<Shape, { kind: 'list' }>} ListShape */

const KINDS = ['f', 'k', 'v', 'i'];

/**
 * The element of a keyed list or a set.
 * @param {ListShape} shape
 * @param {unknown} item
 * @returns {{ element: string, fault: null } | { element: null, fault: string }}
 */
export function elementOf(shape, item) {
  return shape.isSet ? setElement(item) : keyedElement(shape, item);
}

/** @param {unknown} item */
function setElement(item) {
  if (isRecord(item))
    return faulty("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) return faulty('not supported: associative list with lists as elements');
  if (item === null) {
    return faulty("associative list without keys has an element that's an explicit null");
  }
  return { element: `v:${JSON.stringify(item)}`, fault: null };
}

/** @param {ListShape} shape @param {unknown} item */
function keyedElement({ keys, element }, item) {
  if (item === null) return faulty('associative list with keys may not have a null element');
  if (!isRecord(item)) return faulty('associative list with keys may not have non-map elements');
  const fields = element.kind === 'struct' ? element.struct.fields : null;
  const entries = keys
    .map((key) => [key, Object.hasOwn(item, key) ? item[key] : fields?.get(key)?.preset])
    .filter(([, value]) => value !== undefined);
  if (entries.length === 0) {
    const named = keys.map((key) => JSON.stringify(key)).join(' ');
    return faulty(
      `associative list with keys has an element that omits all key fields [${named}] ` +
        "(and doesn't have default values for any key fields)",
    );
  }
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return { element: `k:${JSON.stringify(Object.fromEntries(sorted))}`, fault: null };
}

/** @param {string} fault @returns {{ element: null, fault: string }} */
function faulty(fault) {
  return { element: null, fault };
}

/**
 * Formats an element as conflicts do: `.spec`, `[name="c"]`, `[="x"]`.
 * @param {string} element
 */
export function elementText(element) {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  if (!element.startsWith('k:')) return `[${rest}]`;
  const entries = Object.entries(JSON.parse(rest));
  return `[${entries.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
}

/**
 * The order of elements in managedFields.
 * @param {string} a
 * @param {string} b
 */
export function compareElements(a, b) {
  if (a === b) return 0;
  const kinds = KINDS.indexOf(a[0]) - KINDS.indexOf(b[0]);
  if (kinds !== 0) return kinds;
  if (a[0] === 'f') return a < b ? -1 : 1;
  return compareValues(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
}

/** @param {any} a @param {any} b @returns {number} */
function compareValues(a, b) {
  if (!isRecord(a) || !isRecord(b)) {
    const rank = (/** @type {unknown} */ value) =>
      ['number', 'string', 'boolean'].indexOf(typeof value);
    const types = rank(a) - rank(b);
    if (types !== 0) return types;
    return a === b ? 0 : a < b ? -1 : 1;
  }
  const [left, right] = [Object.entries(a), Object.entries(b)];
  for (const [at, [key, value]] of left.entries()) {
    if (at >= right.length) return 1;
    if (key !== right[at][0]) return key < right[at][0] ? -1 : 1;
    const order = compareValues(value, right[at][1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
