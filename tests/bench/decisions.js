/** The loop snapshot → filter → score → assume, and the openb trace from end to end. */
import { podName } from '../conformance/cluster.js';
import { loadOpenb } from '../support/openb.js';
import { encodeLines, parseRecords } from '../support/raw_engine.js';
import { readText } from '../support/read_text.js';
import { median, percentile, ratioOf, repeat } from './measure.js';
import { elapsedMs, startTime } from './stopwatch.js';

/** @typedef {import('../support/raw_engine.js').RawEngine} RawEngine */
/** @typedef {import('../support/raw_engine.js').RawScheduler} RawScheduler */
/** @typedef {'all' | 'default'} Sampling */

const START_US = Date.UTC(2026, 0, 1) * 1000;
// By then each of a hundred templates has appeared twice.
const WARM_UP_CYCLES = 256;
const SLICE_CYCLES = 8;
const SLICE_US = 1000;

/** The most slices of one run. @param {number} cycles */
export function slicesOf(cycles) {
  return Math.ceil(cycles / SLICE_CYCLES);
}

/** The number of pods for one run: the warm-up and the measured ones. @param {number} cycles */
export function podsFor(cycles) {
  return WARM_UP_CYCLES + cycles;
}

/**
 * @param {RawEngine} engine
 * @param {object} load
 * @param {Uint8Array[]} load.cluster lines of nodes and of pods on them
 * @param {Uint8Array[]} load.pods   lines of pending pods, `podsFor(cycles)` of them
 * @param {Uint8Array[]} [load.changes] lines of events that are applied after a slice
 * @param {number} load.cycles
 * @param {number} load.budgetSeconds after this time a run stops
 * @param {Sampling} load.sampling
 * @param {number} load.runs
 */
export function measureDecisions(engine, { sampling, runs, ...load }) {
  const { calibration, results } = repeat(runs, () => runOnce(engine, sampling, load));
  const perSecond = median(results.map((one) => one.cycles / one.seconds));
  return {
    perSecond,
    ratio: ratioOf(perSecond, calibration),
    p50Us: median(results.map(({ slices }) => percentile(slices, 50))),
    p99Us: median(results.map(({ slices }) => percentile(slices, 99))),
    cycles: results[0].cycles,
    unschedulable: results[0].unschedulable,
    calibrationMs: calibration * 1000,
  };
}

/**
 * @param {RawEngine} engine @param {Sampling} sampling
 * @param {object} load
 * @param {Uint8Array[]} load.cluster @param {Uint8Array[]} load.pods
 * @param {Uint8Array[]} [load.changes]
 * @param {number} load.cycles @param {number} load.budgetSeconds
 */
function runOnce(engine, sampling, { cluster, pods, ...limits }) {
  const scheduler = createScheduler(engine, sampling);
  try {
    for (const batch of [...cluster, ...pods]) scheduler.applyBytes(batch, START_US);
    return measureLoaded(scheduler, limits);
  } finally {
    scheduler.dispose();
  }
}

/**
 * Decisions in a cluster that is loaded, with `podsFor(cycles)` pods in the queue.
 * @param {RawScheduler} scheduler
 * @param {{cycles: number, budgetSeconds: number, changes?: Uint8Array[]}} limits
 */
export function measureLoaded(scheduler, limits) {
  decisionsIn(scheduler.runBytes(START_US, WARM_UP_CYCLES), WARM_UP_CYCLES);
  return timeSlices(scheduler, limits);
}

/**
 * Only the turn is timed. Reading and counting its records, and applying changes, happen between
 * turns.
 * @param {RawScheduler} scheduler
 * @param {{cycles: number, budgetSeconds: number, changes?: Uint8Array[]}} limits
 */
function timeSlices(scheduler, { cycles, budgetSeconds, changes = [] }) {
  const slices = [];
  const sum = { cycles: 0, seconds: 0, unschedulable: 0 };
  while (sum.cycles < cycles && sum.seconds < budgetSeconds) {
    const count = Math.min(SLICE_CYCLES, cycles - sum.cycles);
    const nowUs = START_US + slices.length * SLICE_US;
    const start = startTime();
    const turned = scheduler.turn(nowUs, count);
    const seconds = elapsedMs(start) / 1000;
    const decisions = decisionsIn(scheduler.turned(turned), count);
    const change = changes[slices.length];
    if (change) scheduler.applyBytes(change, nowUs);
    slices.push((seconds * 1e6) / count);
    sum.cycles += count;
    sum.seconds += seconds;
    sum.unschedulable += decisions.filter(({ node }) => !node).length;
  }
  return { ...sum, slices };
}

/**
 * The openb trace: every event is applied and every creation decided, in the recorded order. The
 * engine's calls are timed, including the copy of their input but not the reading of their output;
 * placements are compared afterwards.
 * @param {RawEngine} engine
 * @param {object} trace
 * @param {string} trace.data  directory of the CSV files @param {string} trace.list
 * @param {Sampling} trace.sampling @param {string} trace.recording  the replay's file
 * @param {number} trace.runs
 */
export function measureOpenb(engine, { data, list, sampling, recording, runs }) {
  const lines = readText(recording)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const { nodes, events } = loadOpenb(data, list);
  const turns = turnsOf(events, new Map(lines.map(({ pod, node }) => [`default/${pod}`, node])));
  const nodeLines = encodeLines(nodes);
  const play = () => {
    const scheduler = createScheduler(engine, sampling);
    try {
      scheduler.applyBytes(nodeLines, START_US);
      return timeTurns(scheduler, turns);
    } finally {
      scheduler.dispose();
    }
  };
  play(); // the JavaScript engine optimises hot code during the run
  const { calibration, results } = repeat(runs, play);
  const seconds = median(results.map((one) => one.applySeconds + one.runSeconds));
  const agreed = Math.min(
    ...results.map(
      ({ placements }) => placements.filter((node, at) => node === lines[at].node).length,
    ),
  );
  return {
    seconds,
    applySeconds: median(results.map(({ applySeconds }) => applySeconds)),
    runSeconds: median(results.map(({ runSeconds }) => runSeconds)),
    perSecond: lines.length / seconds,
    ratio: ratioOf(lines.length / seconds, calibration),
    placements: lines.length,
    agreed,
    calibrationMs: calibration * 1000,
  };
}

/**
 * One turn per creation: the deletions since the one before, then the new pod. A pod that could not
 * be placed is removed at once.
 * @param {import('../support/openb.js').TraceEvent[]} events
 * @param {Map<string, string | null>} recorded  pod → node
 */
function turnsOf(events, recorded) {
  const turns = [];
  const created = new Set();
  /** @type {object[]} */
  let inbox = [];
  for (const { type, seconds, pod } of /** @type {any[]} */ (events)) {
    const nodeName = recorded.get(podName(pod));
    const removal = { type: 'DELETED', object: { ...pod, spec: { ...pod.spec, nodeName } } };
    if (type === 'delete') {
      if (created.has(pod) && nodeName) inbox.push(removal);
      continue;
    }
    created.add(pod);
    const bytes = encodeLines([...inbox, { type: 'ADDED', object: pod }]);
    turns.push({ nowUs: START_US + seconds * 1e6, bytes });
    inbox = nodeName ? [] : [{ type: 'DELETED', object: pod }];
  }
  return turns;
}

/** @param {RawScheduler} scheduler @param {{nowUs: number, bytes: Uint8Array}[]} turns */
function timeTurns(scheduler, turns) {
  const answers = [];
  let applySeconds = 0;
  let runSeconds = 0;
  for (const { nowUs, bytes } of turns) {
    const start = startTime();
    const sent = scheduler.send(bytes, nowUs);
    applySeconds += elapsedMs(start) / 1000;
    scheduler.applied(sent);
    const next = startTime();
    const turned = scheduler.turn(nowUs, 1);
    runSeconds += elapsedMs(next) / 1000;
    answers.push(scheduler.turned(turned));
  }
  const placements = answers.map((answer) => decisionsIn(answer, 1)[0].node);
  return { applySeconds, runSeconds, placements };
}

/**
 * @param {RawEngine} engine
 * @param {Sampling} sampling
 * @param {Record<string, boolean>} [featureGates]
 */
export function createScheduler(engine, sampling, featureGates = {}) {
  return engine.createScheduler({
    featureGates,
    configuration: {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      ...(sampling === 'all' && { percentageOfNodesToScore: 100 }),
    },
    seed: 0,
    tieBreak: 'heap',
    api: 'simulated',
    detail: 'summary',
    startTimeUs: START_US,
  });
}

/** Pods that wait for their claims are reported too. @param {any} record */
function isCycle({ kind, result }) {
  return kind === 'Decision' && result !== 'gated';
}

/**
 * Checks that all cycles were timed and no plugin was missing, because the figures would otherwise
 * be wrong.
 * @param {Uint8Array} bytes @param {number} count
 * @returns {any[]}
 */
function decisionsIn(bytes, count) {
  const decisions = parseRecords(bytes).filter(isCycle);
  if (decisions.length !== count) {
    throw new Error(`asked for ${count} cycles, the engine ran ${decisions.length}`);
  }
  return decisions;
}
