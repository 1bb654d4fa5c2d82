/**
 * A stand-in for the engine that knows the shapes of its surface and a toy of a scheduler. Handles
 * of the dead are refused, and a pod named `crash` ends it.
 */
import { SurfaceStandIn } from './surface_stand_in.js';
import { ToyScheduler } from './toy_scheduler.js';

export class FakeSurface extends SurfaceStandIn {
  #schedulers = new Map();
  #generation = 0;
  /** What was asked, in order: `[name, ...arguments]`. */
  calls = [];

  /** @param {{ abi?: number, refuse?: (name: string) => number | undefined }} [options] */
  constructor({ abi = 1, refuse = () => undefined } = {}) {
    super();
    this.version = abi;
    this.refuse = refuse;
  }

  /** How many schedulers are alive. */
  get alive() {
    return this.#schedulers.size;
  }

  abi = () => JSON.stringify({ abi: this.version, stowage: '0.0.0-fake', kubernetes: 'v1.36' });

  create = (size, bridge) =>
    this.#call('create', [size, bridge], () => {
      const text = this.text(size);
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
      toy.apply(this.text(size), format, nowUs),
    );

  run = (handle, nowUs, maxCycles) =>
    this.#with('run', handle, [nowUs, maxCycles], (toy) => toy.run(nowUs, maxCycles));

  evaluate = (handle, nowUs, size) =>
    this.#with('evaluate', handle, [nowUs, size], (toy) => toy.evaluate(this.text(size)));

  inspect = (handle, size) =>
    this.#with('inspect', handle, [size], (toy) => toy.inspect(JSON.parse(this.text(size))));

  #with(name, handle, values, answer) {
    return this.#call(name, [handle, ...values], () => {
      const toy = this.#schedulers.get(handle);
      if (!toy) return -1;
      const result = answer(toy);
      return result?.error ? this.#fail(result.error) : this.say(result);
    });
  }

  #call(name, values, body) {
    this.calls.push([name, ...values]);
    const refusal = this.refuse(name);
    if (refusal !== undefined)
      return refusal === -4 ? this.#fail({ class: 'EngineError', message: 'as told' }) : refusal;
    return this.enter(body);
  }

  #fail(error) {
    this.say(error);
    return -4;
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
