/**
 * Records all input of an engine and its output, so that the same can be sent to another one. If
 * the output is equal, the driver of the first engine would drive the other in the same way.
 */

/** @typedef {import('./raw_engine.js').Surface} Surface */
/** @typedef {'create' | 'fork' | 'revert' | 'destroy'} Lifecycle */
/** @typedef {Lifecycle | 'apply' | 'run' | 'evaluate' | 'inspect'} Call */

/**
 * @typedef {object} Said
 * @property {Call} call
 * @property {any[]} values      the function's
 * @property {Uint8Array} input the input buffer's contents
 */
/** @typedef {Said & {answered: number, output: Uint8Array}} Answered */
/**
 * @typedef {object} Difference
 * @property {string} where
 * @property {string} expected a part of the first engine's output
 * @property {string} actual
 */

const NOTHING = new Uint8Array(0);
/** Calls that return the length of their output. */
const TELLING = new Set(['apply', 'run', 'evaluate', 'inspect']);
const NEWLINE = 10;
/** Characters that are shown on each side of the first difference. */
const CONTEXT_BYTES = 60;

/** Passes everything on and records it. @implements {Surface} */
export class RecordingSurface {
  #surface;
  #input = NOTHING;
  /** @type {Answered[]} */
  transcript = [];

  /** @param {Surface} surface */
  constructor(surface) {
    this.#surface = surface;
  }

  abi() {
    return this.#surface.abi();
  }

  /** @param {number} size */
  input(size) {
    this.#input = new Uint8Array(size);
    return this.#input;
  }

  output() {
    return this.#surface.output();
  }

  /** @param {any[]} values */
  create(...values) {
    return this.#say('create', values);
  }

  /** @param {any[]} values */
  fork(...values) {
    return this.#say('fork', values);
  }

  /** @param {any[]} values */
  revert(...values) {
    return this.#say('revert', values);
  }

  /** @param {any[]} values */
  destroy(...values) {
    return this.#say('destroy', values);
  }

  /** @param {any[]} values */
  apply(...values) {
    return this.#say('apply', values);
  }

  /** @param {any[]} values */
  run(...values) {
    return this.#say('run', values);
  }

  /** @param {any[]} values */
  evaluate(...values) {
    return this.#say('evaluate', values);
  }

  /** @param {any[]} values */
  inspect(...values) {
    return this.#say('inspect', values);
  }

  /** @param {Call} call @param {any[]} values */
  #say(call, values) {
    const said = { call, values, input: this.#input };
    this.#input = NOTHING;
    const answered = say(this.#surface, said);
    const output = outputOf(this.#surface, call, answered).slice();
    this.transcript.push({ ...said, answered, output });
    return answered;
  }
}

/**
 * Sends all of it to another engine, as long as the output is equal.
 * @param {Surface} surface
 * @param {Answered[]} transcript
 * @param {object} options for the new schedulers, in addition to the recorded ones
 * @returns {Difference | null} the first one, or null
 */
export function repeat(surface, transcript, options) {
  const follower = new Follower(surface, options);
  for (const [at, said] of transcript.entries()) {
    const difference = differenceOf(follower, said);
    if (!difference) continue;
    follower.leave();
    return { where: `call ${at + 1} (${said.call})`, ...difference };
  }
  return null;
}

/** Sends recorded input to the schedulers of one engine. */
class Follower {
  #surface;
  #options;
  /** By the other engine's handle. @type {Map<number, number>} */
  #handles = new Map();

  /** @param {Surface} surface @param {object} options */
  constructor(surface, options) {
    this.#surface = surface;
    this.#options = options;
  }

  /**
   * @param {Said & {answered: number}} said `answered`: by the other engine
   * @returns {{answered: number, output: Uint8Array}}
   */
  follow({ call, values, input, answered: handle }) {
    if (call === 'create') {
      const own = withOptions(input, this.#options);
      const [, bridge] = values;
      const answered = say(this.#surface, { call, values: [own.length, bridge], input: own });
      if (answered >= 0) this.#handles.set(handle, answered);
      // Handles belong to one engine.
      return { answered: answered >= 0 ? handle : answered, output: NOTHING };
    }
    const [of, ...rest] = values;
    const answered = say(this.#surface, { call, values: [this.#handles.get(of), ...rest], input });
    if (call === 'destroy') this.#handles.delete(of);
    return { answered, output: outputOf(this.#surface, call, answered) };
  }

  /** An engine after a failed CHECK refuses even this. */
  leave() {
    try {
      for (const handle of this.#handles.values()) this.#surface.destroy(handle);
    } catch {
      this.#handles.clear();
    }
  }
}

/** @param {Follower} follower @param {Answered} said */
function differenceOf(follower, said) {
  try {
    const { answered, output } = follower.follow(said);
    if (Buffer.compare(output, said.output) !== 0) return partsOf(said.output, output);
    if (answered === said.answered) return null;
    return { expected: String(said.answered), actual: String(answered) };
  } catch (error) {
    return { expected: 'an answer', actual: /** @type {Error} */ (error).message };
  }
}

/**
 * The text around the first byte that differs.
 * @param {Uint8Array} expected
 * @param {Uint8Array} actual
 */
function partsOf(expected, actual) {
  const at = expected.findIndex((byte, index) => byte !== actual[index]);
  const from = Math.max(0, (at < 0 ? expected.length : at) - CONTEXT_BYTES);
  const show = (/** @type {Uint8Array} */ bytes) =>
    Buffer.from(bytes.subarray(from, from + 2 * CONTEXT_BYTES)).toString();
  return { expected: show(expected), actual: show(actual) };
}

/** @param {Surface} surface @param {Said} said @returns {number} */
function say(surface, { call, values, input }) {
  if (input.length > 0) surface.input(input.length).set(input);
  return /** @type {(...values: any[]) => number} */ (surface[call])(...values);
}

/** @param {Surface} surface @param {Call} call @param {number} answered */
function outputOf(surface, call, answered) {
  return TELLING.has(call) && answered > 0 ? surface.output().subarray(0, answered) : NOTHING;
}

/**
 * @param {Uint8Array} input options in a line, then the configuration
 * @param {object} more
 */
function withOptions(input, more) {
  const end = input.indexOf(NEWLINE);
  const options = JSON.parse(Buffer.from(input.subarray(0, end)).toString());
  const line = Buffer.from(JSON.stringify({ ...options, ...more }));
  return Buffer.concat([line, input.subarray(end)]);
}
