import { conditionOf } from '../../../src/kubernetes/conditions.js';
import { isAlreadyExists } from '../api_errors.js';
import { controllerOf } from '../controller_ref.js';
import { semanticEqual } from '../../../src/kubernetes/workloads/objects.js';
import { replicaSetFor } from '../../../src/kubernetes/workloads/template_pods.js';
import {
  equalIgnoringHash,
  findNewReplicaSet,
  hasProgressDeadline,
  newAnnotations,
  newReplicasOf,
  replicasOf,
  REVISION,
  revisionOf,
} from '../../../src/kubernetes/workloads/deployment_util.js';
import { setDeploymentCondition } from './progress.js';

/**
 * A Deployment with its ReplicaSets: that of its template and the old ones, with ascending
 * revisions. Counterpart: pkg/controller/deployment/sync.go, v1.36
 * (getAllReplicaSetsAndSyncRevision, getNewReplicaSet).
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

/**
 * @typedef {object} Rollout
 * @property {ControllerContext} context
 * @property {EventRecorder} recorder
 * @property {KubernetesObject} deployment
 * @property {KubernetesObject | undefined} newSet the ReplicaSet of the Deployment's template
 * @property {KubernetesObject[]} old the others
 * @property {KubernetesObject[]} all
 * @property {(set: KubernetesObject) => KubernetesObject[]} podsOf
 */

/**
 * Returns the rollout after recording the revision of its new ReplicaSet.
 * @param {Rollout} rollout
 * @param {{ create: boolean }} options whether a missing ReplicaSet is created
 * @returns {Rollout}
 * @throws {Error} an ApiError; after a hash collision the next attempt uses another hash
 */
export function syncRevision(rollout, { create }) {
  const last = rollout.old.reduce((most, set) => Math.max(most, revisionOf(set)), 0);
  const revision = last + 1;
  if (rollout.newSet) return syncExisting(rollout, rollout.newSet, revision);
  return create ? createReplicaSet(rollout, revision) : rollout;
}

/**
 * @param {KubernetesObject} deployment
 * @param {KubernetesObject[]} sets
 */
export function partition(deployment, sets) {
  const newSet = findNewReplicaSet(deployment, sets);
  return { newSet, old: sets.filter((set) => set !== newSet), all: sets };
}

/**
 * @param {Rollout} rollout
 * @param {KubernetesObject} set
 * @param {number} revision
 * @returns {Rollout}
 */
function syncExisting(rollout, set, revision) {
  const { context, deployment } = rollout;
  const before = set.metadata.annotations ?? {};
  const annotations = newAnnotations(before, deployment, { revision, exists: true });
  const { minReadySeconds = 0 } = deployment.spec;
  const isSame =
    semanticEqual(annotations, before) && (set.spec.minReadySeconds ?? 0) === minReadySeconds;
  const newSet = isSame
    ? set
    : context.store.update('replicasets', {
        ...set,
        metadata: { ...set.metadata, annotations },
        spec: { ...set.spec, minReadySeconds },
      });
  const found = conditionOf(deployment.status, 'Progressing')
    ? undefined
    : { reason: 'FoundNewReplicaSet', message: `Found new replica set "${set.metadata.name}"` };
  const updated = record(rollout, annotations[REVISION], found);
  const all = rollout.all.map((one) => (one === set ? newSet : one));
  return { ...rollout, deployment: updated, newSet, all };
}

/**
 * @param {Rollout} rollout
 * @param {number} revision
 * @returns {Rollout}
 */
function createReplicaSet(rollout, revision) {
  const { context, deployment, recorder, all } = rollout;
  const wanted = replicaSetFor(deployment, {
    replicas: newReplicasOf(deployment, all, 0),
    annotations: newAnnotations({}, deployment, { revision, exists: false }),
  });
  const { name } = wanted.metadata;
  let newSet;
  try {
    newSet = context.store.create('replicasets', wanted);
  } catch (error) {
    if (isAlreadyExists(error)) newSet = takenName(rollout, wanted, error);
    else throw failed(rollout, name, error);
  }
  const size = replicasOf(newSet);
  if (size > 0) {
    const message = `Scaled up replica set ${name} from 0 to ${size}`;
    recorder.event(deployment, 'Normal', 'ScalingReplicaSet', message);
  }
  const reason = 'NewReplicaSetCreated';
  const message = `Created new replica set "${name}"`;
  const updated = record(rollout, String(revision), { reason, message });
  return { ...rollout, deployment: updated, newSet, all: [...all, newSet] };
}

/**
 * A set of that name exists: it is ours, or the hashes collide, and the incremented count changes
 * the next one.
 * @param {Rollout} rollout
 * @param {KubernetesObject} wanted
 * @param {unknown} error
 * @returns {KubernetesObject}
 */
function takenName({ context, deployment }, wanted, error) {
  const { namespace, name } = wanted.metadata;
  const taken = context.store.get('replicasets', namespace, name);
  const isOurs =
    taken &&
    controllerOf(taken)?.uid === deployment.metadata.uid &&
    equalIgnoringHash(taken.spec.template, deployment.spec.template);
  if (isOurs) return taken;
  const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
  context.updateStatus('deployments', deployment, { ...deployment.status, collisionCount });
  throw error;
}

/**
 * Reports in the Deployment that its ReplicaSet cannot be created.
 * @param {Rollout} rollout
 * @param {string} name
 * @param {any} error
 */
function failed({ context, deployment, recorder }, name, error) {
  const message = `Failed to create new replica set "${name}": ${error.message}`;
  const reason = 'ReplicaSetCreateError';
  if (hasProgressDeadline(deployment)) {
    const said = { type: 'Progressing', status: 'False', reason, message };
    const { conditions } = deployment.status ?? {};
    context.updateStatus('deployments', deployment, {
      ...deployment.status,
      conditions: setDeploymentCondition(conditions, said, context.timestamp),
    });
  }
  recorder.event(deployment, 'Warning', reason, message);
  return error;
}

/**
 * Writes the revision and the known progress to the Deployment.
 * @param {Rollout} rollout
 * @param {string} revision
 * @param {{ reason: string, message: string }} [progress]
 * @returns {KubernetesObject}
 */
function record({ context, deployment }, revision, progress) {
  const { metadata, status = {} } = deployment;
  const annotations = { ...metadata.annotations, [REVISION]: revision };
  const isReported = progress !== undefined && hasProgressDeadline(deployment);
  if (metadata.annotations?.[REVISION] === revision && !isReported) return deployment;
  const conditions = isReported
    ? setDeploymentCondition(
        status.conditions,
        { type: 'Progressing', status: 'True', ...progress },
        context.timestamp,
      )
    : status.conditions;
  const updated = {
    ...deployment,
    metadata: { ...metadata, annotations },
    status: { ...status, ...(conditions && { conditions }) },
  };
  return context.store.update('deployments', updated, { subresource: 'status' });
}
