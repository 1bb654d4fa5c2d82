/**
 * What controllers make of a template: pods, with all that is written into them, and ReplicaSets.
 * As they are sent to the API server, which fills in defaults.
 * Counterparts: pkg/controller/controller_utils.go (GetPodFromTemplate) and the controllers of each
 * kind, v1.36.
 */
import { withClaims } from './claims.js';
import { pinnedTo, withDaemonTolerations } from './daemon_pods.js';
import { controllerRefTo } from '../owners.js';
import { computeHash } from './template_hash.js';

/** @import { KubernetesObject } from '../types.js' */

export const POD_TEMPLATE_HASH = 'pod-template-hash';

/** Which template a pod of a StatefulSet or DaemonSet was made of. */
export const REVISION_LABEL = 'controller-revision-hash';

export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';

/** Holds the pods of Jobs until they are counted. */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

const POD_NAME = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX = 'apps.kubernetes.io/pod-index';
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/**
 * A pod of a template, as ReplicaSets and ReplicationControllers make it, and others begin.
 * @param {any} template a PodTemplateSpec
 * @param {KubernetesObject} owner
 * @returns {KubernetesObject} with the owner's name as the beginning of its own
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
 * The ReplicaSet of a Deployment's template.
 * @param {KubernetesObject} deployment
 * @param {{ hash?: string, replicas: number, annotations?: Record<string, string> }} options
 *   `hash`: of the template, where it is known
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
 * @param {{ template: any, revision: string, ordinal: number }} place `revision`: its name
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
 * The pod with the labels and claims that its place in the StatefulSet demands.
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
 * The ordinal in a pod's name; -1 when the name is not one of the StatefulSet's.
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
 * The DaemonSet as the API server stores it when it is created: its template is the first.
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
  const { name, uid } = job.metadata;
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
      // The API server writes them into the template; a Job that it did not store lacks them.
      labels: {
        'batch.kubernetes.io/controller-uid': uid,
        'batch.kubernetes.io/job-name': name,
        'controller-uid': uid,
        'job-name': name,
        ...metadata.labels,
      },
      finalizers: [...finalizers],
    },
  };
}

/**
 * What the ControllerRevision of a StatefulSet or DaemonSet holds: a patch that restores the
 * template.
 * @param {KubernetesObject} owner
 */
export function revisionDataOf({ spec }) {
  return { spec: { template: { ...spec.template, $patch: 'replace' } } };
}

/**
 * The hash in the name of that revision.
 * @param {KubernetesObject} owner
 * @param {number} [collisionCount]
 */
export function revisionHashOf(owner, collisionCount = owner.status?.collisionCount) {
  return computeHash(revisionDataOf(owner), collisionCount);
}

/**
 * The pod template of one index of a Job.
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
