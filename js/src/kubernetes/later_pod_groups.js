/**
 * Converts PodGroups and Workloads of later releases to v1alpha2, the version of v1.36. Releases
 * since v1.37 serve v1alpha3 and v1beta1, whose fields are alike. Counterpart:
 * pkg/apis/scheduling/v1alpha3 and v1beta1, v1.37.
 */
import { isRecord, itemsIn } from './values.js';

/**
 * @import { KubernetesObject } from './types.js'
 * @import { Kind } from './watched_kinds.js'
 */

const GROUP = 'scheduling.k8s.io';
const VERSION = 'v1alpha2';
const LATER = ['v1beta1', 'v1alpha3'];

/** Fields that v1alpha2 lacks, and that no decision of v1.36 reads. */
const DROPPED = ['parentCompositePodGroupName', 'preemptionPolicy'];

const CONVERTED = Object.freeze({ PodGroup: podGroup, Workload: workload });

/**
 * Returns a PodGroup or a Workload of v1alpha3 or v1beta1 as one of v1alpha2.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject} the object itself if it is of another kind or version
 */
export function toPodGroupVersion(object) {
  const { apiVersion, kind = '' } = object;
  const [group, version] = String(apiVersion).split('/');
  if (group !== GROUP || !LATER.includes(version) || !Object.hasOwn(CONVERTED, kind)) return object;
  const convert = CONVERTED[/** @type {keyof typeof CONVERTED} */ (kind)];
  return { ...convert(object), apiVersion: `${GROUP}/${VERSION}` };
}

/**
 * Returns where later releases serve a kind that they no longer serve as v1.36 does.
 * @param {Kind} kind
 * @returns {Kind[]}
 */
export function laterPlacesOf(kind) {
  if (kind.group !== GROUP || kind.version !== VERSION) return [];
  return LATER.map((version) => ({ ...kind, version }));
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
