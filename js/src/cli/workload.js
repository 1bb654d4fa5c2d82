/** Finds the workload that a pod's patches are addressed to. */
import { Owners } from '../kubernetes/owners.js';
import { WORKLOAD_KINDS } from '../kubernetes/kinds.js';

/** @import { Cluster } from './cluster.js' */

/**
 * Returns the workload with the template of a pod, the topmost of its owners.
 * @param {string} pod `namespace/name`
 * @param {Cluster} cluster
 */
export function workloadOf(pod, { pods, batches, workloads }) {
  const written = workloads.find((one) => one.pods.includes(pod) && one.object.kind !== 'Pod');
  const object = pods.get(pod);
  const owners = new Owners(batches.flatMap(({ objects }) => objects));
  const chain = object ? owners.chainOf(object) : [];
  const top = chain.filter(({ kind }) => WORKLOAD_KINDS.has(kind) || kind === 'CronJob').at(-1);
  const { apiVersion = '', kind = '', metadata } = written?.object ?? {};
  if (written) {
    const { namespace = 'default', name } = metadata ?? {};
    return { apiVersion, kind, namespace, name };
  }
  if (!top) return undefined;
  const { namespace, name } = top;
  return { apiVersion: top.apiVersion ?? '', kind: top.kind ?? '', namespace, name };
}
