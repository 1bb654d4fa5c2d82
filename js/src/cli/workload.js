/** Finds the workloads that the patches of pods are addressed to. */
import { identityOf, identityOfOwner, Owners } from '../kubernetes/owners.js';
import { WORKLOAD_KINDS } from '../kubernetes/kinds.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Target, TemplateOwner } from '../whatif/fix/edit.js'
 * @import { Cluster } from './cluster.js'
 */

/**
 * Returns a function that returns the workload with the template of a pod, `namespace/name`: the
 * topmost of its owners.
 * @param {Cluster} cluster
 * @returns {(pod: string) => TemplateOwner | undefined}
 */
export function workloadsOf({ pods, batches, workloads }) {
  /** @type {Map<string, KubernetesObject>} */
  const written = new Map();
  for (const { object, pods: own } of workloads)
    if (object.kind !== 'Pod') for (const pod of own) written.set(pod, object);
  const objects = batches.flatMap((batch) => batch.objects);
  const owners = new Owners(objects);
  const manual = new Set(objects.filter(({ spec }) => spec?.manualSelector).map(identityOf));
  return (pod) => {
    const { apiVersion = '', kind = '', metadata, spec } = written.get(pod) ?? {};
    if (metadata) {
      const { namespace = 'default', name } = metadata;
      return ownerOf({ apiVersion, kind, namespace, name }, spec.manualSelector === true);
    }
    const object = pods.get(pod);
    const chain = object ? owners.chainOf(object) : [];
    const top = chain
      .filter((one) => WORKLOAD_KINDS.has(one.kind) || one.kind === 'CronJob')
      .at(-1);
    return top && ownerOf(top, manual.has(identityOfOwner(top)));
  };
}

/**
 * @param {Target & { apiVersion?: string }} owner
 * @param {boolean} manualSelector
 * @returns {TemplateOwner}
 */
function ownerOf({ apiVersion = '', kind, namespace, name }, manualSelector) {
  return { apiVersion, kind, namespace, name, ...(manualSelector && { manualSelector }) };
}
