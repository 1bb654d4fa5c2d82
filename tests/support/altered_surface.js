/**
 * The native engine's surface, whose answers a test alters. It lets the conformance runner be
 * tested with an engine that decides otherwise than it should.
 */
import { loadTarget } from './targets.js';

/** @typedef {import('./raw_engine.js').Surface} Surface */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const native = (await loadTarget('native')).surface;

/** A Decision of a turn; what precedes it in its line is the body of a Call. */
const DECISION = /\{"kind":"Decision".*\n/g;

/** @implements {Surface} */
export class AlteredSurface {
  #decisionOf;
  #appliedOf;
  #input = new Uint8Array(0);
  #output = new Uint8Array(0);

  /** Creations with their options, applied values and disposals, in order. @type {any[]} */
  inputs = [];

  /**
   * @param {object} [alter]
   * @param {(decision: any) => any} [alter.decision]  the Decision that the engine answers instead;
   *   null: none
   * @param {(result: any) => any} [alter.applied]  the result that `apply` answers instead
   */
  constructor({ decision = (one) => one, applied = (one) => one } = {}) {
    this.#decisionOf = decision;
    this.#appliedOf = applied;
  }

  abi() {
    return native.abi();
  }

  /** @param {number} size */
  input(size) {
    this.#input = new Uint8Array(size);
    return this.#input;
  }

  output() {
    return this.#output;
  }

  /** @type {Surface['create']} */
  create(size, bridge) {
    const [options, configuration] = decoder.decode(this.#input).split('\n');
    this.inputs.push({
      create: JSON.parse(options),
      configuration: configuration && JSON.parse(configuration),
    });
    native.input(size).set(this.#input);
    const handle = native.create(size, bridge);
    if (handle < 0) this.#output = native.output().slice();
    return handle;
  }

  fork() {
    return -3;
  }

  revert() {
    return -3;
  }

  /** @param {number} handle */
  destroy(handle) {
    this.inputs.push({ destroy: true });
    return native.destroy(handle);
  }

  /** @type {Surface['apply']} */
  apply(handle, nowUs, format, size) {
    const lines = decoder.decode(this.#input).split('\n').filter(Boolean);
    this.inputs.push(...lines.map((line) => ({ ...JSON.parse(line), nowUs })));
    native.input(size).set(this.#input);
    return this.#answer(native.apply(handle, nowUs, format, size), (text) =>
      JSON.stringify(this.#appliedOf(JSON.parse(text))),
    );
  }

  /** @type {Surface['run']} */
  run(handle, nowUs, maxCycles) {
    return this.#answer(native.run(handle, nowUs, maxCycles), (text) =>
      text.replaceAll(DECISION, (line) => {
        const altered = this.#decisionOf(JSON.parse(line));
        return altered === null ? '' : `${JSON.stringify(altered)}\n`;
      }),
    );
  }

  evaluate() {
    return -3;
  }

  inspect() {
    return -3;
  }

  /**
   * @param {number} code  what the native engine returned
   * @param {(text: string) => string} alter
   */
  #answer(code, alter) {
    const text = decoder.decode(native.output());
    this.#output = encoder.encode(code < 0 ? text : alter(text));
    return code < 0 ? code : this.#output.length;
  }
}
