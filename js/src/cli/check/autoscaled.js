/** Warns about workloads whose HorizontalPodAutoscaler asks for more pods than were checked. */
import { namespaceOf } from '../../kubernetes/keys.js';
import { identityOf, lastOfEach } from '../../kubernetes/owners.js';
import { isRecord } from '../../kubernetes/values.js';
import { startOfWarning } from '../cluster/quota.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 */

/**
 * Returns a line for each workload that an autoscaler brings to more replicas at once, whatever its
 * metrics are. It leaves a workload without replicas alone.
 * @param {Pick<Cluster, 'read' | 'workloads'>} cluster
 * @returns {string[]}
 */
export function autoscalerWarnings({ read, workloads }) {
  const scalers = [...lastOfEach(read.filter(isAutoscaler)).values()];
  if (scalers.length === 0) return [];
  const byTarget = new Map(scalers.map((scaler) => [targetOf(scaler), scaler]));
  return workloads.flatMap((workload) => {
    const { metadata, spec } = byTarget.get(identityOf(workload.object)) ?? {};
    const count = workload.pods.length;
    const least = spec?.minReplicas ?? 1;
    if (!metadata || count === 0 || !(least > count)) return [];
    const start = startOfWarning(workload);
    return [
      `${start}HorizontalPodAutoscaler ${metadata.name} keeps at least ${least} replicas, ` +
        `of which ${count} ${count === 1 ? 'was' : 'were'} checked: set replicas to ${least}`,
    ];
  });
}

/** @param {KubernetesObject} object */
function isAutoscaler({ apiVersion, kind, metadata, spec }) {
  const isKind =
    kind === 'HorizontalPodAutoscaler' && String(apiVersion).startsWith('autoscaling/');
  return isKind && [metadata, spec, spec?.scaleTargetRef].every(isRecord);
}

/** @param {KubernetesObject} autoscaler */
function targetOf(autoscaler) {
  const { apiVersion, kind, name } = autoscaler.spec.scaleTargetRef;
  return identityOf({ apiVersion, kind, metadata: { namespace: namespaceOf(autoscaler), name } });
}
