/**
 * Pods.
 * Counterpart: pkg/registry/core/pod/strategy.go, v1.36.
 */
import { PriorityClasses } from '../../src/kubernetes/default_classes.js';
import { withMergedLabelKeys } from '../../src/kubernetes/pod_defaults.js';
import { checkLimitRanges } from '../../src/kubernetes/admission/limit_ranger.js';
import { withDefaultTolerations } from '../../src/kubernetes/admission/default_toleration_seconds.js';
import { admittedPod, checkPod } from '../../src/kubernetes/admission/pod_plugins.js';
import { podDefaults } from '../defaults/pod_spec.js';
import { EqualSpecs } from '../equal_specs.js';
import { timestamp } from '../object_meta.js';
import { withCondition } from '../pod_conditions.js';
import { qosClass } from '../../src/kubernetes/pod_qos.js';
import { resourceNamed } from '../../src/kubernetes/kinds.js';
import { podCreateErrors, podErrors, podUpdateErrors } from '../validation/pod.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { AdmissionReads } from '../../src/kubernetes/admission/pod_plugins.js'
 * @import { Store } from '../store.js'
 * @import { Strategy, StrategyContext } from './strategy.js'
 */

const SPECS = new EqualSpecs();

/** @type {Strategy} */
export const podStrategy = {
  hasGeneration: true,
  returnsDeleted: true,
  setDefaults: podDefaults,
  prepareForCreate,
  // DefaultTolerationSeconds admits updates, too: kubectl replaces the whole list.
  prepareForUpdate: (pod, _old, { subresource }) =>
    subresource === '' ? withDefaultTolerations(pod) : pod,
  validate,
  validateCreate: podCreateErrors,
  validateUpdate: podUpdateErrors,
  admit,
};

/**
 * @param {KubernetesObject} pod
 * @param {StrategyContext} context
 */
function prepareForCreate(pod, context) {
  const { now } = context;
  const admitted = admittedPod(pod, admissionReads(pod, context));
  const { metadata, spec } = admitted;
  const merged = withMergedLabelKeys(
    { ...spec, enableServiceLinks: spec.enableServiceLinks ?? true },
    metadata.labels ?? {},
    context.gates?.on.MatchLabelKeysInPodTopologySpreadSelectorMerge,
  );
  const status = { phase: 'Pending', qosClass: qosClass(merged) };
  const isGated = merged.schedulingGates?.length > 0;
  return {
    ...admitted,
    spec: SPECS.shared(merged),
    status: isGated ? withCondition(status, SCHEDULING_GATED, timestamp(now)) : status,
  };
}

/** @param {KubernetesObject} pod */
function validate(pod) {
  const { spec } = pod;
  // The claims of ephemeral volumes have the pod's name.
  const isOfName = spec.volumes?.some((/** @type {any} */ { ephemeral }) => ephemeral);
  return isOfName ? podErrors(pod) : SPECS.errorsOf(spec, () => podErrors(pod));
}

/**
 * The resources of a pod only change by its subresource `resize`.
 * @type {NonNullable<Strategy['admit']>}
 */
function admit(pod, old, context) {
  const { store, subresource } = context;
  if (!old) checkPod(pod, admissionReads(pod, context));
  else if (subresource === 'resize')
    checkLimitRanges(resourceNamed('pods'), pod, limitRangesOf(pod, store));
}

/**
 * If objects were loaded without any RuntimeClass, they were probably exported without them; pods'
 * classes are then ignored.
 * @param {KubernetesObject} pod
 * @param {StrategyContext} context
 * @returns {AdmissionReads}
 */
function admissionReads(pod, { store, isLoaded = false }) {
  const hasClasses = !isLoaded || store.list('runtimeclasses').length > 0;
  return {
    limitRanges: limitRangesOf(pod, store),
    priorityClasses: new PriorityClasses(store.list('priorityclasses')),
    ...(hasClasses && { runtimeClassNamed: (name) => store.get('runtimeclasses', '', name) }),
  };
}

/**
 * @param {KubernetesObject} pod
 * @param {Store} store
 */
function limitRangesOf({ metadata: { namespace } }, store) {
  return store.list('limitranges', { namespace });
}

const SCHEDULING_GATED = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};
