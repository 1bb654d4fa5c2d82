/** Derives the pods to evaluate from an object that is being created. */
import { hasOwnClaims } from '../engine/awaited_claims.js';
import { isRecord, itemsIn } from '../kubernetes/values.js';
import { nameOf, workloadQuestion } from './workload_question.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { AdmissionSettings } from './admission_options.js'
 * @import { AdmissionRequest } from './review_request.js'
 */

/**
 * @typedef {object} Question
 * @property {(most: number) => KubernetesObject[]} makePods creates up to so many of the pods from
 *   the cluster's lists; called when the cluster is known. Throws an InputError if no pod can be
 *   made of the template, and an ApiError if admission refuses its pods
 * @property {string} subject the name of the first pod in messages: `pod "web-0"`
 * @property {(index: number) => string} [subjectAt] the name of another pod
 * @property {string} field the path of the pod's spec in the object
 * @property {boolean} [isDaemonSet] the pod stands for one on each node
 */

/**
 * The reason why no pod is evaluated. `group`: why its pod group cannot start all the same.
 * @typedef {{ exempt?: string, skipped?: string, group?: string }} PassedBy
 */

/**
 * @param {AdmissionRequest} request
 * @param {AdmissionSettings} settings
 * @returns {Question | PassedBy}
 */
export function questionOf(request, settings) {
  const { operation, subResource, kind, namespace = '' } = request;
  if (operation !== 'CREATE') return { skipped: `operation ${operation}` };
  if (subResource) return { skipped: `subresource ${subResource}` };
  const object = /** @type {KubernetesObject} */ (request.object);
  if (settings.exemptNamespaces.has(namespace)) return { exempt: `namespace ${namespace}` };
  if (labelsIn(object).some((labels) => settings.exemptLabels.matches(labels)))
    return { exempt: 'labels' };
  const apiVersion = kind.group ? `${kind.group}/${kind.version}` : kind.version;
  const named = { ...object, apiVersion, kind: kind.kind, metadata: metadataOf(object, namespace) };
  const question =
    apiVersion === 'v1' && kind.kind === 'Pod'
      ? podQuestion(named)
      : workloadQuestion(named, settings.readLists);
  if (!('makePods' in question)) return question;
  return { ...question, makePods: (most) => question.makePods(most).map(withoutLaterClaims) };
}

/**
 * Returns the object's own labels, and those of its pods.
 * @param {KubernetesObject} object
 * @returns {Record<string, string>[]}
 */
function labelsIn({ metadata, spec }) {
  const template = spec?.jobTemplate?.spec?.template ?? spec?.template;
  return [metadata?.labels, template?.metadata?.labels].filter(isRecord);
}

/**
 * @param {KubernetesObject} object
 * @param {string} namespace of the request
 */
function metadataOf({ metadata = {} }, namespace) {
  if (!isRecord(metadata) || namespace === '') return metadata;
  return { ...metadata, namespace };
}

/**
 * @param {KubernetesObject} pod
 * @returns {Question | PassedBy}
 */
function podQuestion(pod) {
  const { nodeName } = pod.spec ?? {};
  if (nodeName) return { skipped: `it has a node: ${nodeName}` };
  return { makePods: () => [pod], subject: `pod "${nameOf(pod)}"`, field: 'spec' };
}

/**
 * Removes ephemeral volumes and device claims from templates: their claims are created after the
 * pod, and must not make it look unschedulable.
 * @param {KubernetesObject} pod
 * @returns {KubernetesObject}
 */
function withoutLaterClaims(pod) {
  if (!hasOwnClaims(pod)) return pod;
  const { volumes, resourceClaims, ...spec } = pod.spec;
  const [kept, named] = [
    itemsIn(volumes).filter((volume) => !volume?.ephemeral),
    itemsIn(resourceClaims).filter((podClaim) => !podClaim?.resourceClaimTemplateName),
  ];
  return {
    ...pod,
    spec: {
      ...spec,
      ...(volumes && { volumes: kept }),
      ...(resourceClaims && { resourceClaims: named }),
    },
  };
}
