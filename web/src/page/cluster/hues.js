/** Colours of pods: by workload or by priority. */
import { workloadOf } from './cluster_state.js';
import { OWN_COLOURS } from './groups.js';

/**
 * @import { PodRow } from '../../model/cluster_model.js'
 * @import { ClusterState } from './cluster_state.js'
 */

/** @typedef {'workload' | 'priority'} HueBy */
/** @typedef {{ by: HueBy, colours: Map<string, number> }} Hues */

/**
 * @param {ClusterState} cluster
 * @param {HueBy} by
 * @returns {Hues}
 */
export function huesOf({ groups }, by) {
  return { by, colours: groups[by].colours() };
}

/**
 * The entries of the legend; priorities from high to low, other groups last.
 * @param {ClusterState} cluster
 * @param {HueBy} by
 * @returns {{ name: string, label: string, colour: number, count: number }[]} `label`: the name
 *   without its kind; `count`: of pods
 */
export function legendOf({ groups }, by) {
  const entries = groups[by].legend();
  if (by === 'priority') entries.sort((a, b) => rankOf(b.name) - rankOf(a.name));
  return entries.map(({ name, ...rest }) => {
    const label = name.replace(/^[A-Z]\w*\//, '') || 'others';
    return { name, label, ...rest };
  });
}

/** @param {string} name */
function rankOf(name) {
  return name === '' ? -Infinity : Number(name);
}

/**
 * The number of a pod's colour.
 * @param {PodRow} pod
 * @param {Hues} hues
 */
export function hueOf(pod, { by, colours }) {
  const group = by === 'workload' ? workloadOf(pod) : String(pod.priority);
  return colours.get(group) ?? OWN_COLOURS;
}
