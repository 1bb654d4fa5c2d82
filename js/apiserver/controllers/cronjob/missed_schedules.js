/** Finds the run of a CronJob that is due. Counterpart: pkg/controller/cronjob/utils.go, v1.36. */
import { timeOf } from '../../../src/kubernetes/workloads/objects.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { CronSchedule } from '../../cron/cron_schedule.js'
 */

/** The delay of a sync after a scheduled time, which avoids syncing too early: milliseconds. */
const DELTA = 100;

/** More missed runs than this are reported. */
const MANY = 100;

/** A schedule whose times do not ascend. */
export class InvalidSchedule extends Error {}

/**
 * Returns the latest time at which a Job should have been started; null if there is none.
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
 * Returns the time until the CronJob's next sync.
 * @param {KubernetesObject} cronJob
 * @param {CronSchedule} schedule
 * @param {number} now
 * @returns {number | null} milliseconds; null if there is no further run
 */
export function delayUntilNext(cronJob, schedule, now) {
  const next = schedule.next(baseOf(cronJob, schedule, now));
  return next === null ? null : next + DELTA - now;
}

/**
 * Returns the time after which the next run is searched.
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
 * Returns the latest scheduled time until now, and an estimate of the missed runs from the distance
 * of the first two.
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
