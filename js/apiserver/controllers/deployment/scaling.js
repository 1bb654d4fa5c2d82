import { semanticEqual } from '../../../src/kubernetes/workloads/objects.js';
import { scaledSets } from '../../../src/kubernetes/workloads/deployment_scaling.js';
import { replicasOf, withSizes } from '../../../src/kubernetes/workloads/deployment_util.js';

/**
 * Scales ReplicaSets when the Deployment is scaled or paused. Counterpart:
 * pkg/controller/deployment/sync.go, v1.36 (scale, scaleReplicaSet).
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { Rollout } from './rollout.js'
 */

/** @param {Rollout} rollout */
export function scale(rollout) {
  for (const { set, size } of scaledSets(rollout.deployment, rollout))
    scaleReplicaSet(rollout, set, size);
}

/**
 * Scales one ReplicaSet and records the Deployment's replicas in its annotations.
 * @param {Rollout} rollout
 * @param {KubernetesObject} set
 * @param {number} size
 * @returns {boolean} whether the size changed
 */
export function scaleReplicaSet({ deployment, context, recorder }, set, size) {
  const before = replicasOf(set);
  const annotations = withSizes(set.metadata.annotations, deployment);
  if (before === size && semanticEqual(annotations, set.metadata.annotations)) return false;
  context.store.update('replicasets', {
    ...set,
    metadata: { ...set.metadata, annotations },
    spec: { ...set.spec, replicas: size },
  });
  if (before === size) return false;
  const way = size > before ? 'up' : 'down';
  const message = `Scaled ${way} replica set ${set.metadata.name} from ${before} to ${size}`;
  recorder.event(deployment, 'Normal', 'ScalingReplicaSet', message);
  return true;
}
