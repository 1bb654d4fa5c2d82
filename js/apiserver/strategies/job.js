/**
 * Jobs.
 * Counterpart: pkg/registry/batch/job/strategy.go, v1.36.
 */
import { generatedJobLabels, JOB_UID_LABEL } from '../../src/kubernetes/workloads/job_labels.js';
import { jobDefaults } from '../defaults/workloads.js';
import { generatedSelectorErrors } from '../validation/job_selector.js';
import { templateUpdateErrors } from '../validation/job_template_update.js';
import { jobErrors, jobUpdateErrors } from '../validation/workloads.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Strategy } from './strategy.js'
 */

/** @type {Strategy} */
export const jobStrategy = {
  hasGeneration: true,
  orphansDependents: true,
  setDefaults: jobDefaults,
  prepareForCreate: withSelector,
  validate: jobErrors,
  validateCreate: (job) => generatedSelectorErrors(job),
  validateUpdate: (job, old, { gates }) => [
    ...generatedSelectorErrors(job, old),
    ...jobUpdateErrors(job, old),
    ...templateUpdateErrors(job, old, gates),
  ],
};

/**
 * Selects the pods with the Job's uid. Given labels stay, and validation refuses other values.
 * @param {KubernetesObject} job
 */
function withSelector(job) {
  const { metadata, spec } = job;
  if (spec.manualSelector === true || !spec.template) return job;
  const template = {
    ...spec.template,
    metadata: {
      ...spec.template.metadata,
      labels: { ...generatedJobLabels(job), ...spec.template.metadata?.labels },
    },
  };
  const matchLabels = { [JOB_UID_LABEL]: metadata.uid ?? '', ...spec.selector?.matchLabels };
  return { ...job, spec: { ...spec, selector: { ...spec.selector, matchLabels }, template } };
}
