/**
 * The selectors of Jobs, which the server generates unless `manualSelector` is set.
 * Counterpart: `validateGeneratedSelector` and `ValidateJobSpec` of
 * pkg/apis/batch/validation/validation.go, v1.36.
 */
import { invalidValue, notSupported, required } from '../../src/kubernetes/field_errors.js';
import { labelSelectorOf } from '../../src/kubernetes/label_selector.js';
import { generatedJobLabels } from '../../src/kubernetes/workloads/job_labels.js';
import { selectorErrors } from './scheduling.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

/**
 * Returns the errors of a selector that should have been generated.
 * @param {KubernetesObject} job
 * @param {KubernetesObject} [old] Jobs from before v1.27 lack the prefixed labels
 * @returns {FieldError[]}
 */
export function generatedSelectorErrors({ metadata, spec }, old) {
  const { manualSelector, selector, template } = spec;
  if (manualSelector === true || !selector) return [];
  const oldLabels = old?.spec.template?.metadata?.labels ?? {};
  const generated = Object.entries(generatedJobLabels({ metadata, spec }));
  const isPrefixed = !old || generated.every(([name]) => !hasPrefix(name) || name in oldLabels);
  const expected = generated.filter(([name]) => isPrefixed || !hasPrefix(name));
  const labels = template?.metadata?.labels ?? {};
  const parsed = labelSelectorOf(selector);
  const isGenerated = parsed.fault !== null || parsed.matches(Object.fromEntries(expected));
  const detail = '`selector` not auto-generated';
  return [
    ...expected.flatMap(([name, value]) => labelError(labels, name, value)),
    ...(isGenerated ? [] : [invalidValue('spec.selector', selector, detail)]),
  ];
}

/** @param {string} label */
function hasPrefix(label) {
  return label.startsWith('batch.kubernetes.io/');
}

/**
 * @param {Record<string, string>} labels
 * @param {string} name
 * @param {string} value
 */
function labelError(labels, name, value) {
  const field = `spec.template.metadata.labels[${name}]`;
  if (!(name in labels)) return [required(field, `must be '${value}'`)];
  return labels[name] === value ? [] : [invalidValue(field, labels, `must be '${value}'`)];
}

/**
 * Returns the errors of a selector that does not select the Job's own pods.
 * @param {any} spec of a Job
 * @returns {FieldError[]}
 */
export function jobSelectorErrors({ selector, template }) {
  const labels = template?.metadata?.labels;
  const parsed = labelSelectorOf(selector);
  const detail = '`selector` does not match template `labels`';
  return [
    ...(selector ? selectorErrors(selector, 'spec.selector') : [required('spec.selector')]),
    ...(parsed.fault !== null || parsed.matches(labels)
      ? []
      : [invalidValue('spec.template.metadata.labels', labels, detail)]),
  ];
}

/**
 * Returns the errors of a CronJob that sets the selector of its Jobs.
 * @param {any} spec of the template's Job
 * @param {string} path
 * @returns {FieldError[]}
 */
export function templateSelectorErrors({ selector, manualSelector }, path) {
  const detail = '`selector` will be auto-generated';
  return [
    ...(selector ? [invalidValue(`${path}.selector`, selector, detail)] : []),
    ...(manualSelector === true
      ? [notSupported(`${path}.manualSelector`, manualSelector, ['nil', 'false'])]
      : []),
  ];
}
