/** Relaxes topology spread constraints. */
import { itemsIn } from '../../kubernetes/values.js';
import { ASKS, withItem, withSpec } from './edit.js';

/**
 * @import { Culprit } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 */

/** @typedef {NonNullable<Culprit['constraints']>[number]} Broken */

/**
 * Returns the alternatives by which the constraints allow the node.
 * @param {Culprit} culprit of PodTopologySpread
 * @param {KubernetesObject} pod
 * @returns {Edit[][]}
 */
export function relaxSpread({ constraints = [] }, pod) {
  const broken = constraints.flatMap((one) => {
    const index = itemsIn(pod.spec.topologySpreadConstraints).findIndex(
      ({ topologyKey, maxSkew, whenUnsatisfiable }) =>
        topologyKey === one.topologyKey &&
        maxSkew === one.maxSkew &&
        whenUnsatisfiable !== 'ScheduleAnyway',
    );
    return index < 0 ? [] : [{ ...one, index }];
  });
  if (broken.length === 0) return [];
  const raised = broken.map((one) => raiseMaxSkew(one));
  const lowered = broken.map((one) => lowerMinDomains(one));
  return [
    ...(lowered.every((edit) => edit !== undefined) ? [lowered] : []),
    ...(raised.every((edit) => edit !== undefined) ? [raised] : []),
    broken.map(scheduleAnyway),
  ];
}

/**
 * @param {Broken & { index: number }} broken
 * @returns {Edit | undefined}
 */
function raiseMaxSkew({ index, topologyKey, domain, skew, maxSkew }) {
  if (domain === null || skew === undefined) return undefined;
  const values = `from ${maxSkew} to ${skew}`;
  const sentence = `raise maxSkew of the pod's spread over ${topologyKey} ${values}`;
  return constraintEdit('RaiseMaxSkew', {
    index,
    sentence,
    value: String(skew),
    size: Math.min(0.9, 0.1 * (skew - maxSkew)),
    change: { maxSkew: skew },
  });
}

/**
 * @param {Broken & { index: number }} broken
 * @returns {Edit | undefined}
 */
function lowerMinDomains({ index, topologyKey, domain, minDomains, domains }) {
  if (domain === null || minDomains === undefined || domains === undefined) return undefined;
  if (domains >= minDomains || domains < 1) return undefined;
  return constraintEdit('LowerMinDomains', {
    index,
    sentence:
      `lower minDomains of the pod's spread over ${topologyKey} ` +
      `from ${minDomains} to ${domains}`,
    value: String(domains),
    size: 0.1,
    change: { minDomains: domains },
  });
}

/** @param {Broken & { index: number }} broken @returns {Edit} */
function scheduleAnyway({ index, topologyKey }) {
  return constraintEdit('ScheduleAnyway', {
    index,
    sentence: `set the pod's spread over ${topologyKey} to ScheduleAnyway`,
    value: '',
    size: 0.6,
    change: { whenUnsatisfiable: 'ScheduleAnyway', minDomains: undefined },
  });
}

/**
 * @param {'RaiseMaxSkew' | 'LowerMinDomains' | 'ScheduleAnyway'} kind
 * @param {{ index: number, sentence: string, value: string, size: number, change: object }} fields
 * @returns {Edit}
 */
function constraintEdit(kind, { index, sentence, value, size, change }) {
  const shape = `${kind} ${index}`;
  return {
    key: `${shape} ${value}`,
    shape,
    kind,
    sentence,
    asks: ASKS.pod,
    size,
    pod: (pod) =>
      withSpec(pod, (spec) => {
        const list = itemsIn(spec.topologySpreadConstraints);
        const changed = { ...list[index], ...change };
        if (changed.minDomains === undefined) delete changed.minDomains;
        return { ...spec, topologySpreadConstraints: withItem(list, index, changed) };
      }),
  };
}
