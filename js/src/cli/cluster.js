import { PriorityClasses, withDefaults } from '../defaults.js';
import { InputError } from '../errors.js';
import { Expansion } from '../manifests/expand.js';
import { documentOf, inheritPosition, parse, positionOf } from '../manifests/parse.js';
import { BadInputError } from './problems.js';

/**
 * @import { Scheduler } from '../scheduler.js'
 * @import { KubernetesObject } from '../types.js'
 * @import { Source } from './inputs.js'
 */

/**
 * A part of the input for one `apply`: the bytes of a file as they are, or objects that had to be
 * completed. `objects[index]` is what an error with that index is about.
 * @typedef {{ name: string, bytes?: Uint8Array, objects: KubernetesObject[] }} Batch
 */

/**
 * The cluster before the simulation.
 * @typedef {object} Cluster
 * @property {Batch[]} batches
 * @property {number} startTime milliseconds since the epoch; later than everything in the input
 * @property {Map<string, KubernetesObject>} pods those that did not finish, by `namespace/name`
 * @property {Map<string, number>} ignoredKinds how many objects of each kind have no part in it
 */

/** Kinds that make pods, and are not needed afterwards. */
const EXPANDED = new Set(['Deployment', 'DaemonSet', 'Job', 'PriorityClass']);
const WORKLOADS = new Set([
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'DaemonSet',
  'Job',
]);

/**
 * Takes files apart: what they hold, the pods that their workloads lack, and the defaults that
 * hand-written objects need. A file that needs nothing goes on as it is.
 * @param {Source[]} sources
 * @returns {Cluster}
 * @throws {BadInputError} with everything that cannot be read
 */
export function readCluster(sources) {
  /** @type {string[]} */
  const problems = [];
  const parsed = sources.map((source) => {
    const tell = (/** @type {InputError} */ error) =>
      problems.push(describeProblem(source.name, error));
    return { source, tell, objects: parse(source.text, { onError: tell }) };
  });
  const all = parsed.flatMap(({ objects }) => objects);
  const startTime = Math.ceil(latestTime(all) / 1000 + 1) * 1000;
  const context = {
    existing: all,
    nodes: all.filter(({ kind }) => kind === 'Node'),
    priorityClasses: new PriorityClasses(all.filter(({ kind }) => kind === 'PriorityClass')),
    creationTimestamp: new Date(startTime).toISOString().replace('.000Z', 'Z'),
  };
  const expansion = new Expansion(context);
  const batches = parsed.flatMap(({ source, tell, objects }) => {
    const complete = guarded((object) => completed(object, context), tell);
    const made = objects
      .filter(({ kind = '' }) => WORKLOADS.has(kind))
      .flatMap(guarded((object) => expansion.of(object), tell));
    return [batchOf(source, objects, complete), { name: source.name, objects: made }];
  });
  if (problems.length > 0) throw new BadInputError(problems);
  return {
    batches: batches.filter(({ objects }) => objects.length > 0),
    startTime,
    pods: podsIn(batches),
    ignoredKinds: new Map(),
  };
}

/**
 * Puts a cluster into a scheduler.
 * @param {Scheduler} scheduler
 * @param {Cluster} cluster
 * @param {(done: number, total: number) => void} [progress]
 * @throws {BadInputError}
 */
export function applyCluster(scheduler, { batches, ignoredKinds }, progress = () => {}) {
  /** By place and field: the pods of one template share a mistake. @type {Map<string, string>} */
  const problems = new Map();
  const unknown = new Set();
  batches.forEach(({ name, bytes, objects }, index) => {
    progress(index, batches.length);
    const onError = (/** @type {InputError} */ error) => {
      if (error.code === 'UnknownKind') unknown.add(error.kind);
      else addProblem(problems, name, error, objects[error.index ?? -1]);
    };
    scheduler.apply(bytes ?? objects, { onError });
  });
  if (problems.size > 0) throw new BadInputError([...problems.values()]);
  for (const { objects } of batches) {
    for (const { kind = '' } of objects) {
      if (unknown.has(kind) && !EXPANDED.has(kind))
        ignoredKinds.set(kind, (ignoredKinds.get(kind) ?? 0) + 1);
    }
  }
}

/**
 * `namespace/name` of a pod.
 * @param {KubernetesObject} pod
 */
export function keyOf({ metadata }) {
  return `${metadata?.namespace ?? 'default'}/${metadata?.name}`;
}

/**
 * The file as it is, where it is one JSON document of objects that were stored before.
 * @param {Source} source
 * @param {KubernetesObject[]} objects
 * @param {(object: KubernetesObject) => KubernetesObject[]} complete
 * @returns {Batch}
 */
function batchOf({ name, bytes, text }, objects, complete) {
  const stored = objects.every(
    (object) => object.metadata?.uid || (!isRead(object) && object.kind),
  );
  const isOneDocument =
    /^\s*\{/.test(text) && objects.length > 0 && documentOf(objects[objects.length - 1]) === 1;
  if (stored && isOneDocument) return { name, bytes, objects };
  return {
    name,
    objects: objects.filter(({ kind = '' }) => !EXPANDED.has(kind)).flatMap(complete),
  };
}

/** @param {KubernetesObject} object */
function isRead({ kind = '' }) {
  return [
    'Node',
    'Pod',
    'Namespace',
    'Service',
    'ReplicationController',
    'ReplicaSet',
    'StatefulSet',
    'PodDisruptionBudget',
  ].includes(kind);
}

/**
 * @param {KubernetesObject} object
 * @param {import('../types.js').DefaultsContext} context
 * @returns {KubernetesObject[]}
 */
function completed(object, context) {
  const stored = withDefaults(object, context);
  if (stored !== object) inheritPosition(stored, object);
  return [stored];
}

/**
 * What a function makes of an object; its InputError is told, with the place of the object.
 * @param {(object: KubernetesObject) => KubernetesObject[]} make
 * @param {(error: InputError) => void} tell
 * @returns {(object: KubernetesObject) => KubernetesObject[]}
 */
function guarded(make, tell) {
  return (object) => {
    try {
      return make(object);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      tell(new InputError({ ...error.toJSON(), ...positionOf(object, error.field) }));
      return [];
    }
  };
}

/**
 * @param {string} name of the file
 * @param {InputError} error
 * @param {KubernetesObject} [object] that it is about
 */
function describeProblem(name, error, object) {
  const { document, line, column } = (object && positionOf(object, error.field)) ?? error;
  const where = [
    document !== undefined && `document ${document}`,
    line !== undefined && `line ${line}`,
    column !== undefined && `column ${column}`,
  ].filter(Boolean);
  return [name, where.join(', '), error.message].filter(Boolean).join(': ');
}

/**
 * @param {Map<string, string>} problems
 * @param {string} name of the file
 * @param {InputError} error
 * @param {KubernetesObject | undefined} object that it is about
 */
function addProblem(problems, name, error, object) {
  const place = object ? JSON.stringify(positionOf(object, error.field)) : error.message;
  const key = [name, place, error.field, error.code].join();
  if (!problems.has(key)) problems.set(key, describeProblem(name, error, object));
}

/** @param {Batch[]} batches */
function podsIn(batches) {
  /** @type {Map<string, KubernetesObject>} */
  const pods = new Map();
  for (const { objects } of batches) {
    for (const object of objects) {
      if (object.kind !== 'Pod') continue;
      if (['Succeeded', 'Failed'].includes(object.status?.phase)) pods.delete(keyOf(object));
      else pods.set(keyOf(object), object);
    }
  }
  return pods;
}

/**
 * The last moment that the pods tell of, so that what is done here comes after it.
 * @param {KubernetesObject[]} objects
 */
function latestTime(objects) {
  const times = objects.flatMap(({ kind, metadata, status }) =>
    kind === 'Pod'
      ? [metadata?.creationTimestamp, metadata?.deletionTimestamp, status?.startTime]
      : [],
  );
  return times.reduce((latest, time) => Math.max(latest, Date.parse(time ?? '') || 0), 0);
}
