/**
 * A stand-in for the engine that knows the shapes of its surface and a toy of a scheduler. It is
 * nastier than the real one: its memory moves on every call, what a view showed before is gone,
 * handles of the dead are refused, and a pod named `crash` ends it.
 */
import { ToyScheduler } from './toy_scheduler.js';

const UTF8 = new TextEncoder();

export class FakeSurface {
  #schedulers = new Map();
  #memory = new Uint8Array(64);
  #outputSize = 0;
  #generation = 0;
  #isInside = false;
  /** What was asked, in order: `[name, ...arguments]`. */
  calls = [];

  /** @param {{ abi?: number, refuse?: (name: string) => number | undefined }} [options] */
  constructor({ abi = 1, refuse = () => undefined } = {}) {
    this.version = abi;
    this.refuse = refuse;
  }

  /** How many schedulers are alive. */
  get alive() {
    return this.#schedulers.size;
  }

  abi = () => JSON.stringify({ abi: this.version, stowage: '0.0.0-fake', kubernetes: 'v1.36' });

  input = (size) => this.#move(size);

  output = () => this.#move(this.#memory.length).subarray(0, this.#outputSize);

  create = (size, bridge) =>
    this.#call('create', [size, bridge], () => {
      const text = this.#text(size);
      const end = text.indexOf('\n');
      const configuration = text.slice(end + 1);
      const error = configurationError(configuration);
      if (error) return this.#fail(error);
      this.#generation += 1;
      this.#schedulers.set(
        this.#generation,
        new ToyScheduler(JSON.parse(text.slice(0, end)), configuration),
      );
      return this.#generation;
    });

  destroy = (handle) =>
    this.#call('destroy', [handle], () => (this.#schedulers.delete(handle) ? 0 : -1));

  apply = (handle, nowUs, format, size) =>
    this.#with('apply', handle, [nowUs, format, size], (toy) =>
      toy.apply(this.#text(size), format, nowUs),
    );

  run = (handle, nowUs, maxCycles) =>
    this.#with('run', handle, [nowUs, maxCycles], (toy) => toy.run(nowUs, maxCycles));

  evaluate = (handle, nowUs, size) =>
    this.#with('evaluate', handle, [nowUs, size], (toy) => toy.evaluate(this.#text(size)));

  inspect = (handle, size) =>
    this.#with('inspect', handle, [size], (toy) => toy.inspect(JSON.parse(this.#text(size))));

  #with(name, handle, values, answer) {
    return this.#call(name, [handle, ...values], () => {
      const toy = this.#schedulers.get(handle);
      if (!toy) return -1;
      const result = answer(toy);
      return result?.error ? this.#fail(result.error) : this.#say(result);
    });
  }

  #call(name, values, body) {
    this.calls.push([name, ...values]);
    const refusal = this.refuse(name);
    if (refusal !== undefined)
      return refusal === -4 ? this.#fail({ class: 'EngineError', message: 'as told' }) : refusal;
    if (this.#isInside) return -2;
    this.#isInside = true;
    try {
      return body();
    } finally {
      this.#isInside = false;
    }
  }

  #say(value) {
    const bytes = UTF8.encode(typeof value === 'string' ? value : JSON.stringify(value));
    this.#move(bytes.length).set(bytes);
    this.#outputSize = bytes.length;
    return bytes.length;
  }

  #fail(error) {
    this.#say(error);
    return -4;
  }

  #text(size) {
    return new TextDecoder().decode(this.#memory.subarray(0, size));
  }

  /** New memory of at least this size with the old content; views of the old one are detached. */
  #move(size) {
    const grown = new ArrayBuffer(Math.max(size, this.#memory.length));
    new Uint8Array(grown).set(this.#memory);
    structuredClone(this.#memory.buffer, { transfer: [this.#memory.buffer] });
    this.#memory = new Uint8Array(grown);
    return this.#memory.subarray(0, size);
  }
}

function configurationError(text) {
  if (text === '') return null;
  const fail = (message, field) => ({
    class: 'ConfigurationError',
    code: 'InvalidConfiguration',
    message,
    errors: [{ field, detail: message }],
  });
  try {
    const known = ['apiVersion', 'kind', 'profiles', 'percentageOfNodesToScore', 'parallelism'];
    const bogus = Object.keys(JSON.parse(text)).find((field) => !known.includes(field));
    return bogus ? fail(`strict decoding error: unknown field "${bogus}"`, bogus) : null;
  } catch (error) {
    return fail(`malformed JSON: ${error.message}`, '');
  }
}
