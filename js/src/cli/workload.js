/** Finds the workloads that the patches of pods are addressed to. */
import { Owners } from '../kubernetes/owners.js';
import { WORKLOAD_KINDS } from '../kubernetes/kinds.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Target } from '../whatif/fix/edit.js'
 * @import { Cluster } from './cluster.js'
 */

/**
 * Returns a function that returns the workload with the template of a pod, `namespace/name`: the
 * topmost of its owners.
 * @param {Cluster} cluster
 * @returns {(pod: string) => Target | undefined}
 */
export function workloadsOf({ pods, batches, workloads }) {
  /** @type {Map<string, KubernetesObject>} */
  const written = new Map();
  for (const { object, pods: own } of workloads)
    if (object.kind !== 'Pod') for (const pod of own) written.set(pod, object);
  const owners = new Owners(batches.flatMap(({ objects }) => objects));
  return (pod) => {
    const { apiVersion = '', kind = '', metadata } = written.get(pod) ?? {};
    if (metadata) {
      const { namespace = 'default', name } = metadata;
      return { apiVersion, kind, namespace, name };
    }
    const object = pods.get(pod);
    const chain = object ? owners.chainOf(object) : [];
    const top = chain
      .filter((one) => WORKLOAD_KINDS.has(one.kind) || one.kind === 'CronJob')
      .at(-1);
    if (!top) return undefined;
    const { namespace, name } = top;
    return { apiVersion: top.apiVersion ?? '', kind: top.kind ?? '', namespace, name };
  };
}
