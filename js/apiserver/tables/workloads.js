/**
 * Workloads as kubectl prints them. Counterpart: pkg/printers/internalversion/printers.go, v1.36.
 */
import { itemsIn } from '../../src/kubernetes/values.js';
import { isConditionTrue } from '../../src/kubernetes/conditions.js';
import { labelSelectorText } from '../../src/kubernetes/label_selector.js';
import {
  age,
  containerCells,
  humanDuration,
  isDeleted,
  labelsText,
  nameOf,
  selectorText,
  since,
} from './cells.js';
import { AGE, CONTAINERS, NAME, SELECTOR, count, flag, text } from './columns.js';

/** @import { Printer } from './columns.js' */

const DESIRED = count('Desired', 'How many pods are wanted.');
const CURRENT = count('Current', 'How many pods there are.');
const READY_COUNT = count('Ready', 'How many pods are ready.');
const READY = text('Ready', 'How many pods are ready, of those wanted.');

/**
 * @param {(object: any) => string} selector
 * @returns {Printer} for a ReplicaSet or ReplicationController
 */
function replicaPrinter(selector) {
  return {
    columns: [NAME, DESIRED, CURRENT, READY_COUNT, AGE, ...CONTAINERS, SELECTOR],
    cells: (object, now) => [
      nameOf(object),
      object.spec?.replicas ?? 0,
      object.status?.replicas ?? 0,
      object.status?.readyReplicas ?? 0,
      age(object, now),
      ...containerCells(object.spec?.template?.spec),
      selector(object),
    ],
  };
}

/** @type {Printer} */
const DEPLOYMENT = {
  columns: [
    NAME,
    READY,
    text('Up-to-date', 'How many pods are made of the newest template.'),
    text('Available', 'How many pods have been ready for long enough.'),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  cells: (object, now) => [
    nameOf(object),
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    object.status?.updatedReplicas ?? 0,
    object.status?.availableReplicas ?? 0,
    age(object, now),
    ...containerCells(object.spec?.template?.spec),
    labelSelectorText(object.spec?.selector),
  ],
};

/** @type {Printer} */
const STATEFUL_SET = {
  columns: [NAME, READY, AGE, ...CONTAINERS],
  cells: (object, now) => [
    nameOf(object),
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    age(object, now),
    ...containerCells(object.spec?.template?.spec),
  ],
};

/** @type {Printer} */
const DAEMON_SET = {
  columns: [
    NAME,
    DESIRED,
    CURRENT,
    READY_COUNT,
    count('Up-to-date', 'How many nodes have a pod of the newest template.'),
    count('Available', 'How many nodes have a pod that is ready for long enough.'),
    text('Node Selector', 'On which nodes pods run.'),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  cells: ({ metadata, spec, status = {} }, now) => [
    nameOf({ metadata }),
    status.desiredNumberScheduled ?? 0,
    status.currentNumberScheduled ?? 0,
    status.numberReady ?? 0,
    status.updatedNumberScheduled ?? 0,
    status.numberAvailable ?? 0,
    labelsText(spec?.template?.spec?.nodeSelector),
    age({ metadata }, now),
    ...containerCells(spec?.template?.spec),
    selectorText(spec?.selector),
  ],
};

/** @type {Printer} */
const JOB = {
  columns: [
    NAME,
    text('Status', 'Whether the job runs, is done or has failed.'),
    text('Completions', 'How many pods have succeeded, of those wanted.'),
    text('Duration', 'How long the job has taken.'),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  cells: (job, now) => [
    nameOf(job),
    jobStatus(job),
    completions(job),
    jobDuration(job.status ?? {}, now),
    age(job, now),
    ...containerCells(job.spec?.template?.spec),
    selectorText(job.spec?.selector),
  ],
};

/** @param {any} job */
function jobStatus(job) {
  const is = (/** @type {string} */ type) => isConditionTrue(job.status, type);
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (isDeleted(job)) return 'Terminating';
  if (is('Suspended')) return 'Suspended';
  return is('FailureTarget') ? 'FailureTarget' : 'Running';
}

/** @param {any} job */
function completions({ spec = {}, status }) {
  const succeeded = status?.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return spec.parallelism > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`;
}

/** @param {any} status @param {number} now */
function jobDuration({ startTime, completionTime }, now) {
  if (!startTime) return '';
  return humanDuration((completionTime ? Date.parse(completionTime) : now) - Date.parse(startTime));
}

/** @type {Printer} */
const CRON_JOB = {
  columns: [
    NAME,
    text('Schedule', 'When jobs are made.'),
    text('Timezone', 'Where the schedule’s clock is.'),
    flag('Suspend', 'Whether no more jobs are made.'),
    count('Active', 'How many jobs run.'),
    text('Last Schedule', 'Time since the last job was made.'),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  cells: ({ metadata, spec = {}, status }, now) => [
    nameOf({ metadata }),
    spec.schedule ?? '',
    spec.timeZone ?? '<none>',
    spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
    itemsIn(status?.active).length,
    status?.lastScheduleTime ? since(status.lastScheduleTime, now) : '<none>',
    age({ metadata }, now),
    ...containerCells(spec.jobTemplate?.spec?.template?.spec),
    selectorText(spec.jobTemplate?.spec?.selector),
  ],
};

/** @type {Printer} */
const CONTROLLER_REVISION = {
  columns: [
    NAME,
    text('Controller', 'Whose template it is.'),
    text('Revision', 'Number of the revision.'),
    AGE,
  ],
  cells: (object, now) => [
    nameOf(object),
    controllerText(object),
    object.revision ?? 0,
    age(object, now),
  ],
};

/** @param {any} object */
function controllerText({ metadata }) {
  const owner = itemsIn(metadata?.ownerReferences).find(({ controller }) => controller);
  if (!owner) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`;
}

/** The desired and present number of pods, from the subresource `scale`. @type {Printer} */
const SCALE = {
  columns: [
    text('Name', 'Name of the object.'),
    DESIRED,
    count('Available', 'How many pods there are.'),
    AGE,
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.replicas ?? 0,
    object.status?.replicas ?? 0,
    age(object, now),
  ],
};

export const WORKLOAD_PRINTERS = Object.freeze({
  ControllerRevision: CONTROLLER_REVISION,
  CronJob: CRON_JOB,
  DaemonSet: DAEMON_SET,
  Deployment: DEPLOYMENT,
  Job: JOB,
  ReplicaSet: replicaPrinter(({ spec }) => selectorText(spec?.selector)),
  ReplicationController: replicaPrinter(({ spec }) => labelsText(spec?.selector)),
  Scale: SCALE,
  StatefulSet: STATEFUL_SET,
});
