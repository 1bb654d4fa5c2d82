/** Finds the pods of a workload that match the manifest's template: a rollout keeps them. */
import { byCreation } from '../kubernetes/workloads/deployment_util.js';
import { semanticEqual } from '../kubernetes/workloads/objects.js';
import { storedObject } from '../../apiserver/index.js';
import { controllerOf } from '../kubernetes/owners.js';
import { POD_TEMPLATE_HASH, REVISION_LABEL } from '../kubernetes/workloads/template_pods.js';
import { isRecord } from '../kubernetes/values.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** The fields of a pod that come from its template and that no component changes later. */
const COMPARED = [
  'affinity',
  'hostNetwork',
  'nodeSelector',
  'priorityClassName',
  'runtimeClassName',
  'schedulerName',
  'topologySpreadConstraints',
];

/**
 * @param {KubernetesObject} workload a Deployment, StatefulSet or DaemonSet, as in the manifest
 * @param {object} before
 * @param {KubernetesObject[]} before.pods its present pods
 * @param {KubernetesObject[]} before.sets its known ReplicaSets
 * @param {KubernetesObject | undefined} before.workload its present state, if known
 * @returns {Set<KubernetesObject>}
 */
export function podsOfTemplate(workload, { pods, sets, workload: known }) {
  const { template } = workload.spec;
  const revisionOf = workload.kind === 'Deployment' ? setOf : revisionLabelOf;
  const same = sets.filter((set) => isSameTemplate(set.spec?.template, template));
  if (same.length > 0) {
    const uids = new Set(same.map(({ metadata }) => metadata.uid));
    return new Set(pods.filter((pod) => uids.has(setOf(pod))));
  }
  if (known) {
    if (!isSameTemplate(known.spec?.template, template)) return new Set();
    const newest = pods.toSorted(byCreation).at(-1);
    const revision = known.status?.updateRevision ?? (newest && revisionOf(newest));
    return new Set(pods.filter((pod) => revisionOf(pod) === revision));
  }
  return new Set(pods.filter((pod) => looksLike(pod, template, workload.kind)));
}

/** @param {KubernetesObject} pod */
function setOf(pod) {
  return controllerOf(pod)?.uid;
}

/** @param {KubernetesObject} pod */
function revisionLabelOf({ metadata }) {
  return metadata.labels?.[REVISION_LABEL];
}

/**
 * @param {any} left a PodTemplateSpec
 * @param {any} right
 */
function isSameTemplate(left, right) {
  const [a, b] = [completed(left), completed(right)];
  return a !== undefined && b !== undefined && semanticEqual(a, b);
}

/**
 * Whether a pod may come from that template: its containers and node constraints match.
 * @param {KubernetesObject} pod
 * @param {any} template
 * @param {string | undefined} kind of the workload
 */
function looksLike(pod, template, kind) {
  const [a, b] = [completed(pod), completed(template)];
  if (!a || !b) return false;
  // A DaemonSet's pod has a node affinity of its own, so that is not compared.
  const fields = kind === 'DaemonSet' ? COMPARED.filter((name) => name !== 'affinity') : COMPARED;
  return (
    Object.entries(b.metadata.labels).every(([key, value]) => a.metadata.labels[key] === value) &&
    fields.every((field) => semanticEqual(a.spec[field], b.spec[field])) &&
    ['containers', 'initContainers'].every((field) =>
      semanticEqual(containersIn(a.spec, field), containersIn(b.spec, field)),
    )
  );
}

/**
 * Returns the containers without the fields that admission and controllers add.
 * @param {any} spec
 * @param {string} field
 */
function containersIn(spec, field) {
  return (spec[field] ?? []).map((/** @type {any} */ container) => {
    const { volumeMounts: _, env: __, ...rest } = container;
    return rest;
  });
}

/**
 * Returns a template or pod as the API server reads it, without the hash; undefined if it would be
 * refused.
 * @param {any} template
 * @returns {any}
 */
function completed(template) {
  if (!isRecord(template)) return undefined;
  const { metadata, spec } = template;
  const { labels, annotations } = metadata ?? {};
  const pod = storedObject({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...(labels && { labels }), ...(annotations && { annotations }) },
    spec,
  });
  if (!pod) return undefined;
  const { [POD_TEMPLATE_HASH]: hash, ...own } = pod.metadata?.labels ?? {};
  return { metadata: { ...pod.metadata, labels: own }, spec: withoutMergedKeys(pod.spec, hash) };
}

/**
 * The API server merges the label keys of a constraint into its selector.
 * @param {any} spec
 * @param {string | undefined} hash
 */
function withoutMergedKeys(spec, hash) {
  if (!hash || !spec.topologySpreadConstraints) return spec;
  const constraints = spec.topologySpreadConstraints.map((/** @type {any} */ constraint) => {
    const keys = constraint.matchLabelKeys ?? [];
    const given = constraint.labelSelector?.matchExpressions ?? [];
    const matchExpressions = given.filter((/** @type {any} */ { key }) => !keys.includes(key));
    return { ...constraint, labelSelector: { ...constraint.labelSelector, matchExpressions } };
  });
  return { ...spec, topologySpreadConstraints: constraints };
}
