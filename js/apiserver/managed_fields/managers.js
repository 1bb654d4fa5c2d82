/**
 * Reads and writes metadata.managedFields: the managers and their fields. Counterpart:
 * apimachinery/pkg/util/managedfields/internal, managedfields.go and capmanagers.go, v1.36.
 */
import { isRecord } from '../../src/kubernetes/values.js';
import { sorted, union } from './field_set.js';

/** @import { FieldSet } from './field_set.js' */

/** @typedef {'Apply' | 'Update'} Operation */

/**
 * One manager's fields.
 * @typedef {object} Manager
 * @property {string} manager its name
 * @property {Operation} operation
 * @property {string} apiVersion
 * @property {string} [subresource]
 * @property {string} [time]
 * @property {FieldSet} set
 */

/** @typedef {Map<string, Manager>} Managers by their identity */

const UPDATE_MANAGERS_MAX = 10;
const OLD_UPDATES = 'ancient-changes';

/**
 * Returns the identity of a manager. That of an applier does not depend on the version.
 * @param {Pick<Manager, 'manager' | 'operation' | 'apiVersion' | 'subresource'>} entry
 */
export function identityOf({ manager, operation, apiVersion, subresource }) {
  const version = operation === 'Apply' ? '' : apiVersion;
  return JSON.stringify([manager, operation, version, subresource ?? '']);
}

/**
 * @param {unknown} entries an object's managedFields
 * @returns {Managers | null} null if they are invalid
 */
export function readManagers(entries) {
  /** @type {Managers} */
  const managers = new Map();
  if (!Array.isArray(entries)) return managers;
  for (const { fieldsType, fieldsV1, ...entry } of entries) {
    const isKnown = entry.operation === 'Apply' || entry.operation === 'Update';
    if (!isKnown || !entry.apiVersion || fieldsType !== 'FieldsV1') return null;
    managers.set(identityOf(entry), { ...entry, set: isRecord(fieldsV1) ? fieldsV1 : {} });
  }
  return managers;
}

/**
 * @param {Managers} managers
 * @returns {object[] | undefined} managedFields in the server's order; undefined if there are none
 */
export function writeManagers(managers) {
  if (managers.size === 0) return undefined;
  return [...managers.values()].sort(compareManagers).map((entry) => ({
    manager: entry.manager,
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    ...(entry.time !== undefined && { time: entry.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: sorted(entry.set),
    ...(entry.subresource && { subresource: entry.subresource }),
  }));
}

/** @param {Manager} a @param {Manager} b */
function compareManagers(a, b) {
  const words = (/** @type {Manager} */ entry) => [
    entry.operation,
    secondsOf(entry),
    entry.manager,
    entry.apiVersion,
    entry.subresource ?? '',
  ];
  const [left, right] = [words(a), words(b)];
  const at = left.findIndex((word, index) => word !== right[index]);
  return at < 0 ? 0 : left[at] < right[at] ? -1 : 1;
}

/** @param {Manager} entry */
function secondsOf({ time }) {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/**
 * Merges the oldest update entries beyond the tenth, one entry per version.
 * @param {Managers} managers changed
 */
export function capUpdateManagers(managers) {
  const updaters = [...managers.entries()].filter(([, entry]) => entry.operation === 'Update');
  let surplus = updaters.length - UPDATE_MANAGERS_MAX;
  if (surplus <= 0) return;
  updaters.sort(([, a], [, b]) => compareManagers(a, b));
  /** @type {Map<string, string>} */
  const firstOf = new Map();
  for (const [identity, entry] of updaters) {
    if (surplus <= 0) return;
    const { apiVersion, time } = entry;
    const first = firstOf.get(apiVersion);
    if (first === undefined) {
      firstOf.set(apiVersion, identity);
      continue;
    }
    /** @type {Manager} */
    const empty = { manager: OLD_UPDATES, operation: 'Update', apiVersion, set: {} };
    const bucket = identityOf(empty);
    const old = managers.get(bucket) ?? managers.get(first) ?? empty;
    if (!managers.has(bucket)) managers.delete(first);
    managers.delete(identity);
    managers.set(bucket, { ...empty, time, set: union(entry.set, old.set) });
    surplus -= 1;
  }
}
