/**
 * Unfolds the workloads of other projects into those of Kubernetes, as their controllers do: a
 * JobSet into Jobs, a LeaderWorkerSet into StatefulSets, a Job of Volcano into pods. What does not
 * decide where pods may run is left out.
 */
import { groupOf } from '../../kubernetes/api_group.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';
import { wholeNumber } from '../counts.js';
import { inheritPosition } from '../positions.js';

/**
 * @import { Step } from '../../documents/documents.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 */

/** Labels that name a part of a workload. */
export const REPLICATED_JOB = 'jobset.sigs.k8s.io/replicatedjob-name';
const LWS_NAME = 'leaderworkerset.sigs.k8s.io/name';

/** The annotation with a pod's PodGroup of Volcano. */
export const VOLCANO_GROUP = 'scheduling.k8s.io/group-name';

/** The maximum of each count: more than the largest clusters run. */
const MOST_MADE = 10_000;

/** By API group and kind. @type {Record<string, (object: KubernetesObject) => Made[]>} */
const UNFOLDED = {
  'jobset.x-k8s.io/JobSet': jobsOf,
  'leaderworkerset.x-k8s.io/LeaderWorkerSet': setsOf,
  'batch.volcano.sh/Job': podsOf,
};

/** An object, and the path of the part that it was made from. @typedef {[any, Step[]]} Made */

/**
 * Returns what kind of workload an object is, as `GROUP/KIND`; undefined if it is not one that
 * `unfolded` unfolds.
 * @param {KubernetesObject} object
 */
export function foldedKindOf({ apiVersion = '', kind, metadata, spec }) {
  const name = `${groupOf(apiVersion)}/${kind}`;
  const isWhole = isRecord(metadata) && isRecord(spec);
  return isWhole && Object.hasOwn(UNFOLDED, name) ? name : undefined;
}

/**
 * Returns the objects that the controller of a workload would create, with its positions.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject[]} the object itself if it is of another kind
 * @throws {import('../../kubernetes/errors.js').InputError} if a count is not from 0 to MOST_MADE
 */
export function unfolded(object) {
  const kind = foldedKindOf(object);
  if (kind === undefined) return [object];
  return UNFOLDED[kind](object).map(([made, path]) => {
    inheritPosition(made, object, path);
    return made;
  });
}

/** @param {KubernetesObject} set a JobSet @returns {Made[]} */
function jobsOf(set) {
  const { metadata, spec } = set;
  return itemsIn(spec.replicatedJobs).flatMap((part, at) => {
    const { name = String(at), replicas, template = {} } = part ?? {};
    const field = `spec.replicatedJobs[${at}].replicas`;
    return numbers(set, field, replicas).map((index) => {
      const labels = {
        'jobset.sigs.k8s.io/jobset-name': metadata.name,
        [REPLICATED_JOB]: name,
        'jobset.sigs.k8s.io/job-index': String(index),
      };
      const job = {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: {
          ...named(metadata, `${metadata.name}-${name}-${index}`),
          labels: { ...template.metadata?.labels, ...labels },
        },
        spec: {
          ...template.spec,
          ...(spec.suspend && { suspend: true }),
          template: labelled(template.spec?.template, labels),
        },
      };
      return /** @type {Made} */ ([job, ['spec', 'replicatedJobs', at, 'template']]);
    });
  });
}

/**
 * The leaders are one StatefulSet, the workers of each group another.
 * @param {KubernetesObject} lws
 * @returns {Made[]}
 */
function setsOf(lws) {
  const { metadata, spec } = lws;
  const { leaderTemplate, workerTemplate, ...others } = spec.leaderWorkerTemplate ?? {};
  const size = countIn(lws, 'spec.leaderWorkerTemplate.size', others.size);
  const { name } = metadata;
  const set = (
    /** @type {string} */ called,
    /** @type {any} */ template,
    /** @type {any} */ rest,
  ) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: named(metadata, called),
    spec: { ...rest, template: labelled(template, { [LWS_NAME]: name }) },
  });
  const groups = numbers(lws, 'spec.replicas', spec.replicas);
  const path = (/** @type {string} */ part) => ['spec', 'leaderWorkerTemplate', part];
  const workers = size > 1 ? groups : [];
  const ordinals = { start: 1 };
  return [
    [
      set(name, leaderTemplate ?? workerTemplate, { replicas: groups.length }),
      path(leaderTemplate ? 'leaderTemplate' : 'workerTemplate'),
    ],
    ...workers.map(
      (group) =>
        /** @type {Made} */ ([
          set(`${name}-${group}`, workerTemplate, { replicas: size - 1, ordinals }),
          path('workerTemplate'),
        ]),
    ),
  ];
}

/** @param {KubernetesObject} job of Volcano @returns {Made[]} */
function podsOf(job) {
  const { metadata, spec } = job;
  countIn(job, 'spec.minAvailable', spec.minAvailable);
  const { priorityClassName, schedulerName = 'volcano' } = spec;
  return itemsIn(spec.tasks).flatMap((task, at) => {
    const { name = `default${at}`, template = {} } = task ?? {};
    const labels = { 'volcano.sh/job-name': metadata.name, 'volcano.sh/task-spec': name };
    const { metadata: given } = template;
    return numbers(job, `spec.tasks[${at}].replicas`, task?.replicas).map((index) => {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          ...named(metadata, `${metadata.name}-${name}-${index}`),
          labels: { ...given?.labels, ...labels },
          annotations: { ...given?.annotations },
        },
        spec: { ...(priorityClassName && { priorityClassName }), schedulerName, ...template.spec },
      };
      return /** @type {Made} */ ([pod, ['spec', 'tasks', at, 'template']]);
    });
  });
}

/** @param {KubernetesObject} object @param {string} field @param {unknown} count default 1 */
function countIn(object, field, count) {
  return wholeNumber(object, field, count ?? 1, MOST_MADE);
}

/** @param {KubernetesObject} object @param {string} field @param {unknown} count default 1 */
function numbers(object, field, count) {
  return Array.from({ length: countIn(object, field, count) }, (_, index) => index);
}

/** @param {KubernetesObject['metadata']} metadata of the workload @param {string} name */
function named({ namespace }, name) {
  return { name, ...(namespace && { namespace }) };
}

/** @param {any} template of pods @param {Record<string, string>} labels */
function labelled(template, labels) {
  if (!isRecord(template)) return template;
  const { metadata } = /** @type {Record<string, any>} */ (template);
  return { ...template, metadata: { ...metadata, labels: { ...metadata?.labels, ...labels } } };
}
