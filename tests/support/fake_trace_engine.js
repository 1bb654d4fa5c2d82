/**
 * An engine that plays back traces, with the records and the order of the real one: calls come
 * first, and the turn after their answers has the results. The player of traces can so be tested
 * without an engine.
 */

/** @typedef {{verb: string, path: string, body: any}} Write */

const FAILED = new Set(['unschedulable', 'error']);
const MICROS = 1000;

export class FakeTraceEngine {
  #traces;
  #change;

  abi = { kubernetes: 'v1.36' };
  /** Schedulers in order of creation. @type {FakeTraceScheduler[]} */
  schedulers = [];

  /**
   * @param {any[]} traces one per scheduler that is created
   * @param {(scheduler: FakeTraceScheduler) => void} [change] applied to each scheduler
   */
  constructor(traces, change = () => {}) {
    this.#traces = [...traces];
    this.#change = change;
  }

  /** @param {any} options */
  createScheduler(options) {
    const scheduler = new FakeTraceScheduler(this.#traces.shift(), options);
    this.#change(scheduler);
    this.schedulers.push(scheduler);
    return scheduler;
  }
}

export class FakeTraceScheduler {
  #startMs;
  /** By time. @type {Map<number, any>} */
  #steps;
  /** Calls by the step in which they are made. @type {Map<any, Write[]>} */
  #writes;
  /** @type {any} */
  #step = null;
  /** The records to write when the step's calls are answered. @type {any[]} */
  #afterwards = [];
  /** Ids of the calls that the step waits for. */
  #open = new Set();
  /** Seq of the Decision by pod. */
  #decisions = new Map();
  #seq = 0;

  /** When timers are due, in milliseconds of virtual time. @type {number[]} */
  deadlinesMs = [];
  /** All input, in order. @type {{atMs: number, apply?: any[], run?: number}[]} */
  inputs = [];
  /** All calls. @type {any[]} */
  calls = [];
  isDisposed = false;

  /** @param {any} trace @param {any} options */
  constructor(trace, options) {
    this.options = options;
    this.#startMs = Date.parse(trace.startTime);
    this.#steps = new Map(trace.steps.map((/** @type {any} */ step) => [step.atMs, step]));
    this.#writes = writesByStep(trace.steps);
  }

  /** @param {any[]} values @param {number} nowUs */
  apply(values, nowUs) {
    this.inputs.push({ atMs: this.#msOf(nowUs), apply: values });
    for (const { call } of values) this.#open.delete(call);
    return { applied: values.length, ignored: 0 };
  }

  /** @param {number} nowUs @param {number} maxCycles */
  run(nowUs, maxCycles) {
    const atMs = this.#msOf(nowUs);
    this.inputs.push({ atMs, run: maxCycles });
    const step = this.#steps.get(atMs);
    const isNew = step !== undefined && step !== this.#step;
    const records = isNew && maxCycles === (step.op === 'cycle' ? 1 : 0) ? this.#begin(step) : [];
    if (this.#open.size === 0) records.push(...this.#afterwards.splice(0));
    const nextMs = this.deadlinesMs.find((deadline) => deadline > atMs);
    const nextDeadline = nextMs === undefined ? null : (this.#startMs + nextMs) * MICROS;
    return [...records, { kind: 'Turn', nextDeadline, idle: true }];
  }

  /** @param {{cache?: boolean}} query */
  inspectText({ cache }) {
    if (!cache) throw new Error('the pods of the nodes were not asked for');
    return JSON.stringify(inspectionOf(this.#step.expect, this.#startMs));
  }

  dispose() {
    this.isDisposed = true;
  }

  /** @param {number} nowUs */
  #msOf(nowUs) {
    return nowUs / MICROS - this.#startMs;
  }

  /** @param {any} step @returns {any[]} */
  #begin(step) {
    this.#step = step;
    const calls = (this.#writes.get(step) ?? []).map((write) => this.#call(write));
    this.#open = new Set(calls.filter(({ counts }) => counts === step).map(({ id }) => id));
    const { cycle, events = [], queues } = step.expect;
    const gated = queues.unschedulable.filter((/** @type {any} */ entry) => entry.gated);
    const decisions = gated.map((/** @type {any} */ { pod }) =>
      this.#decision({ pod, result: 'gated' }),
    );
    if (cycle && cycle.result !== 'idle') decisions.push(this.#decision(decisionOf(cycle)));
    this.#afterwards = [
      ...this.#bindingResults(step),
      ...events.flatMap((/** @type {any} */ { message: note, ...event }) => [
        this.#call({
          verb: 'create',
          path: '/apis/events.k8s.io/v1/namespaces/d/events',
          body: {},
        }),
        { kind: 'Event', ...event, note },
      ]),
    ];
    return [...calls, ...decisions];
  }

  /** @param {Write & {counts?: any}} write */
  #call({ body, ...write }) {
    const text = body === null ? undefined : JSON.stringify(body);
    const id = this.calls.length + 1;
    const call = { kind: 'Call', callKind: 'api', id, ...write, body: text };
    this.calls.push(call);
    return call;
  }

  /** @param {any} decision */
  #decision(decision) {
    this.#seq += 1;
    if (decision.result !== 'gated') this.#decisions.set(decision.pod, this.#seq);
    return { kind: 'Decision', seq: this.#seq, ...decision };
  }

  /** @param {any} step */
  #bindingResults({ op, bind, pod, expect: { cycle } }) {
    const isOver =
      cycle?.result === 'bindFailed' || (cycle?.result === 'scheduled' && !cycle.bindPhase);
    if (op !== 'bindResult' && !isOver) return [];
    const isBound = cycle ? cycle.result === 'scheduled' : bind === 'success';
    const subject = pod ?? cycle.pod;
    const result = isBound ? 'bound' : 'bindFailed';
    const decision = this.#decisions.get(subject);
    return [{ kind: 'BindingResult', decision, pod: subject, result }];
  }
}

/**
 * Calls by the step in which they are made; `counts` is the step whose expectation lists them.
 * @param {any[]} steps
 */
function writesByStep(steps) {
  /** @type {Map<any, (Write & {counts: any})[]>} */
  const byStep = new Map(steps.map((step) => [step, []]));
  for (const [at, step] of steps.entries()) {
    for (const write of writesOf(step)) {
      const isBinding = write.verb === 'bind' && step.op === 'bindResult';
      const start = steps
        .slice(0, at)
        .findLast(({ op, bind, evictions, expect }) =>
          isBinding
            ? bind === 'pending' &&
              expect.cycle.bindPhase === 'Bind' &&
              expect.cycle.uid === step.uid
            : step.op === 'evictions' && op === 'cycle' && evictions === 'hold',
        );
      byStep.get(start ?? step)?.push({ ...write, counts: step });
    }
  }
  return byStep;
}

/** @param {any} step @returns {Write[]} */
function writesOf({ uid, expect }) {
  const { bindings = [], podUpdates = [], deletes = [], apiWrites = [], cycle } = expect;
  return [
    ...apiWrites.map((/** @type {any} */ { verb, object }) => apiWrite(verb, object)),
    ...bindings.map((/** @type {any} */ { pod, node }) => ({
      verb: 'bind',
      path: `${pathOf(pod)}/binding`,
      body: { metadata: { uid: uid ?? cycle?.uid }, target: { kind: 'Node', name: node } },
    })),
    ...podUpdates.map((/** @type {any} */ { pod, ...update }) => ({
      verb: 'patch',
      path: `${pathOf(pod)}/status`,
      body: { status: patchOf(update) },
    })),
    ...deletes.map((/** @type {string} */ pod) => ({
      verb: 'delete',
      path: pathOf(pod),
      body: null,
    })),
  ];
}

/** @param {string} pod */
function pathOf(pod) {
  const [namespace, name] = pod.split('/');
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

/** @param {any} update */
function patchOf({ condition, nominatedNodeName, otherStatus }) {
  const order = { '$setElementOrder/conditions': [{ type: condition?.type }] };
  const times = { lastProbeTime: null, lastTransitionTime: '2026-01-05T10:00:00Z' };
  return {
    ...(condition && { conditions: [{ ...times, ...condition }], ...order }),
    ...(nominatedNodeName !== undefined && { nominatedNodeName: nominatedNodeName || null }),
    ...otherStatus,
  };
}

/** @param {string} verb @param {any} object @returns {Write} */
function apiWrite(verb, object) {
  const [plain, subresource] = verb.split('/');
  const path = `/apis/g/v1/things/x${subresource ? `/${subresource}` : ''}`;
  if (plain !== 'create') return { verb: plain, path, body: object };
  const { name, uid, ...metadata } = object.metadata;
  return { verb: plain, path, body: { ...object, metadata } };
}

/** @param {any} cycle */
function decisionOf({ nodeHint: hint, nominatedNode, bindPhase, admissibleNodes, ...cycle }) {
  if (cycle.result === 'skipped') return cycle;
  if (!FAILED.has(cycle.result)) return { message: '', ...cycle, hint, result: 'scheduled' };
  return {
    evaluatedNodes: 3,
    feasibleNodes: 0,
    node: null,
    unschedulablePlugins: [],
    pendingPlugins: [],
    ...cycle,
    nominatingMode: nominatedNode === undefined ? 'Noop' : 'Override',
    nominatedNodeName: nominatedNode ?? '',
  };
}

/** @param {any} expect @param {number} startMs */
function inspectionOf({ queues, nominated = {}, inFlight = [], assumed, cache }, startMs) {
  const timeOf = (/** @type {number} */ ms) =>
    new Date(startMs + ms).toISOString().replace('Z', '000Z');
  return {
    queues: {
      active: queues.active,
      backoff: queues.backoff.map((/** @type {any} */ { expiresAtMs, ...entry }) => ({
        ...entry,
        expiresAt: timeOf(expiresAtMs),
      })),
      unschedulable: queues.unschedulable.map(
        (/** @type {any} */ { plugins, gated, ...entry }) => ({
          pendingPlugins: [],
          ...entry,
          unschedulablePlugins: plugins,
          ...(gated && { gated }),
        }),
      ),
    },
    inFlight,
    nominated: Object.entries(nominated).map(([pod, node]) => ({ pod, node })),
    assumed,
    waiting: [],
    cache: { ghostNodes: {}, ...cache },
  };
}
