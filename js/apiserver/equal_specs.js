/** Shares the specs of pods that are made of one template. */
import { deepFreeze } from './frozen.js';

/** @import { FieldError } from '../src/kubernetes/field_errors.js' */

/** The number of specs that are known, and the characters of the longest. */
const KNOWN_MAX = 100;
const CHARACTERS_MAX = 16 << 10;

/**
 * EqualSpecs knows the latest specs by their JSON. Pods with equal specs store one object, which is
 * validated once: a spec has a hundred parts, each of which would take memory and time again.
 */
export class EqualSpecs {
  /** @type {Map<string, { spec: object, errors?: FieldError[] }>} */
  #known = new Map();
  /** The one that was returned last. @type {{ spec: object, errors?: FieldError[] } | undefined} */
  #latest;

  /**
   * Returns a frozen spec that is equal to this one.
   * @template {object} T
   * @param {T} spec frozen by this call if it is new
   * @returns {T}
   */
  shared(spec) {
    const text = JSON.stringify(spec);
    this.#latest = this.#known.get(text) ?? this.#added(text, spec);
    return /** @type {T} */ (this.#latest.spec);
  }

  /**
   * @param {object} spec
   * @param {() => FieldError[]} validate depends on nothing but the spec
   * @returns {FieldError[]}
   */
  errorsOf(spec, validate) {
    const known = this.#latest;
    return known?.spec === spec ? (known.errors ??= validate()) : validate();
  }

  /**
   * @param {string} text
   * @param {object} spec
   */
  #added(text, spec) {
    const entry = { spec: deepFreeze(spec) };
    if (text.length > CHARACTERS_MAX) return entry;
    if (this.#known.size === KNOWN_MAX) this.#known.delete(String(this.#known.keys().next().value));
    this.#known.set(text, entry);
    return entry;
  }
}
