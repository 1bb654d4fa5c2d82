/** Reads fields of a kubeconfig and checks their types. */
import { isRecord } from '../../kubernetes/values.js';
import { KubeconfigError } from './kubeconfig_error.js';

/** @import { KubeconfigFault } from './kubeconfig_error.js' */

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Fields is one object of a file. An absent or null field has its zero value, as in Go. */
export class Fields {
  #value;
  /** The file that contains the object. */
  file;
  /** Such as `users[0].user`; empty: the whole file. */
  path;

  /**
   * @param {unknown} value
   * @param {{ file: string, path: string }} place
   * @throws {KubeconfigError} if it is not an object
   */
  constructor(value, { file, path }) {
    this.file = file;
    this.path = path;
    if (!isRecord(value ?? {})) throw this.#mistyped('', 'an object');
    this.#value = /** @type {Record<string, unknown>} */ (value ?? {});
  }

  /** Whether no field is set. */
  get isEmpty() {
    return Object.values(this.#value).every((value) => value === null || value === '');
  }

  /** @param {string} name */
  text(name) {
    const value = this.#value[name] ?? '';
    if (typeof value !== 'string') throw this.#mistyped(name, 'a string');
    return value;
  }

  /** @param {string} name */
  flag(name) {
    const value = this.#value[name] ?? false;
    if (typeof value !== 'boolean') throw this.#mistyped(name, 'true or false');
    return value;
  }

  /** Returns the decoded base64; empty if the field is not set. @param {string} name */
  data(name) {
    const text = this.text(name).replace(/\s+/g, '');
    if (!BASE64.test(text)) throw this.#mistyped(name, 'base64');
    return Buffer.from(text, 'base64').toString();
  }

  /** @param {string} name @returns {Fields[]} */
  list(name) {
    const value = this.#value[name] ?? [];
    if (!Array.isArray(value)) throw this.#mistyped(name, 'a list');
    return value.map((item, at) => {
      const path = `${this.pathOf(name)}[${at}]`;
      return new Fields(item, { file: this.file, path });
    });
  }

  /** @param {string} name @returns {string[]} */
  texts(name) {
    const value = this.#value[name] ?? [];
    const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
    if (!isTexts) throw this.#mistyped(name, 'a list of strings');
    return value;
  }

  /**
   * Returns undefined if the field is not set.
   * @param {string} name
   * @returns {Fields | undefined}
   */
  record(name) {
    const value = this.#value[name];
    if (value === undefined || value === null) return undefined;
    return new Fields(value, { file: this.file, path: this.pathOf(name) });
  }

  /** The names of all fields. */
  get names() {
    return Object.keys(this.#value);
  }

  /** Returns a value of any type. @param {string} name @returns {unknown} */
  any(name) {
    return this.#value[name];
  }

  /** @param {string} name */
  pathOf(name) {
    return [this.path, name].filter(Boolean).join('.');
  }

  /** @param {string} name @param {string} detail @returns {KubeconfigFault} */
  fault(name, detail) {
    return { detail, file: this.file, field: this.pathOf(name) };
  }

  /** @param {string} name @param {string} wanted */
  #mistyped(name, wanted) {
    const about = `error loading config file "${this.file}"`;
    const field = this.pathOf(name) || 'the file';
    const errors = [{ detail: `${field} must be ${wanted}` }];
    return new KubeconfigError('InvalidKubeconfig', about, errors);
  }
}
