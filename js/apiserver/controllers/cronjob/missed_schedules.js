/**
 * Which run of a CronJob is due.
 * Counterpart: pkg/controller/cronjob/utils.go, v1.36.
 */
import { timeOf } from '../../../src/kubernetes/workloads/objects.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { CronSchedule } from '../../cron/cron_schedule.js'
 */

/** Milliseconds after a scheduled time at which the CronJob is synced, so as not to be early. */
const DELTA = 100;

/** More missed runs than this are reported. */
const MANY = 100;

/** A schedule whose runs do not come one after the other. */
export class InvalidSchedule extends Error {}

/**
 * The latest time at which a Job was to be started; null when there is none.
 * @param {KubernetesObject} cronJob
 * @param {CronSchedule} schedule
 * @param {number} now
 * @returns {{ time: number | null, hasManyMissed: boolean }}
 * @throws {InvalidSchedule}
 */
export function dueTime(cronJob, schedule, now) {
  const { startingDeadlineSeconds: deadline } = cronJob.spec;
  const since = startOf(cronJob);
  const earliest = typeof deadline === 'number' ? Math.max(since, now - deadline * 1000) : since;
  const { time, missed } = latest(schedule, earliest, now);
  return { time, hasManyMissed: missed > MANY };
}

/**
 * How long it is until the CronJob is to be looked at again.
 * @param {KubernetesObject} cronJob
 * @param {CronSchedule} schedule
 * @param {number} now
 * @returns {number | null} milliseconds; null when nothing is scheduled any more
 */
export function delayUntilNext(cronJob, schedule, now) {
  const next = schedule.next(baseOf(cronJob, schedule, now));
  return next === null ? null : next + DELTA - now;
}

/**
 * The time after which the next run is looked for.
 * @param {KubernetesObject} cronJob
 * @param {CronSchedule} schedule
 * @param {number} now
 */
function baseOf(cronJob, schedule, now) {
  const earliest = startOf(cronJob);
  try {
    const { time, missed } = latest(schedule, earliest, now);
    return time ?? (missed === 0 ? earliest : now);
  } catch (error) {
    if (error instanceof InvalidSchedule) return now;
    throw error;
  }
}

/** Runs before the last one are not made up for. @param {KubernetesObject} cronJob */
function startOf({ metadata, status }) {
  return timeOf(status?.lastScheduleTime) ?? timeOf(metadata.creationTimestamp) ?? 0;
}

/**
 * The latest scheduled time until now, and roughly how many were missed: as many as the distance of
 * the first two fits in.
 * @param {CronSchedule} schedule
 * @param {number} earliest
 * @param {number} now
 */
function latest(schedule, earliest, now) {
  const first = schedule.next(earliest);
  const second = first === null ? null : schedule.next(first);
  if (first !== null && now < first) return { time: null, missed: 0 };
  if (first !== null && second !== null && now < second) return { time: first, missed: 0 };
  const distance = (second ?? 0) - (first ?? 0);
  if (first === null || distance < 1000)
    throw new InvalidSchedule('time difference between two schedules is less than 1 second');
  const missed = Math.floor((now - first) / distance) + 1;
  const time = schedule.last(first + (missed - 2) * distance, now);
  return { time, missed };
}
