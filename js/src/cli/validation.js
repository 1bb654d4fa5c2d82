/** Validates manifests as kubectl's `--validate` does. */
import { objectFaults } from '../../apiserver/index.js';
import { InputError } from '../kubernetes/errors.js';
import { duplicateFieldsOf, namePositionOf } from '../manifests/positions.js';
import { isRecord } from '../kubernetes/values.js';
import { didYouMean, namesNear } from './near_names.js';
import { counted } from './terminal.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { ValidationMode } from './arguments.js'
 * @import { Source } from './inputs.js'
 */

/**
 * Validation checks objects as kube-apiserver does on creation: for unknown, duplicate, missing and
 * invalid fields, and for fields of the wrong type.
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
   * Returns the objects to use: with `strict` those without faults, else all.
   * @param {KubernetesObject[]} objects of one file
   * @param {{ source: Source, isManifest: boolean, report: (error: InputError) => void }} file
   *   objects with a uid in a file that is no manifest were stored and are not checked; `report`
   *   gets the faults of rejected objects
   * @returns {KubernetesObject[]}
   */
  of(objects, { source, isManifest, report }) {
    if (this.#mode === 'ignore') return objects;
    return objects.filter((object) => {
      if (!isManifest && object.metadata?.uid) return true;
      const errors = errorsOf(object);
      if (this.#mode === 'strict') errors.forEach(report);
      else for (const error of errors) this.#warn(source.name, object, error);
      return this.#mode === 'warn' || errors.length === 0;
    });
  }

  /** Returns a line for each fault that rejects no object. */
  warnings() {
    return [...this.#warnings.values()].map(({ line, more }) => {
      if (more === 0) return line;
      return `${line} (and in ${counted(more, 'more object')})`;
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
