/**
 * A model of the engine's cache of claims: the watch's objects, each replaced by what the engine
 * has written until the watch reports a newer one (spec plugins/dynamic-resources.md, "Shared
 * state"). It shares no code with the engine.
 */
import { DevicesInUse } from './devices_in_use.js';
import { isExtended, ownerOf } from './devices.js';
import { RESOURCES } from './kinds.js';
import { keyOf } from './world.js';

/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */

const CLAIM = 'ResourceClaim';

/** @param {any} claim */
const versionOf = ({ metadata: { resourceVersion } }) => Number(resourceVersion);

export class ClaimStore {
  #told;
  /** @type {Map<string, {stored: any, latest: any}>} */
  #claims = new Map();
  use = new DevicesInUse();

  /** @param {ExpectedCache} told gets each line first */
  constructor(told) {
    this.#told = told;
  }

  /** @param {any} line of the watch */
  take({ type, object, resource }) {
    if (type === 'SYNC_END' && resource === RESOURCES[CLAIM]) return this.#endList();
    if (object?.kind !== CLAIM) return;
    const key = keyOf(object);
    if (type === 'DELETED') return this.#remove(key);
    const known = this.#claims.get(key);
    // A stale list reports what is known to be older.
    if (known && versionOf(object) <= versionOf(known.latest)) return;
    this.#claims.set(key, { stored: object, latest: object });
    this.use.replace(known?.latest, object);
  }

  #endList() {
    const listed = this.#told.objects(CLAIM);
    for (const key of [...this.#claims.keys()]) if (!listed.has(key)) this.#remove(key);
  }

  /** @param {string} key */
  #remove(key) {
    const known = this.#claims.get(key);
    this.#claims.delete(key);
    if (known) this.use.replace(known.latest, undefined);
  }

  /** @param {string} key */
  get(key) {
    return this.#claims.get(key)?.latest;
  }

  /** @returns {any[]} */
  values() {
    return [...this.#claims.values()].map(({ latest }) => latest);
  }

  /**
   * The claim was written.
   * @param {any} claim as the server returned it @returns {boolean} whether that is the latest
   */
  assume(claim) {
    const known = this.#claims.get(keyOf(claim));
    if (!known || versionOf(claim) < versionOf(known.latest)) return false;
    this.use.replace(known.latest, claim);
    known.latest = claim;
    return true;
  }

  /** The watch's object is valid again. @param {string} key */
  restore(key) {
    const known = this.#claims.get(key);
    if (!known) return;
    this.use.replace(known.latest, known.stored);
    known.latest = known.stored;
  }

  /** The claim that was created for the extended resources of the pod. @param {any} pod */
  extendedOf({ metadata: { name, uid } }) {
    const keys = [...this.#claims.keys()].sort();
    return keys
      .map((key) => this.get(key))
      .find((claim) => {
        const owner = ownerOf(claim);
        return isExtended(claim) && owner?.uid === uid && owner.name === name;
      });
  }
}
