/** What the scheduler is asked about an object that is to be created: one pod. */
import { isRecord } from '../values.js';
import { nameOf, workloadQuestion } from './workload_question.js';

/**
 * @import { KubernetesObject } from '../types.js'
 * @import { AdmissionSettings } from './admission_options.js'
 * @import { AdmissionRequest } from './review_request.js'
 */

/**
 * @typedef {object} Question
 * @property {KubernetesObject} pod
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
 * @throws {import('../errors.js').InputError} when no pod can be made of the template
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
      : workloadQuestion(named, settings.priorityClasses());
  return 'pod' in question ? { ...question, pod: withoutLaterClaims(question.pod) } : question;
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
  return { pod, subject: `pod "${nameOf(pod)}"`, field: 'spec' };
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
