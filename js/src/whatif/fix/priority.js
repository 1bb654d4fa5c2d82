/** Raises the pod's priority so that it may evict others. */
import { ASKS, withSpec } from './edit.js';
import { areRemovable, highestPriority, priorityOf, removal } from './removals.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 * @import { Question } from './question.js'
 */

/** The highest priority of a user's class. */
const HIGHEST = 1_000_000_000;

/** The most nodes whose pods are compared; preemption tries up to a tenth of all. */
const CANDIDATES_MAX = 50;

/**
 * Returns what preemption could do for the pod: the lowest priority that evicts the pods of some
 * node, and the removal of the fewest of them.
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @param {KubernetesObject[]} classes PriorityClasses
 * @returns {Promise<Edit[][]>}
 */
export async function preempt(pod, question, classes) {
  const asked = withSpec(pod, (spec) => ({
    ...spec,
    priority: HIGHEST,
    preemptionPolicy: 'PreemptLowerPriority',
  }));
  const ask = (/** @type {'summary' | 'nodes'} */ detail) =>
    question.scheduler.evaluateAsync(asked, { detail });
  const { preemption: picked } = await ask('summary');
  if (!picked?.nominatedNode) return [];
  const { preemption } = await ask('nodes');
  const candidates = (preemption?.candidates ?? [])
    .filter(({ pdbViolations }) => pdbViolations === 0)
    .slice(0, CANDIDATES_MAX)
    .map(({ victims }) => victims.flatMap((victim) => question.get('Pod', victim) ?? []))
    .filter((victims) => victims.length > 0 && !victims.some((pod) => question.isSibling(pod)));
  const removable = candidates
    .filter((victims) => areRemovable(victims, question))
    .map(removal)
    .sort((a, b) => a.size - b.size);
  const lowest = Math.min(...candidates.map(highestPriority));
  const raised = raisePriority(pod, lowest + 1, classes);
  return [...(raised ? [[raised]] : []), ...removable.slice(0, 1).map((edit) => [edit])];
}

/**
 * @param {KubernetesObject} pod
 * @param {number} value
 * @param {KubernetesObject[]} classes
 * @returns {Edit | undefined}
 */
function raisePriority(pod, value, classes) {
  const mayPreempt = pod.spec.preemptionPolicy !== 'Never';
  if (!Number.isFinite(value) || value > HIGHEST) return undefined;
  if (mayPreempt && value <= priorityOf(pod)) return undefined;
  const needed = Math.max(value, priorityOf(pod));
  const found = [...classes]
    .filter((one) => one.value >= needed && one.value <= HIGHEST)
    .filter(({ preemptionPolicy }) => preemptionPolicy !== 'Never')
    .sort((a, b) => a.value - b.value)[0];
  const chosen = found ?? {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: `priority-${needed}` },
    value: needed,
    description: 'for pods that may evict others of a lower priority',
  };
  const { name } = chosen.metadata;
  const verb = found ? 'give the pod' : 'create and give the pod';
  return {
    key: `RaisePriority ${name}`,
    shape: 'RaisePriority',
    kind: 'RaisePriority',
    sentence: `${verb} the PriorityClass ${name} (${chosen.value}), so that it evicts others`,
    asks: ASKS.priority,
    size: (chosen.value - priorityOf(pod)) / HIGHEST,
    pod: (before) =>
      withSpec(before, (spec) => ({
        ...spec,
        priority: chosen.value,
        priorityClassName: name,
        preemptionPolicy: 'PreemptLowerPriority',
      })),
    ...(found ? {} : { creates: [chosen] }),
    preempts: true,
  };
}
