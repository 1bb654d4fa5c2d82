/** Plays a golden decision file against an engine and compares every attempt. */
import { runAnswering } from '../support/api_calls.js';
import { Cluster, podName } from './cluster.js';
import { compareDecision } from './compare.js';
import { compareGroup, scheduleGroup, settleGroup } from './groups.js';

/**
 * @typedef {object} Outcome
 * @property {number} attempts the number that the file records
 * @property {number} agreed        attempts without a difference
 * @property {Finding | null} finding  the first difference
 */
/** @typedef {import('./compare.js').Difference & {where: string}} Finding */
/**
 * @typedef {object} PlayOptions
 * @property {'heap' | 'name'} [tieBreak]
 * @property {string} [kubernetesVersion] such as `1.34`; default: the release of the file
 * @property {Record<string, boolean>} [behaviour] facts that differ from those of the release
 * @property {'nodes' | 'summary'} [detail] `summary`: the engine's fast form
 * @property {import('../support/raw_engine.js').VerdictCacheMode} [verdictCache]
 */

const START_US = Date.UTC(2026, 2, 1, 12) * 1000;
// Steps are so far apart that the engine reuses no ranking of an earlier pod, unless the file wants
// that.
const STEP_US = 2_000_000;
const CONSECUTIVE_STEP_US = 1000;
// The commanded cycle is the first of its turn; no cycle of the queue may follow it.
const MAX_CYCLES = 1;

/**
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {any} file a decision file that passed `checkDecisionFile`
 * @param {PlayOptions} [options]
 * @returns {Outcome}
 */
export function playDecisions(engine, file, options = {}) {
  const { tieBreak = 'name', detail = 'nodes', verdictCache } = options;
  const { kubernetesVersion = minorOf(file.kubernetesVersion) } = options;
  const { behaviour } = options;
  const settings = { tieBreak, detail, verdictCache, kubernetesVersion, behaviour };
  const player = new Player(engine, file, settings);
  try {
    return player.play();
  } finally {
    player.dispose();
  }
}

/**
 * The minor release of a version.
 * @param {string} version such as `v1.36.2`
 */
function minorOf(version) {
  const [minor] = /^v?1\.\d+/.exec(version) ?? [];
  if (minor) return minor.replace('v', '');
  throw new Error(`${version} is no version of Kubernetes`);
}

class Player {
  #file;
  #options;
  #scheduler;
  #cluster = new Cluster();
  #nowUs = START_US;

  /**
   * @param {import('../support/raw_engine.js').RawEngine} engine
   * @param {any} file
   * @param {PlayOptions & {tieBreak: 'heap' | 'name'}} options
   */
  constructor(engine, file, options) {
    this.#file = file;
    this.#options = options;
    this.#scheduler = engine.createScheduler({
      configuration: file.configuration,
      featureGates: file.featureGates ?? {},
      seed: 0,
      ...options,
      api: 'host',
      startTimeUs: START_US,
    });
  }

  dispose() {
    this.#scheduler.dispose();
  }

  /** @returns {Outcome} */
  play() {
    const file = this.#file;
    const stepUs = file.consecutive ? CONSECUTIVE_STEP_US : STEP_US;
    /** @type {Outcome} */
    const outcome = { attempts: attemptsOf(file), agreed: 0, finding: null };
    this.#scheduler.apply(this.#cluster.apply(file.objects), this.#nowUs);
    for (const [at, step] of file.steps.entries()) {
      this.#nowUs += stepUs;
      if (!step.expect) this.#change(step);
      if (!isAttempt(step)) continue;
      const difference = this.#attempt(step);
      if (!difference) outcome.agreed += 1;
      else outcome.finding ??= { ...difference, where: `step ${at + 1} (${nameOf(step)})` };
    }
    return outcome;
  }

  /** @param {any} step */
  #change({ apply = [], delete: references = [] }) {
    const events = [...this.#cluster.apply(apply), ...this.#cluster.delete(references)];
    this.#scheduler.apply(events, this.#nowUs);
  }

  /** @param {any} step */
  #attempt(step) {
    if (step.group) return this.#attemptGroup(step);
    const reference = nameOf(step);
    const created = step.pod ? this.#cluster.apply([step.pod]) : [];
    const record = scheduleOne(this.#scheduler, created, { reference, nowUs: this.#nowUs });
    const difference = compareDecision(step.expect, record, this.#options);
    const events = this.#cluster.settle(reference, step.expect);
    if (events.length > 0) this.#scheduler.apply(events, this.#nowUs);
    return difference;
  }

  /** @param {any} step */
  #attemptGroup({ group, expect }) {
    const created = this.#cluster.apply(group.pods ?? []);
    const records = scheduleGroup(this.#scheduler, created, {
      reference: this.#cluster.pendingOfGroup(group),
      nowUs: this.#nowUs,
    });
    const difference = compareGroup(expect, records, this.#options);
    const events = settleGroup(this.#cluster, group.namespace, expect);
    if (events.length > 0) this.#scheduler.apply(events, this.#nowUs);
    return difference;
  }
}

/**
 * Whether a step records a decision. A retry of a pod that the release had bound already, or that
 * is gone, is not applicable: there was no attempt.
 * @param {any} step
 */
function isAttempt({ expect }) {
  return expect !== undefined && expect.result !== 'not-applicable';
}

/** @param {any} file */
export function attemptsOf(file) {
  return file.steps.filter(isAttempt).length;
}

/**
 * Applies `events`, then runs one cycle for the pod and returns its Decision. All writes of the
 * engine to the API server succeed at once.
 * @param {import('../support/raw_engine.js').RawScheduler} scheduler
 * @param {object[]} events
 * @param {{reference: string, nowUs: number}} attempt
 */
export function scheduleOne(scheduler, events, { reference, nowUs }) {
  scheduler.apply([...events, { type: 'SCHEDULE_ONE', pod: reference }], nowUs);
  const records = runAnswering(scheduler, { nowUs, maxCycles: MAX_CYCLES });
  // PreEnqueue may have rejected the pod before; adding it again makes it active.
  const all = records.filter(({ kind }) => kind === 'Decision');
  const last = all.findLastIndex(({ pod }) => pod === reference);
  const decisions = all.filter(({ result }, at) => at === last || result !== 'gated');
  if (decisions.length !== 1 || decisions[0].pod !== reference) {
    const pods = decisions.map(({ pod }) => pod).join(', ') || 'nothing';
    throw new Error(`asked for one decision on ${reference}, the engine decided ${pods}`);
  }
  return decisions[0];
}

/** @param {any} step */
function nameOf(step) {
  if (step.group) return `${step.group.namespace}/${step.group.name}`;
  return step.retry ?? podName(step.pod);
}
