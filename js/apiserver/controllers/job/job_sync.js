import { keyOf } from '../../../src/kubernetes/keys.js';
import { conditionOf, isConditionTrue, withCondition } from '../../../src/kubernetes/conditions.js';
import { timestamp } from '../../object_meta.js';
import { TRACKING_FINALIZER } from '../../../src/kubernetes/workloads/template_pods.js';
import { claimObjects } from '../controller_ref.js';
import { timeOf, withoutZeros } from '../../../src/kubernetes/workloads/objects.js';
import {
  isPodActive,
  isPodFinished,
  isPodReady,
  restartsOf,
} from '../../../src/kubernetes/workloads/pods.js';
import {
  formatIndexes,
  indexOf,
  isIndexed,
  pendingIndexes,
} from '../../../src/kubernetes/workloads/job_indexes.js';
import {
  isPodFailed,
  isTracked,
  missingPodsOf,
  successesOf,
  terminatingIn,
  wantedPodsOf,
} from '../../../src/kubernetes/workloads/job_pods.js';
import { createPods, deletePod, deletePods, podsForRemoval } from './job_pods.js';
import { removeTrackingFinalizer, trackPods } from './job_tracking.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { Condition } from '../../../src/kubernetes/conditions.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 * @import { PodBackoff } from './backoff.js'
 */

/** The maximum number of pods that one sync creates or deletes. */
const BURST = 500;

/** Reasons and messages of conditions. */
const BACKOFF_LIMIT = {
  reason: 'BackoffLimitExceeded',
  message: 'Job has reached the specified backoff limit',
};
const DEADLINE = {
  reason: 'DeadlineExceeded',
  message: 'Job was active longer than specified deadline',
};
const COMPLETIONS_REACHED = {
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/** One sync of one Job. Counterpart: pkg/controller/job/job_controller.go, v1.36 (syncJob). */
export class JobSync {
  #controller;
  #context;
  #job;
  #now;
  #completions;
  #pods;
  #active;
  #uncounted;
  #succeededIndexes = new Set(/** @type {number[]} */ ([]));
  /** Counted pods plus those that will be counted now. */
  #succeeded = { count: 0, indexes: new Set(/** @type {number[]} */ ([])) };
  #failed = 0;
  /** The delay before the next sync. @type {number | null} */
  #delay = null;
  /** @type {unknown} */
  #error;

  /**
   * @param {{ context: ControllerContext, recorder: EventRecorder, backoff: PodBackoff }}
   *   controller
   * @param {KubernetesObject} job
   */
  constructor(controller, job) {
    this.#controller = controller;
    const { context } = controller;
    this.#context = context;
    this.#job = job;
    this.#now = context.clock.now();
    this.#completions = job.spec.completions ?? Infinity;
    this.#pods = claimObjects(context, {
      owner: job,
      resource: 'pods',
      selector: job.spec.selector,
      finalizers: [TRACKING_FINALIZER],
    });
    this.#active = this.#pods.filter(isPodActive);
    const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
    this.#uncounted = { succeeded, failed };
  }

  /** @returns {number | null} milliseconds until the next sync */
  run() {
    this.#count();
    const conditions = this.#job.status?.conditions ?? [];
    let status = { ...this.#job.status, conditions };
    if (!status.startTime && !this.#isSuspended) status.startTime = timestamp(this.#now);
    let finished = this.#endingOf(status);
    if (finished) {
      for (const pod of this.#active) deletePod(this.#controller, this.#job, pod);
    } else {
      if (!this.#job.metadata.deletionTimestamp) this.#manage();
      if (this.#isComplete()) finished = this.#condition('SuccessCriteriaMet', COMPLETIONS_REACHED);
      else if (!this.#job.metadata.deletionTimestamp) status = this.#withSuspension(status);
    }
    this.#track(status, finished);
    if (this.#error) throw this.#error;
    return this.#delay;
  }

  get #isSuspended() {
    return Boolean(this.#job.spec.suspend);
  }

  /** Includes the pods that ended since the last sync. */
  #count() {
    const job = this.#job;
    const { status = {} } = job;
    const known = new Set([...this.#uncounted.succeeded, ...this.#uncounted.failed]);
    const isNew = (/** @type {KubernetesObject} */ pod) =>
      isTracked(pod) && !known.has(pod.metadata.uid) && this.#hasValidIndex(pod);
    const fresh = this.#pods.filter(isNew);
    const succeeded = fresh.filter((pod) => pod.status?.phase === 'Succeeded');
    const failed = fresh.filter((pod) => isPodFailed(pod, job));
    this.#controller.backoff.record(keyOf(job), { succeeded, failed, now: this.#now });
    this.#failed = (status.failed ?? 0) + failed.length + this.#uncounted.failed.length;
    this.#succeededIndexes = successesOf(job, []).indexes;
    this.#succeeded = successesOf(job, succeeded);
  }

  /** @param {KubernetesObject} pod */
  #hasValidIndex(pod) {
    const index = indexOf(pod);
    return !isIndexed(this.#job) || (index >= 0 && index < this.#completions);
  }

  /**
   * Returns the condition that ends the Job, if it has or gets one.
   * @param {Record<string, any>} status
   * @returns {Condition | undefined}
   */
  #endingOf(status) {
    const known = conditionOf(status, 'SuccessCriteriaMet') ?? conditionOf(status, 'FailureTarget');
    if (known?.status === 'True') return known;
    const { backoffLimit = 6, activeDeadlineSeconds } = this.#job.spec;
    if (this.#failed > backoffLimit || this.#isPastRestarts(backoffLimit))
      return this.#condition('FailureTarget', BACKOFF_LIMIT);
    if (activeDeadlineSeconds === undefined || this.#isSuspended) return undefined;
    const left = (timeOf(status.startTime) ?? this.#now) + activeDeadlineSeconds * 1000 - this.#now;
    if (left <= 0) return this.#condition('FailureTarget', DEADLINE);
    this.#again(left);
    return undefined;
  }

  /** @param {number} limit */
  #isPastRestarts(limit) {
    if (this.#job.spec.template.spec.restartPolicy !== 'OnFailure') return false;
    const running = this.#pods.filter((pod) => !isPodFinished(pod));
    const restarts = running.reduce((sum, pod) => sum + restartsOf(pod), 0);
    return limit === 0 ? restarts > 0 : restarts >= limit;
  }

  /** Creates or deletes pods to reach the desired number. */
  #manage() {
    const job = this.#job;
    const active = this.#active.length;
    const succeeded = this.#succeeded.count;
    const options = { completions: this.#completions, now: this.#now };
    if (this.#isSuspended) return this.#remove(this.#active);
    const least = Math.max(0, active - wantedPodsOf(job, { succeeded, active }));
    const surplus = podsForRemoval(job, this.#active, { ...options, least });
    if (surplus.length > 0) return this.#remove(surplus.slice(0, BURST));
    const missing = missingPodsOf(job, this.#pods, succeeded);
    if (missing <= 0) return;
    const delay = this.#controller.backoff.remaining(keyOf(job), this.#now);
    if (delay > 0) return this.#again(delay);
    const count = Math.min(missing, BURST);
    const { error } = createPods(this.#controller, job, this.#nextIndexes(count));
    this.#error = error;
    this.#reread();
  }

  /** @param {number} count @returns {(number | undefined)[]} */
  #nextIndexes(count) {
    if (!isIndexed(this.#job)) return Array.from({ length: count });
    const succeeded = this.#succeeded.indexes;
    return pendingIndexes(this.#job, { succeeded, pods: this.#pods, count });
  }

  /** @param {KubernetesObject[]} pods */
  #remove(pods) {
    deletePods(this.#controller, this.#job, pods);
    this.#reread();
  }

  /** Reads the pods again after changes. */
  #reread() {
    const indexer = this.#context.indexer('pods');
    const { uid } = this.#job.metadata;
    this.#pods = indexer.byIndex('controllerUID', uid);
    this.#active = this.#pods.filter(isPodActive);
  }

  #terminating() {
    return terminatingIn(this.#pods);
  }

  #isComplete() {
    if (this.#active.length > 0) return false;
    return this.#completions === Infinity
      ? this.#succeeded.count > 0
      : this.#succeeded.count >= this.#completions;
  }

  /**
   * @param {Record<string, any>} status
   * @returns {Record<string, any>}
   */
  #withSuspension(status) {
    const known = conditionOf(status, 'Suspended');
    const isReported = known?.status === 'True';
    if (isReported === this.#isSuspended) return status;
    const { recorder } = this.#controller;
    const state = this.#isSuspended ? 'Suspended' : 'Resumed';
    const message = `Job ${state.toLowerCase()}`;
    recorder.event(this.#job, 'Normal', state, message);
    const condition = this.#condition('Suspended', { reason: `Job${state}`, message });
    condition.status = this.#isSuspended ? 'True' : 'False';
    const startTime = this.#isSuspended ? status.startTime : timestamp(this.#now);
    return { ...status, startTime, conditions: withCondition(status.conditions, condition) };
  }

  /**
   * Counts ended pods in three steps: writes their uids to the status, removes their finalizers,
   * then adds them to the counts.
   * @param {Record<string, any>} status
   * @param {Condition | undefined} finished
   */
  #track(status, finished) {
    this.#reread();
    const tracking = trackPods({
      job: this.#job,
      pods: this.#pods,
      uncounted: this.#uncounted,
      succeededIndexes: this.#succeededIndexes,
      finished,
      completions: this.#completions,
    });
    const { uncounted, released, succeededIndexes } = tracking;
    const conditions =
      finished && !isConditionTrue(status, finished.type)
        ? withCondition(status.conditions, finished)
        : status.conditions;
    const first = this.#write({ ...status, conditions }, uncounted, succeededIndexes);
    for (const pod of released) removeTrackingFinalizer(this.#context, pod);
    this.#reread();
    const counted = {
      ...first,
      failed: (first.failed ?? 0) + uncounted.failed.length,
      ...(!isIndexed(this.#job) && {
        succeeded: (first.succeeded ?? 0) + uncounted.succeeded.length,
      }),
    };
    const none = { succeeded: [], failed: [] };
    const isOver = finished && tracking.isComplete && this.#terminating() === 0;
    this.#write(isOver ? this.#ended(counted, finished) : counted, none, succeededIndexes);
    if (!tracking.isComplete) this.#again(0);
  }

  /**
   * @param {Record<string, any>} status
   * @param {{ succeeded: string[], failed: string[] }} uncounted
   * @param {Set<number>} succeededIndexes
   * @returns {Record<string, any>} the written object
   */
  #write(status, { succeeded, failed }, succeededIndexes) {
    const lists = {
      ...(succeeded.length > 0 && { succeeded }),
      ...(failed.length > 0 && { failed }),
    };
    const completedIndexes = formatIndexes(succeededIndexes) || undefined;
    const next = withoutZeros(
      {
        ...status,
        conditions: status.conditions?.length ? status.conditions : undefined,
        active: this.#active.length,
        ready: this.#active.filter(isPodReady).length,
        terminating: this.#terminating(),
        uncountedTerminatedPods: lists,
        ...(isIndexed(this.#job) && { completedIndexes, succeeded: succeededIndexes.size }),
      },
      ['ready', 'terminating'],
    );
    this.#job = this.#context.updateStatus('jobs', this.#job, next);
    return next;
  }

  /**
   * @param {Record<string, any>} status
   * @param {Condition} finished
   */
  #ended(status, { type, reason = '', message = '' }) {
    const isFailure = type === 'FailureTarget';
    const { recorder } = this.#controller;
    if (isFailure) recorder.event(this.#job, 'Warning', reason, message);
    else recorder.event(this.#job, 'Normal', 'Completed', 'Job completed');
    const condition = this.#condition(isFailure ? 'Failed' : 'Complete', { reason, message });
    return {
      ...status,
      ...(!isFailure && { completionTime: timestamp(this.#now) }),
      conditions: withCondition(status.conditions, condition),
    };
  }

  /**
   * @param {string} type
   * @param {{ reason: string, message: string }} said
   * @returns {Condition}
   */
  #condition(type, { reason, message }) {
    const now = timestamp(this.#now);
    const times = { lastProbeTime: now, lastTransitionTime: now };
    return { type, status: 'True', ...times, reason, message };
  }

  /** @param {number} delay */
  #again(delay) {
    this.#delay = Math.min(this.#delay ?? Infinity, delay);
  }
}
