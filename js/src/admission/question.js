/** What the scheduler is asked about an object that is to be created: one pod. */
import { isRecord } from '../kubernetes/values.js';
import { nameOf, workloadQuestion } from './workload_question.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { AdmissionSettings } from './admission_options.js'
 * @import { AdmissionRequest } from './review_request.js'
 */

/**
 * @typedef {object} Question
 * @property {() => KubernetesObject} makePod reads the cluster's lists: called when it is known.
 *   Throws an InputError when no pod can be made of the template, and an ApiError when admission
 *   refuses its pods
 * @property {string} subject what it is called: `pod "web-0"`
 * @property {string} field where the object has the pod's spec
 * @property {boolean} [isDaemonSet] the pod stands for one on each node
 */

/**
 * Why nothing is asked.
 * @typedef {{ exempt?: string, skipped?: string }} PassedBy
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
  if (!('makePod' in question)) return question;
  return { ...question, makePod: () => withoutLaterClaims(question.makePod()) };
}

/**
 * The object's own, and those of its pods.
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
  return { makePod: () => pod, subject: `pod "${nameOf(pod)}"`, field: 'spec' };
}

/**
 * The claims of ephemeral volumes are made when the pod is there: a pod that waits for them is not
 * one that fits nowhere.
 * @param {KubernetesObject} pod
 * @returns {KubernetesObject}
 */
function withoutLaterClaims(pod) {
  const { volumes } = pod.spec ?? {};
  if (!Array.isArray(volumes) || !volumes.some((volume) => volume?.ephemeral)) return pod;
  return { ...pod, spec: { ...pod.spec, volumes: volumes.filter((it) => !it?.ephemeral) } };
}
