/**
 * A surface that plays a script, for tests of the protocol with plugins: each `run` takes the next
 * step, which may call plugins, and inputs are kept.
 */

import { SurfaceStandIn } from './surface_stand_in.js';

/**
 * @typedef {{ calls?: { call: object, body?: object }[], records?: object[], turn?: object }} Step
 * @typedef {(ask: (request: object) => any) => Step} ScriptedStep
 */

export class ScriptedSurface extends SurfaceStandIn {
  /** @type {ScriptedStep[]} */
  #script;
  #bridge = (/** @type {string} */ _request) => '';
  /** The lines of each `apply`. @type {any[][]} */
  batches = [];
  /** `[now, maxCycles]` of each `run`. @type {number[][]} */
  runs = [];
  /** The answer of `inspect`. */
  inspection = /** @type {object} */ ({ waiting: [] });

  /** @param {ScriptedStep[]} script the steps of `run`; later runs are idle */
  constructor(...script) {
    super();
    this.#script = script;
  }

  /** The lines of all of them. */
  get applied() {
    return this.batches.flat();
  }

  abi = () => JSON.stringify({ abi: 1, stowage: '0.0.0-scripted', kubernetes: 'v1.36' });

  create = (/** @type {number} */ size, /** @type {any} */ bridge) => {
    this.options = JSON.parse(this.text(size).split('\n')[0]);
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
    this.#with(handle, () => {
      const lines = this.text(size).split('\n').filter(Boolean);
      this.batches.push(lines.map((line) => JSON.parse(line)));
      return this.say({ applied: lines.length, ignored: 0, errors: [], unknownKinds: [] });
    });

  run = (
    /** @type {number} */ handle,
    /** @type {number} */ now,
    /** @type {number} */ maxCycles,
  ) =>
    this.#with(handle, () => {
      this.runs.push([now, maxCycles]);
      const ask = (/** @type {object} */ request) => {
        const answer = this.#bridge(JSON.stringify(request));
        return answer === '' ? undefined : JSON.parse(answer);
      };
      const { calls = [], records = [], turn = {} } = this.#script.shift()?.(ask) ?? {};
      const head = calls.map(({ call, body = {} }) => {
        const text = JSON.stringify(body);
        const line = { kind: 'Call', ...call, bodyBytes: new TextEncoder().encode(text).length };
        return `${JSON.stringify(line)}\n${text}`;
      });
      const end = { kind: 'Turn', nextDeadline: null, idle: true, waiting: false, busy: false };
      const tail = [...records, { ...end, ...turn }].map((record) => `${JSON.stringify(record)}\n`);
      return this.say([...head, ...tail].join(''));
    });

  evaluate = () => -3;

  inspect = (/** @type {number} */ handle) => (handle === 1 ? this.say(this.inspection) : -1);

  /** @param {number} handle @param {() => number} body */
  #with(handle, body) {
    return handle === 1 ? this.enter(body) : -1;
  }
}
