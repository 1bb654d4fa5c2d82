/**
 * Converts PodGroups and Workloads of later releases to v1alpha2, the version of v1.36. Releases
 * since v1.37 serve v1alpha3 and v1beta1, whose fields are alike. Counterpart:
 * pkg/apis/scheduling/v1alpha3 and v1beta1, v1.37.
 */
import { isRecord, itemsIn } from './values.js';

/** @import { KubernetesObject } from './types.js' */

const VERSION = 'scheduling.k8s.io/v1alpha2';
const LATER = ['scheduling.k8s.io/v1alpha3', 'scheduling.k8s.io/v1beta1'];

/** Fields that v1alpha2 lacks, and that no decision of v1.36 reads. */
const DROPPED = ['parentCompositePodGroupName', 'preemptionPolicy'];

const CONVERTED = Object.freeze({ PodGroup: podGroup, Workload: workload });

/** @typedef {keyof typeof CONVERTED} Kind */

/**
 * Returns a PodGroup or a Workload of v1alpha3 or v1beta1 as one of v1alpha2.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject} the object itself if it is of another kind or version
 */
export function toPodGroupVersion(object) {
  const { apiVersion = '', kind = '' } = object;
  if (!LATER.includes(apiVersion) || !Object.hasOwn(CONVERTED, kind)) return object;
  return { ...CONVERTED[/** @type {Kind} */ (kind)](object), apiVersion: VERSION };
}

/** @param {KubernetesObject} object @returns {KubernetesObject} */
function podGroup({ spec, status, ...object }) {
  return {
    ...object,
    ...(spec !== undefined && { spec: groupSpec(spec) }),
    ...(status !== undefined && { status: groupStatus(status) }),
  };
}

/** @param {KubernetesObject} object @returns {KubernetesObject} */
function workload(object) {
  const { spec } = object;
  if (!isRecord(spec) || spec.podGroupTemplates === undefined) return object;
  return {
    ...object,
    spec: { ...spec, podGroupTemplates: itemsIn(spec.podGroupTemplates).map(groupSpec) },
  };
}

/** @param {any} given the spec of a PodGroup, or a template of a Workload */
function groupSpec(given) {
  if (!isRecord(given)) return given;
  const { workloadRef, disruptionMode, ...rest } = given;
  for (const field of DROPPED) delete rest[field];
  const mode = modeOf(disruptionMode);
  return {
    ...(isRecord(workloadRef) && { podGroupTemplateRef: templateRef(workloadRef) }),
    ...rest,
    ...(mode !== undefined && { disruptionMode: mode }),
  };
}

/** @param {Record<string, any>} reference */
function templateRef({ templateName: podGroupTemplateName, workloadName }) {
  return { workload: { workloadName, podGroupTemplateName } };
}

/** @param {unknown} given */
function modeOf(given) {
  if (!isRecord(given)) return given;
  return 'all' in given ? 'PodGroup' : 'Pod';
}

/** @param {any} status */
function groupStatus(status) {
  if (!isRecord(status) || status.conditions === undefined) return status;
  const conditions = itemsIn(status.conditions).map((/** @type {any} */ condition) =>
    condition?.type === 'PodGroupInitiallyScheduled'
      ? { ...condition, type: 'PodGroupScheduled' }
      : condition,
  );
  return { ...status, conditions };
}
