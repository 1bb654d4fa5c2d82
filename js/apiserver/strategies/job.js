/**
 * Jobs.
 * Counterpart: pkg/registry/batch/job/strategy.go, v1.36.
 */
import { jobDefaults } from '../defaults/workloads.js';
import { jobErrors, jobUpdateErrors } from '../validation/workloads.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Strategy } from './strategy.js'
 */

const UID_LABEL = 'batch.kubernetes.io/controller-uid';
const NAME_LABEL = 'batch.kubernetes.io/job-name';

/** @type {Strategy} */
export const jobStrategy = {
  hasGeneration: true,
  orphansDependents: true,
  setDefaults: jobDefaults,
  prepareForCreate: withSelector,
  validate: jobErrors,
  validateUpdate: jobUpdateErrors,
};

/** Selects the pods with the Job's uid. @param {KubernetesObject} job */
function withSelector(job) {
  const { metadata, spec } = job;
  if (spec.manualSelector === true || !spec.template) return job;
  const { uid, name } = metadata;
  const own = {
    [UID_LABEL]: uid,
    [NAME_LABEL]: name,
    'controller-uid': uid,
    'job-name': name,
  };
  const template = {
    ...spec.template,
    metadata: {
      ...spec.template.metadata,
      labels: { ...spec.template.metadata?.labels, ...own },
    },
  };
  const matchLabels = { ...spec.selector?.matchLabels, [UID_LABEL]: uid };
  return { ...job, spec: { ...spec, selector: { ...spec.selector, matchLabels }, template } };
}
