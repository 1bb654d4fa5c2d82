/**
 * CronJobs.
 * Counterpart: `ValidateCronJobCreate` of pkg/apis/batch/validation/validation.go, v1.36.
 */
import { parseCron } from '../cron/cron_fields.js';
import { offsetOf } from '../cron/time_zone.js';
import { invalidValue, notSupported, required } from '../../src/kubernetes/field_errors.js';
import { templateSelectorErrors } from './job_selector.js';
import { jobSpecErrors, notNegative } from './workloads.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

/** The names of its Jobs add a hyphen and ten digits. */
const LONGEST_NAME = 52;

const CONCURRENCY_POLICIES = ['Allow', 'Forbid', 'Replace'];
const ZONE_PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** @param {KubernetesObject} cronJob */
export function cronJobErrors({ metadata, spec }) {
  const { schedule, timeZone, concurrencyPolicy, jobTemplate } = spec;
  const { name } = metadata;
  const field = 'spec.schedule';
  return [
    ...(schedule ? scheduleErrors(schedule, field) : [required(field)]),
    ...notNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    ...timeZoneErrors(timeZone, 'spec.timeZone'),
    ...(CONCURRENCY_POLICIES.includes(concurrencyPolicy)
      ? []
      : [notSupported('spec.concurrencyPolicy', concurrencyPolicy, CONCURRENCY_POLICIES)]),
    ...jobSpecErrors(jobTemplate?.spec ?? {}, 'spec.jobTemplate.spec'),
    ...templateSelectorErrors(jobTemplate?.spec ?? {}, 'spec.jobTemplate.spec'),
    ...notNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'),
    ...notNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'),
    ...(name?.length > LONGEST_NAME
      ? [invalidValue('metadata.name', name, `must be no more than ${LONGEST_NAME} characters`)]
      : []),
  ];
}

/**
 * @param {string} schedule
 * @param {string} field
 * @returns {FieldError[]}
 */
function scheduleErrors(schedule, field) {
  const zoned = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  const fault = faultOf(schedule);
  return [
    ...(fault === null ? [] : [invalidValue(field, schedule, fault)]),
    ...(schedule.includes('TZ') ? [invalidValue(field, schedule, zoned)] : []),
  ];
}

/** @param {string} schedule */
function faultOf(schedule) {
  try {
    parseCron(schedule);
    return null;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/**
 * @param {string | null | undefined} timeZone
 * @param {string} field
 * @returns {FieldError[]}
 */
function timeZoneErrors(timeZone, field) {
  if (timeZone === undefined || timeZone === null) return [];
  const refuse = (/** @type {string} */ detail) => [invalidValue(field, timeZone, detail)];
  if (timeZone === '') return refuse('timeZone must be nil or non-empty string');
  const isLocal = timeZone.toLowerCase() === 'local';
  if (isLocal)
    return refuse(
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    );
  const isPlain = timeZone
    .split('/')
    .every((part) => part !== '.' && part !== '..' && ZONE_PART.test(part) && part[0] !== '-');
  return isPlain && offsetOf(timeZone) ? [] : refuse(`unknown time zone ${timeZone}`);
}
