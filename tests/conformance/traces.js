/**
 * Plays a golden trace against an engine: applies the watch events and compares, after every step,
 * the queues, the cache and all calls.
 */
import { runAnswering } from '../support/api_calls.js';
import { compareStep } from './compare_trace.js';
import { TraceApi } from './trace_api.js';

/** @typedef {import('./decisions.js').Outcome} Outcome */

const CONFIGURATION = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
};

/**
 * Traces do not advance the clock while PreBind plugins wait: the plugin checks at the step
 * `bindResult`, and not before. A plugin sleeps after its last write, so that write is answered
 * this long before the step; it is the shortest time between two steps.
 */
const LOOK_MS = 1;

/**
 * Stops at the first difference, because everything after it would differ too.
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {any} trace  one that passed `checkTraceFile`
 * @param {object} [options]
 * @param {'nodes' | 'summary'} [options.detail]  of the engine's decisions
 * @param {import('../support/raw_engine.js').VerdictCacheMode} [options.verdictCache]
 * @returns {Outcome} attempts are steps
 */
export function playTrace(engine, trace, { detail = 'summary', verdictCache } = {}) {
  const startUs = Date.parse(trace.startTime) * 1000;
  const scheduler = engine.createScheduler({
    configuration: { ...CONFIGURATION, ...trace.configuration },
    featureGates: trace.featureGates ?? {},
    seed: 0,
    tieBreak: 'heap',
    api: 'host',
    apiCallTimeout: 0,
    preBindPollInterval: LOOK_MS,
    events: true,
    detail,
    ...(verdictCache && { verdictCache }),
    startTimeUs: startUs,
  });
  try {
    return follow(new Player(scheduler, startUs), trace.steps);
  } finally {
    scheduler.dispose();
  }
}

/** @param {Player} player @param {any[]} steps @returns {Outcome} */
function follow(player, steps) {
  const outcome = { attempts: steps.length, agreed: 0, finding: null };
  for (const step of steps) {
    const difference = differenceAt(player, step);
    if (difference) {
      const where = `step ${outcome.agreed + 1} (${describe(step)}, at ${step.atMs} ms)`;
      return { ...outcome, finding: { where, ...difference } };
    }
    outcome.agreed += 1;
  }
  return outcome;
}

/** @param {Player} player @param {any} step */
function differenceAt(player, step) {
  try {
    return compareStep(step, player.play(step));
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    return { path: name, expected: 'an answer', actual: message };
  }
}

/** @param {any} step */
function describe({ op, type, object, pod, expect }) {
  if (op === 'event') {
    const { namespace, name } = object.metadata;
    return `${type} ${object.kind} ${namespace ? `${namespace}/` : ''}${name}`;
  }
  const subject = pod ?? expect.cycle?.pod;
  return subject ? `${op} ${subject}` : op;
}

class Player {
  #scheduler;
  #startUs;
  #api = new TraceApi();
  /** @type {number | null} */
  #nextDeadlineUs = null;
  /** The records of the step's turns. @type {any[]} */
  #records = [];

  /** @param {import('../support/raw_engine.js').RawScheduler} scheduler @param {number} startUs */
  constructor(scheduler, startUs) {
    this.#scheduler = scheduler;
    this.#startUs = startUs;
  }

  /** @param {any} step @returns {import('./compare_trace.js').Said} */
  play(step) {
    const nowUs = this.#startUs + step.atMs * 1000;
    this.#api.begin(step);
    this.#records = [];
    this.#releaseWrite(nowUs - LOOK_MS * 1000);
    this.#passTime(nowUs);
    const { op, type, object } = step;
    const inbox = op === 'event' ? [{ type, object }] : this.#api.release();
    if (inbox.length > 0) this.#scheduler.apply(inbox, nowUs);
    this.#turn(nowUs, op === 'cycle' ? 1 : 0);
    return {
      records: this.#records,
      effects: this.#api.effects,
      isBindingOpen: op === 'cycle' && this.#api.hasOpenBinding(step.expect.cycle),
      inspection: JSON.parse(this.#scheduler.inspectText({ cache: true })),
      startUs: this.#startUs,
    };
  }

  /** @param {number} atUs */
  #releaseWrite(atUs) {
    const completions = this.#api.releaseWrite();
    if (completions.length === 0) return;
    this.#passTime(atUs);
    this.#scheduler.apply(completions, atUs);
    this.#turn(atUs, 0);
  }

  /**
   * Timers fire at their time; those of the step's own instant fire before the step.
   * @param {number} nowUs
   */
  #passTime(nowUs) {
    while (this.#nextDeadlineUs !== null && this.#nextDeadlineUs <= nowUs) {
      const deadlineUs = this.#nextDeadlineUs;
      this.#turn(deadlineUs, 0);
      if (this.#nextDeadlineUs !== null && this.#nextDeadlineUs <= deadlineUs) {
        throw new Error(`after a turn at ${deadlineUs} µs the next one is due no later`);
      }
    }
  }

  /** @param {number} nowUs @param {number} maxCycles */
  #turn(nowUs, maxCycles) {
    const turn = { nowUs, maxCycles };
    const records = runAnswering(this.#scheduler, turn, (calls) => this.#api.answer(calls));
    this.#records.push(...records);
    this.#nextDeadlineUs = records.findLast(({ kind }) => kind === 'Turn')?.nextDeadline ?? null;
  }
}
