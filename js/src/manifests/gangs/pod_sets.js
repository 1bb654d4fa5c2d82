/** Divides the pods of a workload by the topology domains that Kueue gives them. */
import { grouped } from './grouped.js';
import { REPLICATED_JOB } from './unfold.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

const REQUIRED = 'kueue.x-k8s.io/podset-required-topology';
const TOGETHER = 'kueue.x-k8s.io/podset-group-name';

/**
 * Returns the pods as one part, or if some of them have a required topology and others not the
 * same, by sets with a domain each. Sets of one `podset-group-name` share a domain.
 * @param {KubernetesObject[]} pods
 * @returns {{ name: string, pods: KubernetesObject[], topologyKey?: string }[]}
 */
export function podSets(pods) {
  const sets = [...grouped(pods, setOf)];
  if (sets.length === 1 || !pods.some(requiredOf)) return [{ name: '', pods, ...keyOf(pods) }];
  return sets.map(([name, own]) => ({ name: `podset ${name}`, pods: own, ...keyOf(own) }));
}

/** @param {KubernetesObject} pod */
function setOf({ metadata: { annotations, labels } }) {
  return annotations?.[TOGETHER] ?? labels?.[REPLICATED_JOB] ?? '';
}

/** @param {KubernetesObject} pod @returns {string | undefined} */
function requiredOf({ metadata: { annotations } }) {
  return annotations?.[REQUIRED];
}

/** @param {KubernetesObject[]} pods of one set */
function keyOf(pods) {
  const topologyKey = pods.map(requiredOf).find(Boolean);
  return topologyKey ? { topologyKey } : {};
}
