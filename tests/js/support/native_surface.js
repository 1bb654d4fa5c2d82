/**
 * The native engine behind its surface, with faults that a test injects: it counts calls, refuses
 * them, and stops at the first turn of a scheduler that has a pod named `crash`, as a failed CHECK
 * does. Buffers move on every call (see SurfaceStandIn).
 */
import { createRequire } from 'node:module';
import { SurfaceStandIn } from './surface_stand_in.js';

/** @import { EngineSurface } from '../../../js/src/engine/types.js' */

/** @type {EngineSurface} */
const native = createRequire(import.meta.url)('../../../build/native/stowage_native.node');

const CRASH = /"name":"crash"/;

/** @implements {EngineSurface} */
export class NativeSurface extends SurfaceStandIn {
  #abi;
  #alive = new Set();
  #crashing = new Set();
  /** The calls in their order: `[name, ...arguments]`. @type {any[][]} */
  calls = [];
  /** Options and configuration of each scheduler, as text. @type {string[]} */
  created = [];

  /**
   * @param {{ abi?: number, refuse?: (name: string) => number | undefined }} [options] `abi`: the
   *   version that the module reports; `refuse`: the code that a call returns without running
   */
  constructor({ abi, refuse = () => undefined } = {}) {
    super();
    this.#abi = abi;
    this.refuse = refuse;
  }

  /** The number of schedulers that are not destroyed. */
  get alive() {
    return this.#alive.size;
  }

  abi = () => {
    const own = JSON.parse(native.abi());
    return JSON.stringify({ ...own, abi: this.#abi ?? own.abi });
  };

  /** @type {EngineSurface['create']} */
  create = (size, bridge) =>
    this.#call('create', [size, bridge], size, () => {
      this.created.push(this.text(size));
      const handle = native.create(size, bridge);
      if (handle > 0) this.#alive.add(handle);
      return handle;
    });

  /** @type {EngineSurface['fork']} */
  fork = (origin, bridge) =>
    this.#call('fork', [origin, bridge], 0, () => {
      const handle = native.fork(origin, bridge);
      if (handle > 0) this.#alive.add(handle);
      return handle;
    });

  /** @type {EngineSurface['revert']} */
  revert = (handle, action) =>
    this.#call('revert', [handle, action], 0, () => native.revert(handle, action));

  /** @type {EngineSurface['destroy']} */
  destroy = (handle) =>
    this.#call('destroy', [handle], 0, () => {
      this.#alive.delete(handle);
      return native.destroy(handle);
    });

  /** @type {EngineSurface['apply']} */
  apply = (handle, nowUs, format, size) =>
    this.#call('apply', [handle, nowUs, format, size], size, () => {
      if (CRASH.test(this.text(size))) this.#crashing.add(handle);
      return native.apply(handle, nowUs, format, size);
    });

  /** @type {EngineSurface['run']} */
  run = (handle, nowUs, maxCycles) =>
    this.#call('run', [handle, nowUs, maxCycles], 0, () => {
      if (this.#crashing.has(handle))
        throw new Error('unreachable: CHECK failed at core/scheduler/scheduling_cycle.cc:42');
      return native.run(handle, nowUs, maxCycles);
    });

  /** @type {EngineSurface['evaluate']} */
  evaluate = (handle, nowUs, size) =>
    this.#call('evaluate', [handle, nowUs, size], size, () => native.evaluate(handle, nowUs, size));

  /** @type {EngineSurface['inspect']} */
  inspect = (handle, size) =>
    this.#call('inspect', [handle, size], size, () => native.inspect(handle, size));

  /**
   * @param {string} name
   * @param {any[]} values
   * @param {number} size of the call's input
   * @param {() => number} body
   */
  #call(name, values, size, body) {
    this.calls.push([name, ...values]);
    const refusal = this.refuse(name);
    if (refusal === -4) this.say({ class: 'EngineError', message: 'as told' });
    if (refusal !== undefined) return refusal;
    return this.enter(() => {
      if (size > 0) native.input(size).set(this.bytes(size));
      const answer = body();
      if (name !== 'destroy' && answer !== -1) this.sayBytes(native.output());
      return answer;
    });
  }
}
