/**
 * Pods.
 * Counterpart: pkg/registry/core/pod/strategy.go, v1.36.
 */
import { withMergedLabelKeys } from '../../pod_defaults.js';
import { withDefaultTolerations } from '../admission/default_toleration_seconds.js';
import { checkLimitRanges, withLimitRangeDefaults } from '../admission/limit_ranger.js';
import { withPriority } from '../admission/priority.js';
import { podDefaults } from '../defaults/pod_spec.js';
import { timestamp } from '../object_meta.js';
import { withCondition } from '../pod_conditions.js';
import { qosClass } from '../pod_qos.js';
import { resourceNamed } from '../resources.js';
import { podCreateErrors, podErrors, podUpdateErrors } from '../validation/pod.js';

/**
 * @import { KubernetesObject } from '../../types.js'
 * @import { Strategy, StrategyContext } from './strategy.js'
 */

/** @type {Strategy} */
export const podStrategy = {
  hasGeneration: true,
  returnsDeleted: true,
  setDefaults: podDefaults,
  prepareForCreate,
  validate: podErrors,
  validateCreate: podCreateErrors,
  validateUpdate: podUpdateErrors,
  admit,
};

/**
 * @param {KubernetesObject} pod
 * @param {StrategyContext} context
 */
function prepareForCreate(pod, { store, now }) {
  const limited = withLimitRangeDefaults(pod, store);
  const { metadata, spec } = withDefaultTolerations(withPriority(limited, store));
  const merged = withMergedLabelKeys(
    { ...spec, enableServiceLinks: spec.enableServiceLinks ?? true },
    metadata.labels ?? {},
  );
  const status = { phase: 'Pending', qosClass: qosClass(merged) };
  const isGated = merged.schedulingGates?.length > 0;
  return {
    ...limited,
    spec: merged,
    status: isGated ? withCondition(status, SCHEDULING_GATED, timestamp(now)) : status,
  };
}

/**
 * The resources of a pod change only when it is resized.
 * @type {NonNullable<Strategy['admit']>}
 */
function admit(pod, old, { store, subresource }) {
  if (!old || subresource === 'resize') checkLimitRanges(resourceNamed('pods'), pod, store);
}

const SCHEDULING_GATED = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};
