/**
 * A model of the engine's assume caches, fed by decisions: volumes for claims, and claims for
 * nodes, each replacing the stored object that it was made from, as long as that is the stored one
 * (spec plugins/volume-binding.md, "Assume caches"). Each profile has its own.
 */
import { BOUND_BY_CONTROLLER, isSetAsideFor, SELECTED_NODE } from './volumes.js';
import { keyOf } from './world.js';

/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */

/**
 * An object that a decision assumes, in the order of the writes.
 *
 * @typedef {object} Item
 * @property {'PersistentVolume' | 'PersistentVolumeClaim'} kind
 * @property {string} key
 * @property {any} object as it will be written
 * @property {string} version of the object; after the write, the new one
 * @property {any} claim the claim that it is for
 */

const VOLUME = 'PersistentVolume';
const CLAIM = 'PersistentVolumeClaim';

/** @param {any} object @param {string} name @param {string} value */
function annotated(object, name, value) {
  const annotations = { ...object.metadata.annotations, [name]: value };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/**
 * The volume bound to the claim; the same object if it is bound already.
 * @param {any} volume @param {any} claim
 */
export function setAside(volume, claim) {
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const isIts = isSetAsideFor(volume, claim);
  const isMarked = isIts || BOUND_BY_CONTROLLER in (volume.metadata.annotations ?? {});
  const isSame = isIts && volume.spec.claimRef.uid === uid;
  if (isSame && isMarked) return volume;
  const marked = isMarked ? volume : annotated(volume, BOUND_BY_CONTROLLER, 'yes');
  if (isSame) return marked;
  const claimRef = { kind: CLAIM, apiVersion: 'v1', namespace, name, uid, resourceVersion };
  return { ...marked, spec: { ...volume.spec, claimRef } };
}

export class SetAside {
  #told;
  /** By profile, then by `kind key`. @type {Map<string, Map<string, any>>} */
  #profiles = new Map();

  /** @param {ExpectedCache} told */
  constructor(told) {
    this.#told = told;
  }

  /**
   * An object as a profile sees it.
   * @param {string} profile @param {string} kind @param {string} key
   */
  get(profile, kind, key) {
    const stored = this.#told.objects(kind).get(key);
    const assumed = this.#profiles.get(profile)?.get(`${kind} ${key}`);
    const isInForce =
      assumed && stored?.metadata.resourceVersion === assumed.metadata.resourceVersion;
    return isInForce ? assumed : stored;
  }

  /** The objects that replace stored ones. @param {string} profile @returns {any[]} */
  inForce(profile) {
    const assumed = [...(this.#profiles.get(profile)?.values() ?? [])];
    return assumed.filter((object) => this.get(profile, object.kind, keyOf(object)) === object);
  }

  /** Whether both profiles see the same. @param {string} a @param {string} b  profiles */
  isSameFor(a, b) {
    return a === b || (this.inForce(a).length === 0 && this.inForce(b).length === 0);
  }

  /**
   * The objects that a decision assumes.
   * @param {string} profile
   * @param {{namespace: string, node: string, volumes: Record<string, string>}} decision
   *   `volumes` by claim
   * @returns {Item[]}
   */
  decide(profile, { namespace, node, volumes }) {
    const choices = Object.entries(volumes);
    const bound = choices.filter(([, volume]) => volume !== 'provision');
    const provisioned = choices.filter(([, volume]) => volume === 'provision');
    const claimOf = (/** @type {string} */ name) =>
      this.get(profile, CLAIM, `${namespace}/${name}`);
    return [
      ...bound.map(([name, volumeName]) => {
        const claim = claimOf(name);
        const volume = this.get(profile, VOLUME, volumeName);
        const object = setAside(volume, claim);
        return this.#keep(profile, { kind: VOLUME, object, claim, isSame: object === volume });
      }),
      ...provisioned.map(([name]) => {
        const claim = claimOf(name);
        const object = annotated(claim, SELECTED_NODE, node);
        return this.#keep(profile, { kind: CLAIM, object, claim, isSame: false });
      }),
    ];
  }

  /**
   * @param {string} profile
   * @param {{kind: Item['kind'], object: any, claim: any, isSame: boolean}} choice
   * @returns {Item}
   */
  #keep(profile, { kind, object, claim, isSame }) {
    const key = keyOf(object);
    if (!this.#profiles.has(profile)) this.#profiles.set(profile, new Map());
    if (!isSame) this.#profiles.get(profile)?.set(`${kind} ${key}`, object);
    return { kind, key, object, claim, version: object.metadata.resourceVersion };
  }

  /**
   * Restores the stored objects, unless later decisions assumed others.
   * @param {string} profile @param {Item[]} items
   */
  restore(profile, items) {
    const assumed = this.#profiles.get(profile);
    for (const { kind, key, version } of items) {
      const what = `${kind} ${key}`;
      if (assumed?.get(what)?.metadata.resourceVersion === version) assumed.delete(what);
    }
  }
}
