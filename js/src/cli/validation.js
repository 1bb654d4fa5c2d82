/** Validation of manifests, as kubectl's `--validate` has it done. */
import { objectFaults } from '../../apiserver/index.js';
import { InputError } from '../kubernetes/errors.js';
import { duplicateFieldsOf, namePositionOf } from '../manifests/positions.js';
import { isRecord } from '../kubernetes/values.js';
import { didYouMean, namesNear } from './near_names.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { ValidationMode } from './arguments.js'
 * @import { Source } from './inputs.js'
 */

/**
 * Validation looks at objects as kube-apiserver does when they are created: fields that it does not
 * know, or that are there twice, are of the wrong type, absent or invalid.
 */
export class Validation {
  #mode;
  /**
   * Equal warnings about objects of one file are printed once, with a count.
   * @type {Map<string, { line: string, more: number }>}
   */
  #warnings = new Map();

  /** @param {ValidationMode} mode */
  constructor(mode) {
    this.#mode = mode;
  }

  /**
   * The objects that go on: with `strict` those in which nothing is wrong, else all.
   * @param {KubernetesObject[]} objects of one file
   * @param {{ source: Source, isManifest: boolean, tell: (error: InputError) => void }} file
   *   objects that are no manifests and have a uid were stored, and are not looked at; `tell` gets
   *   what refuses an object
   * @returns {KubernetesObject[]}
   */
  of(objects, { source, isManifest, tell }) {
    if (this.#mode === 'ignore') return objects;
    return objects.filter((object) => {
      if (!isManifest && object.metadata?.uid) return true;
      const errors = errorsOf(object);
      if (this.#mode === 'strict') errors.forEach(tell);
      else for (const error of errors) this.#warn(source.name, object, error);
      return this.#mode === 'warn' || errors.length === 0;
    });
  }

  /** A line for each thing that is wrong and refuses nothing. */
  warnings() {
    return [...this.#warnings.values()].map(({ line, more }) => {
      if (more === 0) return line;
      return `${line} (and in ${more} more ${more === 1 ? 'object' : 'objects'})`;
    });
  }

  /**
   * @param {string} file
   * @param {KubernetesObject} object
   * @param {InputError} error
   */
  #warn(file, { kind }, error) {
    const key = [file, kind, error.detail].join('\n');
    const known = this.#warnings.get(key);
    if (known) known.more += 1;
    else this.#warnings.set(key, { line: `${file}: ${placeOf(error)}${error.message}`, more: 0 });
  }
}

/** @param {InputError} error */
function placeOf({ line }) {
  return line === undefined ? '' : `line ${line}: `;
}

/**
 * @param {KubernetesObject} object
 * @returns {InputError[]}
 */
function errorsOf(object) {
  const { apiVersion, kind, metadata } = object;
  const faults = objectFaults(object);
  if (!faults) return [];
  const named = isRecord(metadata) ? metadata : {};
  const identity = { apiVersion, kind, namespace: named.namespace, name: named.name };
  const who = [kind, [named.namespace, named.name].filter(Boolean).join('/')].join(' ').trim();
  const twice = duplicateFieldsOf(object).map(({ field, position }) => {
    const detail = `strict decoding error: duplicate field "${field}"`;
    return { code: 'DuplicateField', field, detail, ...position };
  });
  const others = faults.map(({ code, field, message, siblings }) => {
    const name = field.slice(field.lastIndexOf('.') + 1);
    const hint = siblings ? didYouMean(namesNear(name, siblings)) : '';
    return { code, field, detail: message + hint, ...namePositionOf(object, field) };
  });
  return [...twice, ...others].map(
    (error) => new InputError({ ...identity, ...error, message: `${who}: ${error.detail}` }),
  );
}
