/** What a scheduler gets of an input: the bytes of files, or completed objects. */
import { podKeyOf } from '../../kubernetes/keys.js';
import { isWorkload, RESOURCES } from '../../kubernetes/kinds.js';
import { documentOf } from '../../manifests/positions.js';
import { withoutEvent } from '../input/unknown_objects.js';
import { ADMISSION_KINDS } from './admission.js';
import { lacksScheduler } from './manifests.js';
import { isPod } from '../../kubernetes/workloads/pods.js';
import { Problems } from '../terminal/problems.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ParsedFile } from './applied_manifests.js'
 * @import { Cluster } from './cluster.js'
 */

/**
 * A part of the input for one `apply`: the bytes of a file, or completed objects. `objects[index]`
 * is the object of an error with that index.
 * @typedef {{ name: string, bytes?: Uint8Array, objects: KubernetesObject[] }} Batch
 */

/** Workloads that the engine does not read: they are dropped once their pods are created. */
const EXPANDED = new Set(
  RESOURCES.filter(({ isWorkload, isWatched }) => isWorkload && !isWatched).map(({ kind }) => kind),
);

/**
 * Applies a cluster to a scheduler.
 * @param {Scheduler} scheduler
 * @param {Pick<Cluster, 'batches' | 'ignoredKinds' | 'problems' | 'notTaken' | 'pods'>} cluster
 * @param {(done: number, total: number) => void} [progress]
 * @throws {BadInputError} unless the cluster's `problems` collect the rejected objects
 */
export function applyCluster(scheduler, cluster, progress = () => {}) {
  const { batches, ignoredKinds, problems, notTaken } = cluster;
  const found = problems ?? new Problems();
  const unknown = new Set();
  batches.forEach(({ name, bytes, objects }, index) => {
    progress(index, batches.length);
    const onError = (/** @type {InputError} */ error) => {
      if (error.code === 'UnknownKind') return void unknown.add(typeOf(error));
      const object = objects[error.index ?? -1];
      found.addError(name, error, object);
      if (!object || !isPod(object)) return;
      notTaken.set(podKeyOf(object), error.message);
      cluster.pods.delete(podKeyOf(object));
    };
    scheduler.apply(bytes ?? objects.map(withoutEvent), { onError });
    // The scheduler keeps PriorityClasses for new pods, but does not read them in bytes.
    if (bytes) scheduler.apply(objects.filter(isPriorityClass));
  });
  if (!problems) found.throwAny();
  for (const object of batches.flatMap(({ objects }) => objects)) {
    const type = typeOf(object);
    if (unknown.has(type) && !endsHere(object))
      ignoredKinds.set(type, (ignoredKinds.get(type) ?? 0) + 1);
  }
}

/**
 * Returns the file's bytes if it is one JSON document of stored objects and not too large for one
 * `apply`.
 * @param {ParsedFile & { complete: KubernetesObject[] }} file
 * @param {number} batchBytes
 * @returns {Batch}
 */
export function batchOf({ source: { name, bytes, text }, objects, complete, isWhole }, batchBytes) {
  const stored =
    isWhole &&
    !objects.some(lacksScheduler) &&
    objects.every(({ kind, metadata }) => kind && metadata?.uid);
  const isOneDocument =
    (typeof text !== 'string' || /^\s*\{/.test(text)) &&
    objects.length > 0 &&
    documentOf(objects[objects.length - 1]) === 1;
  if (stored && isOneDocument && bytes.byteLength <= batchBytes) return { name, bytes, objects };
  const sent = complete.filter((object) => isPriorityClass(object) || !endsHere(object));
  return { name, objects: sent };
}

/** @param {KubernetesObject} object */
function isPriorityClass({ kind }) {
  return kind === 'PriorityClass';
}

/**
 * Whether only JavaScript reads it, not the engine.
 * @param {KubernetesObject} object
 */
export function endsHere(object) {
  const { kind = '' } = object;
  const isOfWorkload = kind === 'ControllerRevision' || (EXPANDED.has(kind) && isWorkload(object));
  return isOfWorkload || ADMISSION_KINDS.has(kind);
}

/**
 * Returns an object's type for messages.
 * @param {{ apiVersion?: string, kind?: string }} object
 */
function typeOf({ apiVersion, kind }) {
  return `${kind} (${apiVersion})`;
}
