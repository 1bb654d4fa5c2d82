/** Finds the workloads that the patches of pods are addressed to. */
import { identityOf, identityOfOwner, Owners } from '../../kubernetes/owners.js';
import { WORKLOAD_KINDS } from '../../kubernetes/kinds.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { isRecord } from '../../kubernetes/values.js';
import { foldedKindOf } from '../../manifests/gangs/unfold.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Target, TemplateOwner } from '../../whatif/fix/edit.js'
 * @import { Cluster } from './cluster.js'
 */

/**
 * Returns a function that returns the workload with the template of a pod, `namespace/name`: the
 * topmost of its owners.
 * @param {Cluster} cluster
 * @returns {(pod: string) => TemplateOwner | undefined}
 */
export function workloadsOf({ pods, batches, workloads, read }) {
  /** @type {Map<string, KubernetesObject>} */
  const written = new Map();
  for (const { object, pods: own } of workloads)
    if (object.kind !== 'Pod' && !foldedKindOf(object))
      for (const pod of own) written.set(pod, object);
  const objects = batches.flatMap((batch) => batch.objects);
  const owners = new Owners(objects);
  const manual = new Set(objects.filter(({ spec }) => spec?.manualSelector).map(identityOf));
  const named = read.filter(({ metadata }) => isRecord(metadata));
  const keepers = new Set(named.filter(keepsPods).map(identityOf));
  const stored = new Set(named.filter(({ kind }) => kind === 'Pod').map(podKeyOf));
  return (pod) => {
    const { apiVersion = '', kind = '', metadata, spec } = written.get(pod) ?? {};
    if (metadata) {
      const { namespace = 'default', name } = metadata;
      const manualSelector = spec.manualSelector === true;
      return ownerOf({ apiVersion, kind, namespace, name }, { manualSelector });
    }
    const object = pods.get(pod);
    const chain = object ? owners.chainOf(object) : [];
    const top = chain
      .filter((one) => WORKLOAD_KINDS.has(one.kind) || one.kind === 'CronJob')
      .at(-1);
    if (!top) return undefined;
    const identity = identityOfOwner(top);
    const isKept = stored.has(pod) && keepers.has(identity);
    return ownerOf(top, { manualSelector: manual.has(identity), isKept });
  };
}

/**
 * Whether the controller leaves a pod that finds no node as it is when the template changes.
 * @param {KubernetesObject} workload
 */
function keepsPods({ kind = '', spec }) {
  if (['ReplicaSet', 'ReplicationController'].includes(kind)) return true;
  const isInOrder = kind === 'StatefulSet' && spec?.podManagementPolicy !== 'Parallel';
  return isInOrder || spec?.updateStrategy?.type === 'OnDelete';
}

/**
 * @param {Target & { apiVersion?: string }} owner
 * @param {{ manualSelector: boolean, isKept?: boolean }} parts `isKept`: the pod
 * @returns {TemplateOwner}
 */
function ownerOf({ apiVersion = '', kind, namespace, name }, { manualSelector, isKept }) {
  return {
    ...{ apiVersion, kind, namespace, name },
    ...(manualSelector && { manualSelector }),
    ...(isKept && { keepsPods: true }),
  };
}
