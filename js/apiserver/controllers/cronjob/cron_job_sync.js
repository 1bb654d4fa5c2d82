import { timestamp } from '../../object_meta.js';
import { CronSchedule } from '../../cron/cron_schedule.js';
import { offsetOf } from '../../cron/time_zone.js';
import { isAlreadyExists, isApiError, isNamespaceTerminating } from '../api_errors.js';
import { controllerOf } from '../controller_ref.js';
import { timeOf } from '../../../src/kubernetes/workloads/objects.js';
import { byStartTime, endOf, jobNameOf, jobOf } from './cron_job_jobs.js';
import { delayUntilNext, dueTime, InvalidSchedule } from './missed_schedules.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

const MANY_MISSED =
  'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';

/** One sync of a CronJob. */
export class CronJobSync {
  #context;
  #recorder;
  #cronJob;
  #jobs;
  /** The new status. @type {Record<string, any>} */
  #status;

  /**
   * @param {{ context: ControllerContext, recorder: EventRecorder }} controller
   * @param {KubernetesObject} cronJob
   * @param {KubernetesObject[]} jobs that it controls
   */
  constructor({ context, recorder }, cronJob, jobs) {
    this.#context = context;
    this.#recorder = recorder;
    this.#cronJob = cronJob;
    this.#jobs = jobs;
    this.#status = { ...cronJob.status, active: cronJob.status?.active ?? [] };
  }

  /**
   * Deletes old Jobs, records the active ones, and starts the one that is due.
   * @returns {number | null} milliseconds until the next sync
   */
  run() {
    try {
      this.#deleteOldJobs();
      for (const job of this.#jobs) this.#note(job);
      this.#noteMissingJobs();
      return this.#schedule();
    } finally {
      const { active, ...others } = this.#status;
      const status = { ...others, ...(active.length > 0 && { active }) };
      this.#context.updateStatus('cronjobs', this.#cronJob, status);
    }
  }

  /** Keeps as many ended Jobs as the history limits allow. */
  #deleteOldJobs() {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.#cronJob.spec;
    this.#keepNewest('Complete', successfulJobsHistoryLimit);
    this.#keepNewest('Failed', failedJobsHistoryLimit);
  }

  /**
   * @param {'Complete' | 'Failed'} end
   * @param {number | null | undefined} limit
   */
  #keepNewest(end, limit) {
    if (typeof limit !== 'number') return;
    const ended = byStartTime(this.#jobs.filter((job) => endOf(job) === end));
    for (const job of ended.slice(0, Math.max(0, ended.length - limit))) this.#delete(job);
  }

  /** @param {KubernetesObject} job */
  #delete(job) {
    this.#context.delete('jobs', job, { propagationPolicy: 'Background' });
    this.#forget(job.metadata.uid);
    this.#jobs = this.#jobs.filter((one) => one !== job);
    this.#recordEvent('Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  }

  /** @param {KubernetesObject} job */
  #note(job) {
    const { name, uid } = job.metadata;
    const end = endOf(job);
    const isActive = this.#status.active.some((/** @type {any} */ one) => one.uid === uid);
    if (!end && !isActive) {
      const message = `Saw a job that the controller did not create or forgot: ${name}`;
      this.#recordEvent('Warning', 'UnexpectedJob', message);
    } else if (end && isActive) {
      this.#forget(uid);
      this.#recordEvent(
        'Normal',
        'SawCompletedJob',
        `Saw completed job: ${name}, condition: ${end}`,
      );
    }
    const completed = end === 'Complete' ? timeOf(job.status.completionTime) : null;
    const known = timeOf(this.#status.lastSuccessfulTime) ?? -Infinity;
    if (completed !== null && completed > known)
      this.#status.lastSuccessfulTime = timestamp(completed);
  }

  #noteMissingJobs() {
    const there = new Set(this.#jobs.map(({ metadata }) => metadata.uid));
    for (const { uid, name } of this.#status.active) {
      if (there.has(uid)) continue;
      this.#forget(uid);
      this.#recordEvent('Normal', 'MissingJob', `Active job went missing: ${name}`);
    }
  }

  /** @returns {number | null} */
  #schedule() {
    const { metadata, spec } = this.#cronJob;
    if (metadata.deletionTimestamp || spec.suspend) return null;
    const schedule = this.#readSchedule();
    const now = this.#context.clock.now();
    const time = schedule && this.#dueTime(schedule, now);
    if (schedule === null || time === undefined) return null;
    if (time !== null && this.#isToStart(time, now)) this.#start(time);
    const { lastScheduleTime } = this.#status;
    const known = { ...this.#cronJob, status: { lastScheduleTime } };
    return delayUntilNext(known, schedule, now);
  }

  /** @returns {CronSchedule | null} null if it is invalid, which an event reports */
  #readSchedule() {
    const { schedule, timeZone } = this.#cronJob.spec;
    const offset = offsetOf(timeZone ?? '');
    if (offset === null) {
      const zone = JSON.stringify(timeZone);
      const message = `invalid timeZone: ${zone}: unknown time zone ${timeZone}`;
      this.#recordEvent('Warning', 'UnknownTimeZone', message);
      return null;
    }
    try {
      return new CronSchedule(schedule, offset);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const message = `unparseable schedule: ${JSON.stringify(schedule)} : ${error.message}`;
      this.#recordEvent('Warning', 'UnparseableSchedule', message);
      return null;
    }
  }

  /**
   * @param {CronSchedule} schedule
   * @param {number} now
   * @returns {number | null | undefined} undefined if the schedule has no valid times
   */
  #dueTime(schedule, now) {
    try {
      const { time, hasManyMissed } = dueTime(this.#cronJob, schedule, now);
      if (time !== null && hasManyMissed)
        this.#recordEvent('Warning', 'TooManyMissedTimes', MANY_MISSED);
      return time;
    } catch (error) {
      if (!(error instanceof InvalidSchedule)) throw error;
      const message = `invalid schedule: ${this.#cronJob.spec.schedule} : ${error.message}`;
      this.#recordEvent('Warning', 'InvalidSchedule', message);
      return undefined;
    }
  }

  /**
   * @param {number} time the scheduled time
   * @param {number} now
   */
  #isToStart(time, now) {
    const { startingDeadlineSeconds: deadline, concurrencyPolicy } = this.#cronJob.spec;
    const { active, lastScheduleTime } = this.#status;
    if (typeof deadline === 'number' && time + deadline * 1000 < now) {
      const missed = new Date(time).toUTCString().replace('GMT', '+0000');
      this.#recordEvent(
        'Warning',
        'MissSchedule',
        `Missed scheduled time to start a job: ${missed}`,
      );
      return false;
    }
    const name = jobNameOf(this.#cronJob, time);
    const isStarted = active.some((/** @type {any} */ one) => one.name === name);
    if (isStarted || timeOf(lastScheduleTime) === time) return false;
    if (concurrencyPolicy === 'Forbid' && active.length > 0) {
      const message =
        'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.#recordEvent('Normal', 'JobAlreadyActive', message);
      return false;
    }
    return true;
  }

  /** @param {number} time the scheduled time */
  #start(time) {
    if (this.#cronJob.spec.concurrencyPolicy === 'Replace') {
      const uids = new Set(this.#status.active.map((/** @type {any} */ { uid }) => uid));
      for (const job of this.#jobs) if (uids.has(job.metadata.uid)) this.#delete(job);
    }
    const job = this.#create(time);
    if (!job) return;
    const { apiVersion, kind, metadata } = job;
    const { namespace, name, uid, resourceVersion } = metadata;
    const reference = { kind, namespace, name, uid, apiVersion, resourceVersion };
    this.#status.active = [...this.#status.active, reference];
    this.#status.lastScheduleTime = timestamp(time);
  }

  /**
   * @param {number} time
   * @returns {KubernetesObject | null} null if another Job with that name exists
   */
  #create(time) {
    const { store } = this.#context;
    const wanted = jobOf(this.#cronJob, time);
    try {
      const created = store.create('jobs', wanted);
      this.#recordEvent('Normal', 'SuccessfulCreate', `Created job ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (!isApiError(error)) throw error;
      const { namespace, name } = wanted.metadata;
      const found = isAlreadyExists(error) ? store.get('jobs', namespace, name) : undefined;
      if (found) return controllerOf(found)?.uid === this.#cronJob.metadata.uid ? found : null;
      if (!isNamespaceTerminating(error))
        this.#recordEvent('Warning', 'FailedCreate', `Error creating job: ${error.message}`);
      throw error;
    }
  }

  /** @param {string} uid of a Job that is no longer active */
  #forget(uid) {
    this.#status.active = this.#status.active.filter((/** @type {any} */ one) => one.uid !== uid);
  }

  /**
   * @param {'Normal' | 'Warning'} type
   * @param {string} reason
   * @param {string} message
   */
  #recordEvent(type, reason, message) {
    this.#recorder.event(this.#cronJob, type, reason, message);
  }
}
