/**
 * The pod that stands for all those of a workload: the first of its replicas, or for a DaemonSet
 * one that may be on every node.
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

/** How each kind says how many pods it has, and how it has but one. */
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
    const makePod = () => firstPod(asReplicaSet(workload), readLists());
    return { makePod, subject: `pods of ${subject}`, field, isDaemonSet: true };
  }
  const count = KINDS.get(type)?.(workload.spec ?? {});
  if (!count) return { skipped: `kind ${apiVersion}, Kind=${kind}` };
  if (count.pods === 0) return { skipped: 'it has no pods now' };
  const makePod = () => firstPod({ ...workload, spec: count.single }, readLists());
  const which = count.pods === 1 ? 'the pod' : `the first of ${count.pods} pods`;
  return { makePod, subject: `${which} of ${subject}`, field };
}

/**
 * As the client knows it: a name that is to be made is not there yet.
 * @param {KubernetesObject} object
 */
export function nameOf({ metadata }) {
  return metadata?.name || metadata?.generateName || '';
}

/**
 * The claims of a StatefulSet are made with its pods: until then nothing is known of them.
 * @param {any} spec
 */
function ofReplicas(spec) {
  const pods = spec.replicas ?? 1;
  const replicas = atMostOne(pods);
  return { pods, single: { ...spec, replicas, volumeClaimTemplates: undefined } };
}

/** @param {any} spec */
function ofJob(spec) {
  const parallelism = spec.parallelism ?? 1;
  const pods = spec.suspend ? 0 : Math.min(parallelism, spec.completions ?? parallelism);
  return { pods, single: { ...spec, parallelism: atMostOne(parallelism) } };
}

/** What is no count stays, to be refused. @param {any} count */
function atMostOne(count) {
  return Number.isInteger(count) && count > 1 ? 1 : count;
}

/**
 * A CronJob's Job, as if its time were now.
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
  if (!('makePod' in question)) return question;
  const subject = question.subject.replace(' of Job ', ' of CronJob ');
  return { ...question, subject, field: 'spec.jobTemplate.spec.template.spec' };
}

/**
 * The DaemonSet as a set of one pod that is bound to no node, with the tolerations of daemons.
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
 * The API server has not admitted it, as it has a pod under review: `podsOf` does.
 * @param {KubernetesObject} workload that has one
 * @param {AdmissionLists} lists
 */
function firstPod(workload, lists) {
  const [pod] = podsOf(withKnownPriority(workload, lists.priorityClasses), lists);
  return pod;
}

/**
 * Of a class that is not known it is not said that it could not preempt whoever is in the way.
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
