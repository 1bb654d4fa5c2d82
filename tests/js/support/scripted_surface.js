/**
 * A stand-in for the engine that says what a test has written down. It knows nothing of scheduling:
 * each `run` takes the next step of the script, which may ask plugins, and what comes in is kept.
 */

const UTF8 = new TextEncoder();

/**
 * @typedef {{ calls?: { call: object, body?: object }[], records?: object[], turn?: object }} Step
 * @typedef {(ask: (request: object) => any) => Step} ScriptedStep
 */

export class ScriptedSurface {
  #memory = new Uint8Array(1 << 20);
  #outputSize = 0;
  /** @type {ScriptedStep[]} */
  #script;
  #bridge = (/** @type {string} */ _request) => '';
  #isInside = false;
  /** Lines that `apply` got. @type {any[]} */
  applied = [];
  /** `[now, maxCycles]` of each `run`. @type {number[][]} */
  runs = [];
  /** What `inspect` answers. */
  inspection = /** @type {object} */ ({ waiting: [] });

  /** @param {ScriptedStep[]} script what each `run` does; afterwards nothing goes on */
  constructor(...script) {
    this.#script = script;
  }

  abi = () => JSON.stringify({ abi: 1, stowage: '0.0.0-scripted', kubernetes: 'v1.36' });
  input = (/** @type {number} */ size) => this.#memory.subarray(0, size);
  output = () => this.#memory.subarray(0, this.#outputSize);

  create = (/** @type {number} */ size, /** @type {any} */ bridge) => {
    this.options = JSON.parse(this.#text(size).split('\n')[0]);
    if (bridge) this.#bridge = bridge;
    return 1;
  };

  destroy = () => 0;

  apply = (
    /** @type {number} */ handle,
    /** @type {number} */ _now,
    /** @type {number} */ _format,
    /** @type {number} */ size,
  ) =>
    this.#enter(handle, () => {
      this.applied.push(JSON.parse(this.#text(size)));
      return this.#say({ applied: 1, ignored: 0, errors: [], unknownKinds: [] });
    });

  run = (
    /** @type {number} */ handle,
    /** @type {number} */ now,
    /** @type {number} */ maxCycles,
  ) =>
    this.#enter(handle, () => {
      this.runs.push([now, maxCycles]);
      const ask = (/** @type {object} */ request) => {
        const answer = this.#bridge(JSON.stringify(request));
        return answer === '' ? undefined : JSON.parse(answer);
      };
      const { calls = [], records = [], turn = {} } = this.#script.shift()?.(ask) ?? {};
      const head = calls.map(({ call, body = {} }) => {
        const text = JSON.stringify(body);
        const line = { kind: 'Call', ...call, bodyBytes: UTF8.encode(text).length };
        return `${JSON.stringify(line)}\n${text}`;
      });
      const end = { kind: 'Turn', nextDeadline: null, idle: true, waiting: false, busy: false };
      const tail = [...records, { ...end, ...turn }].map((record) => `${JSON.stringify(record)}\n`);
      return this.#say([...head, ...tail].join(''));
    });

  evaluate = () => -3;

  inspect = (/** @type {number} */ handle) => (handle === 1 ? this.#say(this.inspection) : -1);

  /** @param {number} handle @param {() => number} body */
  #enter(handle, body) {
    if (handle !== 1) return -1;
    if (this.#isInside) return -2;
    this.#isInside = true;
    try {
      return body();
    } finally {
      this.#isInside = false;
    }
  }

  /** @param {unknown} value */
  #say(value) {
    const bytes = UTF8.encode(typeof value === 'string' ? value : JSON.stringify(value));
    this.#memory.set(bytes);
    this.#outputSize = bytes.length;
    return bytes.length;
  }

  /** @param {number} size */
  #text(size) {
    return new TextDecoder().decode(this.#memory.subarray(0, size));
  }
}
