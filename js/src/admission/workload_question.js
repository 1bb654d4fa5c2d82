/**
 * Derives the pods of a workload: its replicas, or for a DaemonSet one that may run on every node.
 */
import { withDaemonTolerations } from '../kubernetes/workloads/daemon_pods.js';
import { podsOf } from '../manifests/expand.js';
import {
  daemonPod,
  revisionHashOf,
  withTemplateGeneration,
} from '../kubernetes/workloads/template_pods.js';
import { isRecord } from '../kubernetes/values.js';

/**
 * @import { PriorityClasses } from '../kubernetes/default_classes.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { AdmissionLists } from './admission_options.js'
 * @import { PassedBy, Question } from './question.js'
 */

/** `scheduling.HighestUserDefinablePriority` of Kubernetes. */
const HIGHEST_PRIORITY = 1_000_000_000;

/** The number of each kind's pods, and a way to reduce it. */
const KINDS = new Map([
  ['apps/v1 Deployment', ofReplicas],
  ['apps/v1 ReplicaSet', ofReplicas],
  ['v1 ReplicationController', ofReplicas],
  ['apps/v1 StatefulSet', ofReplicas],
  ['batch/v1 Job', ofJob],
]);

/**
 * @param {KubernetesObject} workload
 * @param {() => AdmissionLists} readLists
 * @returns {Question | PassedBy}
 */
export function workloadQuestion(workload, readLists) {
  const { apiVersion, kind } = workload;
  const type = `${apiVersion} ${kind}`;
  if (type === 'batch/v1 CronJob') return cronJobQuestion(workload, readLists);
  const subject = `${kind} "${nameOf(workload)}"`;
  const field = 'spec.template.spec';
  if (type === 'apps/v1 DaemonSet') {
    const makePods = () => firstPods(asReplicaSet(workload), readLists());
    return { makePods, subject: `pods of ${subject}`, field, isDaemonSet: true };
  }
  const count = KINDS.get(type)?.(workload.spec ?? {});
  if (!count) return { skipped: `kind ${apiVersion}, Kind=${kind}` };
  if (count.pods === 0) return { skipped: 'it has no pods now' };
  const makePods = (/** @type {number} */ most) =>
    firstPods({ ...workload, spec: count.specOf(most) }, readLists());
  const which = count.pods === 1 ? 'the pod' : `the first of ${count.pods} pods`;
  const subjectAt = (/** @type {number} */ index) =>
    index === 0 ? `${which} of ${subject}` : `pod ${index + 1} of ${count.pods} of ${subject}`;
  return { makePods, subject: subjectAt(0), subjectAt, field };
}

/**
 * The client's name of the object; a generated name does not exist yet.
 * @param {KubernetesObject} object
 */
export function nameOf({ metadata }) {
  return metadata?.name || metadata?.generateName || '';
}

/**
 * Removes the claims of a StatefulSet: they are created with its pods.
 * @param {any} spec
 */
function ofReplicas(spec) {
  const pods = spec.replicas ?? 1;
  const specOf = (/** @type {number} */ most) => ({
    ...spec,
    replicas: atMost(most, pods),
    volumeClaimTemplates: undefined,
  });
  return { pods, specOf };
}

/** @param {any} spec */
function ofJob(spec) {
  const parallelism = spec.parallelism ?? 1;
  const pods = spec.suspend ? 0 : Math.min(parallelism, spec.completions ?? parallelism);
  const specOf = (/** @type {number} */ most) => ({
    ...spec,
    parallelism: atMost(most, parallelism),
  });
  return { pods, specOf };
}

/**
 * An invalid count stays, so that it is rejected later.
 * @param {number} most
 * @param {any} count
 */
function atMost(most, count) {
  return Number.isInteger(count) && count > most ? most : count;
}

/**
 * Returns the pod of a CronJob's next Job, as if it were due now.
 * @param {KubernetesObject} cronJob
 * @param {() => AdmissionLists} readLists
 */
function cronJobQuestion(cronJob, readLists) {
  const { jobTemplate, suspend } = cronJob.spec ?? {};
  if (suspend) return { skipped: 'it has no pods now' };
  const { name, generateName, namespace } = cronJob.metadata;
  const metadata = { ...jobTemplate?.metadata, name, generateName, namespace };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: jobTemplate?.spec };
  const question = workloadQuestion(job, readLists);
  if (!('makePods' in question)) return question;
  const subjectAt = (/** @type {number} */ index) =>
    (question.subjectAt?.(index) ?? question.subject).replace(' of Job ', ' of CronJob ');
  return {
    ...question,
    subject: subjectAt(0),
    subjectAt,
    field: 'spec.jobTemplate.spec.template.spec',
  };
}

/**
 * Returns the DaemonSet as a set of one pod without a node, with the tolerations of daemons.
 * @param {KubernetesObject} daemonSet
 */
function asReplicaSet(daemonSet) {
  const { template, selector } = daemonSet.spec ?? {};
  if (!isRecord(template?.spec) || !isRecord(template.metadata?.labels ?? {}))
    return { ...daemonSet, kind: 'ReplicaSet', spec: { replicas: 1, selector, template } };
  const hash = revisionHashOf(daemonSet);
  const { labels } = daemonPod(withTemplateGeneration(daemonSet), { hash, node: '' }).metadata;
  const metadata = { ...template.metadata, labels };
  const spec = withDaemonTolerations(template.spec);
  return {
    ...daemonSet,
    kind: 'ReplicaSet',
    spec: { replicas: 1, selector, template: { metadata, spec } },
  };
}

/**
 * Returns the pods, admitted by `podsOf`: the API server has not admitted pods of templates.
 * @param {KubernetesObject} workload one with pods
 * @param {AdmissionLists} lists
 */
function firstPods(workload, lists) {
  return podsOf(withKnownPriority(workload, lists.priorityClasses), lists);
}

/**
 * If the PriorityClass is unknown, assume the highest priority, so that the pod may preempt.
 * @param {KubernetesObject} workload
 * @param {PriorityClasses} priorityClasses
 */
function withKnownPriority(workload, priorityClasses) {
  const { template } = workload.spec;
  const { priorityClassName } = template?.spec ?? {};
  if (!priorityClassName || priorityClasses.get(priorityClassName)) return workload;
  const spec = { ...template.spec, priority: HIGHEST_PRIORITY };
  return { ...workload, spec: { ...workload.spec, template: { ...template, spec } } };
}
