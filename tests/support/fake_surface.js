/**
 * A surface without an engine: it answers each SCHEDULE_ONE with the next prepared record, and
 * records all input, so that the conformance runner can be tested without an engine.
 */

/** @typedef {import('./raw_engine.js').Surface} Surface */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @implements {Surface} */
export class FakeSurface {
  #records;
  #input = new Uint8Array(0);
  #output = new Uint8Array(0);
  #handles = 0;
  /** @type {string[]} */
  #commanded = [];
  #next = 0;

  /** Kinds that `apply` reports as unknown. @type {string[]} */
  unknownKinds = [];

  /** The input, in order: creations with their options, applied values, disposals. */
  /** @type {any[]} */
  inputs = [];

  /** @param {any[]} records Decisions without `kind` and `pod`, in order of the attempts */
  constructor(records) {
    this.#records = records;
  }

  abi() {
    return '{"abi":1,"stowage":"0.0.0","kubernetes":"v1.36"}';
  }

  /** @param {number} size */
  input(size) {
    this.#input = new Uint8Array(size);
    return this.#input;
  }

  output() {
    return this.#output;
  }

  create() {
    const [options, configuration] = decoder.decode(this.#input).split('\n');
    this.inputs.push({
      create: JSON.parse(options),
      configuration: configuration && JSON.parse(configuration),
    });
    this.#handles += 1;
    return this.#handles;
  }

  /** @param {number} handle */
  destroy(handle) {
    this.inputs.push({ destroy: handle });
    return 0;
  }

  /** @param {number} _handle @param {number} nowUs */
  apply(_handle, nowUs) {
    const lines = decoder.decode(this.#input).split('\n').filter(Boolean);
    const values = lines.map((line) => JSON.parse(line));
    this.inputs.push(...values.map((value) => ({ ...value, nowUs })));
    for (const { type, pod } of values) {
      if (type === 'SCHEDULE_ONE') this.#commanded.push(pod);
    }
    const { unknownKinds } = this;
    return this.#answer([{ applied: values.length, ignored: 0, errors: [], unknownKinds }]);
  }

  run() {
    const records = this.#commanded.map((pod) => {
      const record = { kind: 'Decision', pod, ...this.#records[this.#next] };
      this.#next += 1;
      return record;
    });
    this.#commanded = [];
    return this.#answer([...records, { kind: 'Turn', idle: true }]);
  }

  evaluate() {
    return -3;
  }

  inspect() {
    return -3;
  }

  /** @param {object[]} values */
  #answer(values) {
    this.#output = encoder.encode(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
    return this.#output.length;
  }
}

/**
 * The record that an engine would write for a recorded attempt, in an order of its own where that
 * is allowed.
 * @param {any} expect
 */
export function recordOf(expect) {
  const { startTime, deletedPods, terminatingPods, after, ...fields } = expect;
  const visit = [...(expect.feasible ?? []).keys()].reverse();
  const column = (/** @type {number[] | undefined} */ of) => of && visit.map((at) => of[at]);
  const columns = (/** @type {Record<string, number[]> | undefined} */ of) =>
    of && Object.fromEntries(Object.entries(of).map(([name, scores]) => [name, column(scores)]));
  return {
    message: '',
    unschedulablePlugins: [],
    pendingPlugins: [],
    ...fields,
    node: expect.node ?? null,
    feasible: column(expect.feasible),
    total: column(expect.total),
    scores: columns(expect.scores),
    rawScores: columns(expect.rawScores),
    filter: expect.filter && [...expect.filter].reverse(),
    best: expect.best && [...expect.best].reverse(),
  };
}

/** @param {any} line  of a replay */
export function recordOfReplayLine(line) {
  const { node, feasible = 0, best, ties = 0, message = '' } = line;
  const names = Array.from({ length: feasible }, (_, at) => `node-${at}`);
  const preemption = node === null ? { message: 'said later' } : undefined;
  return {
    node,
    feasible: names,
    evaluatedNodes: line.evaluated ?? 0,
    total: best === undefined ? undefined : names.map((_, at) => (at < ties ? best : best - 1)),
    best: names.slice(0, Math.max(ties, 1)),
    message: preemption ? `${message} ${preemption.message}` : message,
    preemption,
  };
}
