/**
 * PodGroups and Workloads. Counterpart: pkg/registry/scheduling and plugin/pkg/admission/priority,
 * v1.36.
 */
import { PriorityClasses } from '../../src/kubernetes/default_classes.js';
import { resourceNamed } from '../../src/kubernetes/kinds.js';
import { forbidden } from '../../src/kubernetes/status_errors.js';
import { groupUpdateErrors, podGroupErrors, workloadErrors } from '../validation/pod_group.js';

/** @import { Strategy, StrategyContext } from './strategy.js' */

/** @type {Record<string, Strategy>} */
export const POD_GROUP_STRATEGIES = {
  podgroups: {
    setDefaults: withMode,
    prepareForCreate: withPriority,
    validate: podGroupErrors,
    validateUpdate: groupUpdateErrors,
  },
  workloads: { hasGeneration: true, validate: workloadErrors, validateUpdate: groupUpdateErrors },
};

/**
 * Whether groups are preempted as one, and so have a mode and a priority of their own.
 * @param {Pick<StrategyContext, 'gates'>} context
 */
function isPreemptedAsOne({ gates }) {
  return gates?.on.WorkloadAwarePreemption ?? true;
}

/** @type {NonNullable<Strategy['setDefaults']>} */
function withMode(group, context) {
  if (!isPreemptedAsOne(context)) return group;
  return { ...group, spec: { ...group.spec, disruptionMode: group.spec?.disruptionMode ?? 'Pod' } };
}

/**
 * The group gets the priority of its class, as a pod does.
 * @type {NonNullable<Strategy['prepareForCreate']>}
 */
function withPriority(group, context) {
  if (!isPreemptedAsOne(context)) return group;
  const { store } = context;
  const { spec, metadata } = group;
  const classes = new PriorityClasses(store.list('priorityclasses'));
  const named = spec.priorityClassName;
  const found = named ? classes.get(named) : classes.globalDefault();
  const refused = (/** @type {string} */ cause) =>
    forbidden(resourceNamed('podgroups'), metadata.name, cause);
  if (named && !found) throw refused(`no PriorityClass with name ${named} was found`);
  const priority = found?.value ?? 0;
  if (spec.priority !== undefined && spec.priority !== priority) {
    const computed =
      'must not be provided in pod group spec; priority admission controller computed ' +
      `${priority} from the given PriorityClass name`;
    throw refused(`the integer value of priority (${spec.priority}) ${computed}`);
  }
  const priorityClassName = found?.metadata.name;
  return { ...group, spec: { ...spec, ...(priorityClassName && { priorityClassName }), priority } };
}
