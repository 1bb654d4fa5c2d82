/**
 * The labels that a Job without a manual selector gives its template, and so its pods. Counterpart:
 * pkg/registry/batch/job/strategy.go (generateSelector), v1.36.
 */

/** The label that the generated selector names. */
export const JOB_UID_LABEL = 'batch.kubernetes.io/controller-uid';

/** Those whose value is the Job's uid. */
export const JOB_UID_LABELS = Object.freeze([JOB_UID_LABEL, 'controller-uid']);

/** Those whose value is the Job's name. */
export const JOB_NAME_LABELS = Object.freeze(['batch.kubernetes.io/job-name', 'job-name']);

/**
 * Returns the generated labels of a Job; none if its selector is manual.
 * @param {import('../types.js').KubernetesObject} job
 * @returns {Record<string, string>}
 */
export function generatedJobLabels({ metadata: { uid, name }, spec }) {
  if (spec?.manualSelector === true) return {};
  return Object.fromEntries([
    ...JOB_UID_LABELS.map((label) => [label, uid]),
    ...JOB_NAME_LABELS.map((label) => [label, name]),
  ]);
}
