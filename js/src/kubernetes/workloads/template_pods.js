/**
 * Creates pods and ReplicaSets from templates, as controllers send them to the API server, which
 * then fills in defaults. Counterparts: pkg/controller/controller_utils.go (GetPodFromTemplate) and
 * the controllers of each kind, v1.36.
 */
import { withClaims } from './claims.js';
import { pinnedTo, withDaemonTolerations } from './daemon_pods.js';
import { generatedJobLabels, JOB_NAME_LABELS } from './job_labels.js';
import { controllerRefTo } from '../owners.js';
import { computeHash } from './template_hash.js';

/** @import { KubernetesObject } from '../types.js' */

export const POD_TEMPLATE_HASH = 'pod-template-hash';

/** The label with the revision of the template of a StatefulSet's or DaemonSet's pod. */
export const REVISION_LABEL = 'controller-revision-hash';

export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';

/** Keeps the pods of Jobs until they are counted. */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

const POD_NAME = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX = 'apps.kubernetes.io/pod-index';
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** The labels of pods that contain the name of their workload. */
export const LABELS_OF_NAMES = new Set([REVISION_LABEL, POD_NAME, ...JOB_NAME_LABELS]);

/**
 * Creates a pod from a template, as ReplicaSets and ReplicationControllers do; other controllers
 * start from it.
 * @param {any} template a PodTemplateSpec
 * @param {KubernetesObject} owner
 * @returns {KubernetesObject} its name starts with the owner's name
 */
export function podFromTemplate({ metadata, spec }, owner) {
  const { labels, annotations, finalizers } = metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace,
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
      ...(Array.isArray(finalizers) && { finalizers: [...finalizers] }),
      ownerReferences: [controllerRefTo(owner)],
    },
    spec,
  };
}

/**
 * Creates the ReplicaSet of a Deployment's template.
 * @param {KubernetesObject} deployment
 * @param {{ hash?: string, replicas: number, annotations?: Record<string, string> }} options
 *   `hash`: of the template, if it is known
 * @returns {KubernetesObject}
 */
export function replicaSetFor(deployment, { hash, replicas, annotations }) {
  const { template, selector, minReadySeconds } = deployment.spec;
  const { namespace, name } = deployment.metadata;
  const known = hash ?? computeHash(template, deployment.status?.collisionCount);
  const label = { [POD_TEMPLATE_HASH]: known };
  const labels = { ...template.metadata?.labels, ...label };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${known}`,
      namespace,
      labels,
      ...(annotations && { annotations }),
      ownerReferences: [controllerRefTo(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, ...label } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/**
 * @param {KubernetesObject} set a StatefulSet
 * @param {{ template: any, revision: string, ordinal: number }} place `revision`: the revision's
 *   name
 * @returns {KubernetesObject}
 */
export function statefulPod(set, { template, revision, ordinal }) {
  const pod = podFromTemplate(template, set);
  const name = `${set.metadata.name}-${ordinal}`;
  const { generateName: _, ...metadata } = pod.metadata;
  return withIdentity(set, {
    ...pod,
    metadata: { ...metadata, name, labels: { ...metadata.labels, [REVISION_LABEL]: revision } },
    spec: { ...pod.spec, hostname: name, subdomain: set.spec.serviceName || undefined },
  });
}

/**
 * Returns the pod with the labels and claims of its ordinal in the StatefulSet.
 * @param {KubernetesObject} set
 * @param {KubernetesObject} pod
 * @returns {KubernetesObject}
 */
export function withIdentity(set, pod) {
  const { name } = pod.metadata;
  const labels = {
    ...pod.metadata.labels,
    [POD_NAME]: name,
    [POD_INDEX]: String(ordinalOf(set, pod)),
  };
  return {
    ...pod,
    metadata: { ...pod.metadata, labels },
    spec: withClaims(pod.spec, set, name),
  };
}

/**
 * Returns the ordinal in a pod's name; -1 if the name is not one of the StatefulSet's.
 * @param {KubernetesObject} set
 * @param {KubernetesObject} pod
 */
export function ordinalOf(set, { metadata: { name } }) {
  const match = /^(.*)-(\d+)$/.exec(name);
  return match && match[1] === set.metadata.name ? Number(match[2]) : -1;
}

/**
 * @param {KubernetesObject} set a DaemonSet
 * @param {{ hash: string, node: string }} place `hash`: of the template
 * @returns {KubernetesObject}
 */
export function daemonPod(set, { hash, node }) {
  const { template } = set.spec;
  const pod = podFromTemplate(template, set);
  const generation = set.metadata.annotations?.[TEMPLATE_GENERATION];
  const labels = {
    ...pod.metadata.labels,
    [REVISION_LABEL]: hash,
    ...(generation && { 'pod-template-generation': generation }),
  };
  const spec = withDaemonTolerations(template.spec);
  const affinity = pinnedTo(spec.affinity, node);
  return { ...pod, metadata: { ...pod.metadata, labels }, spec: { ...spec, affinity } };
}

/**
 * Returns the DaemonSet as the API server stores it on creation, with template generation 1.
 * @param {KubernetesObject} set
 * @returns {KubernetesObject}
 */
export function withTemplateGeneration(set) {
  const annotations = { [TEMPLATE_GENERATION]: '1', ...set.metadata.annotations };
  return { ...set, metadata: { ...set.metadata, annotations } };
}

/**
 * @param {KubernetesObject} job
 * @param {number} [index] of an Indexed Job
 * @returns {KubernetesObject}
 */
export function jobPod(job, index) {
  const { name } = job.metadata;
  const { template } = job.spec;
  const own = index === undefined ? template : templateOfIndex(template, name, index);
  const pod = podFromTemplate(own, job);
  const { metadata } = pod;
  const finalizers = new Set([...(metadata.finalizers ?? []), TRACKING_FINALIZER]);
  return {
    ...pod,
    metadata: {
      ...metadata,
      generateName: index === undefined ? `${name}-` : `${name}-${index}-`,
      // The API server adds them to the template of a stored Job; other Jobs lack them.
      labels: { ...generatedJobLabels(job), ...metadata.labels },
      finalizers: [...finalizers],
    },
  };
}

/**
 * Returns the data of a StatefulSet's or DaemonSet's ControllerRevision: a patch that restores the
 * template.
 * @param {KubernetesObject} owner
 */
export function revisionDataOf({ spec }) {
  return { spec: { template: { ...spec.template, $patch: 'replace' } } };
}

/**
 * Returns the hash in the name of that revision.
 * @param {KubernetesObject} owner
 * @param {number} [collisionCount]
 */
export function revisionHashOf(owner, collisionCount = owner.status?.collisionCount) {
  return computeHash(revisionDataOf(owner), collisionCount);
}

/**
 * Returns the pod template of one index of a Job.
 * @param {any} template
 * @param {string} job its name
 * @param {number} index
 */
function templateOfIndex(template, job, index) {
  const { metadata, spec } = template;
  const mark = { [COMPLETION_INDEX]: String(index) };
  const { containers, initContainers } = spec;
  return {
    ...template,
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, ...mark },
      annotations: { ...metadata?.annotations, ...mark },
    },
    spec: {
      ...spec,
      hostname: `${job}-${index}`,
      ...(Array.isArray(containers) && { containers: containers.map(withIndexVariable) }),
      ...(Array.isArray(initContainers) && {
        initContainers: initContainers.map(withIndexVariable),
      }),
    },
  };
}

/** @param {any} container */
function withIndexVariable(container) {
  const name = 'JOB_COMPLETION_INDEX';
  const env = container?.env ?? [];
  if (!Array.isArray(env) || env.some((variable) => variable?.name === name)) return container;
  const fieldRef = { apiVersion: 'v1', fieldPath: `metadata.labels['${COMPLETION_INDEX}']` };
  return { ...container, env: [...env, { name, valueFrom: { fieldRef } }] };
}
