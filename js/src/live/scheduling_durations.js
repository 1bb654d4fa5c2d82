/**
 * Measures durations of scheduling from outside: around the turns of the engine, which has no clock
 * of its own, and around its calls. Names, labels and buckets: kube-scheduler's,
 * pkg/scheduler/metrics/metrics.go, v1.36.
 */
import { exponentialBuckets, HistogramFamily } from './metric_families.js';

/**
 * @import { BindingResult, PodGroupDecision } from '../engine/record_types.js'
 * @import { Answer, Call, Clock, Decision, EngineRecord, Turn } from '../engine/types.js'
 * @import { MetricFamily } from './metrics_text.js'
 */

/** A placement whose binding is pending. */
/** @typedef {{ profile: string, seconds: number, decidedAt: number }} Placement */

/** Results of decisions that count as attempts: cycles that ended. */
const ATTEMPTS = ['scheduled', 'unschedulable', 'error'];

/** Codes of statuses that mean a rejected pod instead of an error. */
const REJECTED = ['Unschedulable', 'UnschedulableAndUnresolvable', 'Pending'];

export class Durations {
  #clock;
  #attempt = new HistogramFamily({
    name: 'scheduler_scheduling_attempt_duration_seconds',
    help: 'Duration of an attempt to schedule a pod: its cycle and its binding.',
    stability: 'STABLE',
    labels: ['result', 'profile'],
    bounds: exponentialBuckets(0.001, 2, 15),
  });
  #algorithm = new HistogramFamily({
    name: 'scheduler_scheduling_algorithm_duration_seconds',
    help: 'Duration of a scheduling cycle up to its decision.',
    stability: 'ALPHA',
    labels: [],
    bounds: exponentialBuckets(0.001, 2, 15),
  });
  #groupAttempt = new HistogramFamily({
    name: 'scheduler_podgroup_scheduling_attempt_duration_seconds',
    help: 'Duration of an attempt to schedule a pod group.',
    stability: 'ALPHA',
    labels: ['result', 'profile'],
    bounds: exponentialBuckets(0.001, 2, 15),
  });
  #groupAlgorithm = new HistogramFamily({
    name: 'scheduler_podgroup_scheduling_algorithm_duration_seconds',
    help: 'Duration of the cycle of a pod group up to its decision.',
    stability: 'ALPHA',
    labels: [],
    bounds: exponentialBuckets(0.001, 2, 15),
  });
  #point = new HistogramFamily({
    name: 'scheduler_framework_extension_point_duration_seconds',
    help: 'Duration of all plugins of an extension point.',
    stability: 'STABLE',
    labels: ['extension_point', 'status', 'profile'],
    bounds: exponentialBuckets(0.0001, 2, 12),
  });
  /** By the decision's number. @type {Map<number, Placement>} */
  #placements = new Map();
  /** Profiles of pods whose binding is in progress. @type {Map<string, string>} */
  #profiles = new Map();
  /** When the current cycle began to wait for an answer. @type {number | undefined} */
  #waitsSince;

  /** @param {{ clock: Clock }} options the timer for durations */
  constructor({ clock }) {
    this.#clock = clock;
  }

  /**
   * Runs a turn and divides its time evenly among its attempts: for one attempt that is exact. A
   * cycle that waited for an extender also gets the time of the wait.
   * @param {() => Turn} run
   * @returns {Turn}
   */
  aroundTurn(run) {
    const start = this.#clock.now();
    const turn = run();
    const end = this.#clock.now();
    const attempts = turn.records.filter(isAttempt);
    const cycles = attempts.length + (turn.waiting ? 1 : 0);
    const share = cycles > 0 ? (end - start) / cycles : 0;
    let waited = 0;
    if (this.#waitsSince !== undefined && attempts.length > 0) {
      waited = start - this.#waitsSince;
      this.#waitsSince = undefined;
    }
    /** By the decision's number. @type {Map<number, { seconds: number, profile: string }>} */
    const shares = new Map();
    for (const attempt of attempts) {
      const seconds = (share + waited) / 1000;
      this.#decided(attempt, { seconds, at: end });
      shares.set(attempt.seq, { seconds, profile: attempt.schedulerName ?? '' });
      waited = 0;
    }
    for (const record of turn.records)
      if (record.kind === 'PodGroupDecision') this.#groupDecided(record, shares);
    if (turn.waiting) this.#waitsSince ??= end - share;
    for (const record of turn.records)
      if (record.kind === 'BindingResult') this.#bound(record, end);
    return turn;
  }

  /**
   * Performs a call. DefaultBinder's Bind consists of the calls of verb `bind`.
   * @param {Call} call
   * @param {() => Promise<Answer>} perform
   * @returns {Promise<Answer>}
   */
  async aroundCall(call, perform) {
    if (call.verb !== 'bind') return perform();
    const profile = this.#profiles.get(call.pod) ?? '';
    const start = this.#clock.now();
    let status = 'Error';
    try {
      const answer = await perform();
      if (answer.error === undefined && answer.status < 300) status = 'Success';
      return answer;
    } finally {
      this.#point.observe(['Bind', status, profile], (this.#clock.now() - start) / 1000);
    }
  }

  /** @returns {MetricFamily[]} */
  families() {
    const pods = [this.#attempt, this.#algorithm, this.#point];
    return [...pods, this.#groupAttempt, this.#groupAlgorithm].map((metric) => metric.family());
  }

  /**
   * @param {Decision} decision
   * @param {{ seconds: number, at: number }} measured
   */
  #decided({ seq, pod, result, schedulerName: profile = '' }, { seconds, at }) {
    this.#algorithm.observe([], seconds);
    if (result === 'scheduled') {
      this.#placements.set(seq, { profile, seconds, decidedAt: at });
      this.#profiles.set(pod, profile);
    } else {
      this.#attempt.observe([result, profile], seconds);
    }
  }

  /**
   * A group takes the time of the decisions about its pods.
   * @param {PodGroupDecision} record
   * @param {Map<number, { seconds: number, profile: string }>} shares
   */
  #groupDecided({ result, waitsForPreemption, decisions }, shares) {
    const own = decisions.flatMap((seq) => shares.get(seq) ?? []);
    if (own.length === 0) return;
    const seconds = own.reduce((sum, share) => sum + share.seconds, 0);
    const label = waitsForPreemption ? 'waiting_on_preemption' : result;
    this.#groupAlgorithm.observe([], seconds);
    this.#groupAttempt.observe([label, own[0].profile], seconds);
  }

  /**
   * @param {BindingResult} record
   * @param {number} now
   */
  #bound({ decision, pod, result, code = '' }, now) {
    this.#profiles.delete(pod);
    const placement = this.#placements.get(decision);
    if (!placement) return;
    this.#placements.delete(decision);
    const { profile, seconds, decidedAt } = placement;
    const failed = REJECTED.includes(code) ? 'unschedulable' : 'error';
    const label = result === 'bound' ? 'scheduled' : failed;
    this.#attempt.observe([label, profile], seconds + (now - decidedAt) / 1000);
  }
}

/** @param {EngineRecord} record @returns {record is Decision} */
function isAttempt(record) {
  return record.kind === 'Decision' && ATTEMPTS.includes(record.result);
}
