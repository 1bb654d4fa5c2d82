/**
 * The managers of a Scale, which are those of the replicas of its object. Counterpart:
 * apimachinery/pkg/util/managedfields/scalehandler.go, v1.36.
 */
import { difference, intersection, isEmpty, setOf, union } from './field_set.js';
import { identityOf, readManagers, writeManagers } from './managers.js';

/** @import { FieldSet } from './field_set.js' */
/** @import { Managers } from './managers.js' */

/** The same path in the Scale and in its object. */
const REPLICAS = setOf([['f:spec', 'f:replicas']]);

/** @param {{ set: FieldSet }} entry */
const ownsReplicas = ({ set }) => !isEmpty(intersection(set, REPLICAS));

/**
 * Returns the managedFields of a Scale.
 * @param {unknown} entries the object's managedFields
 * @param {string} apiVersion of the Scale
 */
export function scaleEntries(entries, apiVersion) {
  const owners = [...(readManagers(entries) ?? [])].filter(([, entry]) => ownsReplicas(entry));
  const managers = owners.map(([, entry]) => ({ ...entry, apiVersion, set: REPLICAS }));
  return writeManagers(new Map(managers.map((entry) => [identityOf(entry), entry])));
}

/**
 * Returns the managedFields of an object after a write of its Scale.
 * @param {unknown} entries the object's managedFields before
 * @param {unknown} written those of the Scale
 * @param {string} apiVersion of the object
 */
export function entriesOfScaled(entries, written, apiVersion) {
  /** @type {Managers} */
  const owners = new Map();
  for (const [, entry] of readManagers(written) ?? []) {
    const owner = { ...entry, apiVersion, set: REPLICAS };
    if (ownsReplicas(entry)) owners.set(identityOf(owner), owner);
  }
  /** @type {Managers} */
  const managers = new Map();
  for (const [identity, entry] of readManagers(entries) ?? []) {
    const owner = owners.get(identity);
    const set = owner ? union(entry.set, owner.set) : difference(entry.set, REPLICAS);
    if (!isEmpty(set)) managers.set(identity, { ...entry, set });
  }
  return writeManagers(new Map([...owners, ...managers]));
}
