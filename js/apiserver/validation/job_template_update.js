/**
 * Changes of a Job's pod template, which only a suspended Job without pods may make.
 * Counterpart: `validatePodTemplateUpdate` of pkg/apis/batch/validation, and
 * pkg/registry/batch/job/strategy.go, v1.36.
 */
import { invalidValue } from '../../src/kubernetes/field_errors.js';
import { isConditionTrue } from '../../src/kubernetes/conditions.js';
import { isEqual } from '../frozen.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 * @import { FeatureGates } from '../feature_gates.js'
 */

/**
 * @param {KubernetesObject} job
 * @param {KubernetesObject} old
 * @param {FeatureGates} [gates] without them those of v1.36
 * @returns {FieldError[]}
 */
export function templateUpdateErrors({ spec }, { spec: before, status = {} }, gates) {
  const isOn = (/** @type {string} */ gate) => gates?.on[gate] ?? true;
  const isSuspended = before.suspend === true;
  const isNew = !status.startTime;
  const isMarked = isConditionTrue(status, 'Suspended');
  const isIdle = isSuspended && !status.active && (isNew || isMarked);
  const canMove =
    (isSuspended && isNew) || (isIdle && isOn('MutableSchedulingDirectivesForSuspendedJobs'));
  const canResize = isIdle && isOn('MutablePodResourcesForSuspendedJobs');
  const fixedOf = (/** @type {any} */ template) => {
    const placed = canMove ? withoutDirectives(template) : template;
    return canResize ? withoutResources(placed) : placed;
  };
  if (isEqual(fixedOf(spec.template), fixedOf(before.template))) return [];
  return [invalidValue('spec.template', spec.template, 'field is immutable')];
}

/** Returns a template without what decides where its pods go. @param {any} template */
function withoutDirectives({ metadata = {}, spec, ...template }) {
  const { labels: _labels, annotations: _annotations, ...named } = metadata ?? {};
  const { nodeSelector: _selector, tolerations: _tolerations, ...others } = spec;
  const { schedulingGates: _gates, affinity, ...rest } = others;
  const { nodeAffinity: _affinity, ...between } = affinity ?? {};
  return { ...template, metadata: named, spec: { ...rest, affinity: between } };
}

/** @param {any} template */
function withoutResources({ spec, ...template }) {
  const without = (/** @type {any[]} */ containers = []) =>
    containers.map(({ resources: _resources, ...container }) => container);
  const { containers, initContainers } = spec;
  return {
    ...template,
    spec: { ...spec, containers: without(containers), initContainers: without(initContainers) },
  };
}
