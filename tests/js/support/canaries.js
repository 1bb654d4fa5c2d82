/**
 * Objects whose every text is a canary: of each kind all fields that the table of Kubernetes' types
 * has, with a text of its own in every field, and under every key, where any text may stand.
 */
import { KUBERNETES_TYPES } from '../../../js/apiserver/schema/kubernetes_types.js';
import { structOf } from '../../../js/apiserver/schema/types.js';

/** @import { Shape, Struct } from '../../../js/apiserver/schema/types.js' */

/** Parts that stand in several kinds, and are named by their type. */
const PARTS = new Set([
  'ObjectMeta',
  'PodTemplateSpec',
  'PodSpec',
  'Container',
  'PersistentVolumeClaimSpec',
  'LabelSelector',
  'NodeSelector',
  'NodeSelectorTerm',
  'PodAffinityTerm',
  'ResourceRequirements',
  'ResourceClaimSpec',
  'DeviceSelector',
  'DeviceToleration',
]);

const CANARY = /canary-\d+/g;

/** What stands in fields that hold no text. */
const SCALARS = /** @type {const} */ ({
  bool: true,
  int32: 1,
  int64: 1,
  float64: 1,
  byte: 1,
  Quantity: '1',
  IntOrString: 1,
  Time: '2026-01-01T00:00:00Z',
  MicroTime: '2026-01-01T00:00:00.000000Z',
});

/**
 * The versions of a kind in the table.
 * @param {string} kind
 * @returns {string[]}
 */
export function apiVersionsOf(kind) {
  const lines = KUBERNETES_TYPES.matchAll(/^kind (\S+) (\S+)/gm);
  return [...lines].flatMap(([, apiVersion, name]) => (name === kind ? [apiVersion] : []));
}

/** Sets canaries out, and finds them again. */
export class Canaries {
  /** Where each was set out. @type {string[]} */
  #places = [];

  /**
   * @param {string} apiVersion
   * @param {string} kind
   */
  objectOf(apiVersion, kind) {
    const struct = structOf(apiVersion, kind);
    if (!struct) throw new Error(`no ${kind} (${apiVersion}) in the table`);
    return { ...this.#record(struct, kind), apiVersion, kind };
  }

  /**
   * @param {unknown} value
   * @returns {Set<string>} where those were set out that are in it: `Pod.status.phase`, with `{}`
   *   for what stands under a key and `{key}` for the key
   */
  foundIn(value) {
    const found = JSON.stringify(value).matchAll(CANARY);
    return new Set([...found].map(([text]) => this.#places[Number(text.slice(7))]));
  }

  /** @param {string} place */
  #canary(place) {
    this.#places.push(place);
    return `canary-${this.#places.length - 1}`;
  }

  /**
   * @param {Struct} struct
   * @param {string} place
   * @returns {Record<string, any>}
   */
  #record(struct, place) {
    const start = PARTS.has(struct.goName) ? struct.goName : place;
    const fields = [...struct.fields.values()];
    return Object.fromEntries(
      fields.map(({ name, shape }) => [name, this.#value(shape, `${start}.${name}`)]),
    );
  }

  /**
   * @param {Shape} shape
   * @param {string} place
   * @returns {any}
   */
  #value(shape, place) {
    switch (shape.kind) {
      case 'struct':
        return this.#record(shape.struct, place);
      case 'list':
        return [this.#value(shape.element, `${place}[]`)];
      case 'map':
        return { [this.#canary(`${place}{key}`)]: this.#value(shape.element, `${place}{}`) };
      case 'any':
        return { [this.#canary(`${place}{key}`)]: [this.#canary(place)] };
      default:
        return shape.basic === 'string' || shape.basic === 'bytes'
          ? this.#canary(place)
          : SCALARS[shape.basic];
    }
  }
}
