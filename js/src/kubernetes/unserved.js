/** Recognizes objects of Kubernetes' own groups in versions that no supported release serves. */
import { groupOf } from './api_group.js';
import { RESOURCES, resourceOf } from './kinds.js';

/** Kinds of groups without a domain that v1.33 to v1.36 serve, and that nothing here reads. */
const UNREAD = new Set([
  'v1 Binding',
  'v1 ComponentStatus',
  'autoscaling/v1 HorizontalPodAutoscaler',
  'autoscaling/v2 HorizontalPodAutoscaler',
]);

/** Kinds of which some supported release serves other versions than v1, if they are enabled. */
const OF_SEVERAL_VERSIONS = new Set([
  'resource.k8s.io',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'SelfSubjectReview',
]);

/** The version that v1.36 serves of a kind, by group and kind. @type {Map<string, string>} */
const STABLE = new Map(
  RESOURCES.filter(
    ({ group, version, kind, gate }) =>
      version === 'v1' &&
      gate === undefined &&
      !OF_SEVERAL_VERSIONS.has(group) &&
      !OF_SEVERAL_VERSIONS.has(kind),
  ).map(({ group, kind, apiVersion }) => [`${group} ${kind}`, apiVersion]),
);

/**
 * Whether objects of a group configure a program, from files: no API server has them.
 * @param {string} group
 */
export function isOfProgram(group) {
  return group.endsWith('.config.k8s.io');
}

/**
 * Returns the words in which kubectl refuses an object that is in no version that v1.33 to v1.36
 * serve. Groups without a domain are Kubernetes' own, since a CustomResourceDefinition needs one;
 * of groups with a domain the kinds of v1.36 are known, and which ones are of files.
 * @param {{ apiVersion?: unknown, kind?: unknown }} object
 * @returns {string | undefined} undefined for objects that are served, and of unknown kinds
 */
export function noMatchFor({ apiVersion, kind }) {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !apiVersion || !kind)
    return undefined;
  if (resourceOf({ apiVersion, kind }) || UNREAD.has(`${apiVersion} ${kind}`)) return undefined;
  const group = groupOf(apiVersion);
  const noMatch = `no matches for kind "${kind}" in version "${apiVersion}"`;
  if (isOfProgram(group)) {
    const isOfKustomize = group.startsWith('kustomize.');
    return `${noMatch}: ${isOfKustomize ? '"kubectl kustomize" prints objects' : OF_PROGRAM}`;
  }
  const served = STABLE.get(`${group} ${kind}`) ?? servedElsewhere(kind);
  if (group.includes('.') && !STABLE.has(`${group} ${kind}`)) return undefined;
  const hint = served ? `v1.36 serves ${served}` : 'ensure CRDs are installed first';
  return `${noMatch}: ${hint}`;
}

const OF_PROGRAM = 'it configures a program';

/** Returns where v1.36 serves a kind that has moved to another group. @param {string} kind */
function servedElsewhere(kind) {
  return RESOURCES.find((one) => one.kind === kind && one.version === 'v1')?.apiVersion;
}
