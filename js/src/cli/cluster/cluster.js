/** Reads an input as a cluster: its objects, and the pods that its workloads lack. */
import { LIMITS } from '../../engine/options.js';
import { LATEST_TIME } from '../../io/clock.js';
import { PriorityClasses, StorageClasses } from '../../kubernetes/default_classes.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { isPod, isPodFinished } from '../../kubernetes/workloads/pods.js';
import { readGroup } from '../../manifests/gangs/pod_groups.js';
import { unfolded } from '../../manifests/gangs/unfold.js';
import { parseInput as parse } from '../../manifests/parse_input.js';
import { Problems } from '../terminal/problems.js';
import { admissionLists, isUnknownClass } from './admission.js';
import { applied } from './applied_manifests.js';
import { completer } from './completed.js';
import { expanded } from './expanded.js';
import { guarded } from './guarded.js';
import { storedPodsOf } from './manifests.js';
import { inNamespace } from './namespace.js';
import { RefusedClasses } from './refused_classes.js';
import { repeatedLines } from './repeated.js';
import { storedIn, Validation } from './validation.js';

/**
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { ExpandContext, KubernetesObject } from '../../kubernetes/types.js'
 * @import { ValidationMode } from '../arguments/arguments.js'
 * @import { ParsedFile } from './applied_manifests.js'
 * @import { Batch } from './batches.js'
 * @import { ManifestNamespace } from './namespace.js'
 * @import { Source } from '../input/inputs.js'
 * @import { Added, Workload } from './manifests.js'
 * @import { StoredVersions } from './validation.js'
 */

/**
 * The cluster before the simulation.
 * @typedef {object} Cluster
 * @property {Batch[]} batches
 * @property {number} startTime milliseconds since the epoch; after all times of the input
 * @property {Map<string, KubernetesObject>} pods the unfinished ones, by `namespace/name`
 * @property {Workload[]} workloads of the manifests, in their order; workloads of unknown kinds
 *   with a pod template have no pods here
 * @property {Added[]} added the sources of pods that the cluster has not stored: the workloads and
 *   pods of the manifests; without a cluster to compare with, those of the input that no server
 *   stored
 * @property {string[]} warnings faults of the input that do not end the command: a line each
 * @property {Validation} validation has further warnings
 * @property {string[]} refused pods that admission refuses, `namespace/name`: the cluster does not
 *   contain them
 * @property {ExpandContext} context the objects that defaults and admission read
 * @property {KubernetesObject[]} replaced the cluster's objects that the manifests' workloads and
 *   pods, or added pods, replace
 * @property {Map<string, number>} ignoredKinds the numbers of irrelevant objects, by type
 * @property {KubernetesObject[]} read the objects as parsed
 * @property {StoredVersions} stored the objects that a server has stored
 * @property {KubernetesObject[]} unsent complete objects that the engine does not get
 * @property {Set<string>} listed kinds that the input contains as a complete List, such as a
 *   PodList
 * @property {Map<string, string>} releases the versions of Kubernetes that snapshots name, by
 *   source
 * @property {Problems} [problems] collects the faults of the input; without it they are thrown
 * @property {Set<Source>} empty the sources without an object
 * @property {InputError[]} unclassed the errors of pods that cannot be read without their
 *   PriorityClass
 * @property {Map<string, string>} notTaken the reasons why the engine rejects a pod, by
 *   `namespace/name`
 */

/** @type {ManifestNamespace} */
const DEFAULT = Object.freeze({ name: 'default', isOnly: false });

/** The maximum duration of decisions before the clock ends: a day, in milliseconds. */
const ROOM_FOR_DECISIONS = 86_400_000;

/**
 * Reads the objects of files, adds the pods that their workloads lack, and completes hand-written
 * objects. Files that need no change are passed on unchanged.
 * @param {Source[]} sources
 * @param {{ manifests?: Source[], namespace?: ManifestNamespace, validate?: ValidationMode,
 *   batchBytes?: number, onSource?: (source: Source) => void, problems?: Problems,
 *   reduced?: (object: KubernetesObject) => KubernetesObject, featureGates?:
 *   Record<string, boolean>, kubernetesVersion?: string }} [options]
 *   `manifests` are applied to that cluster: their workloads and pods take the place of those of
 *   the same name, and have all of their pods yet to be made; in which namespace these, or where
 *   there are none the objects that no server stored, are when they name none, and how they are
 *   validated; how much the engine takes at once; `onSource` is called before a file is read;
 *   where problems are collected: the rest is read all the same; `reduced`: what is kept of an
 *   object; `featureGates`: those that differ from their default in the release
 * @returns {Cluster}
 */
export function readCluster(
  sources,
  {
    manifests = [],
    namespace = DEFAULT,
    validate = 'ignore',
    batchBytes = LIMITS.batchBytes,
    onSource = () => {},
    problems = new Problems(),
    reduced,
    featureGates,
    kubernetesVersion,
  } = {},
) {
  const found = {
    unclassed: /** @type {InputError[]} */ ([]),
    empty: /** @type {Set<Source>} */ (new Set()),
    listed: /** @type {Set<string>} */ (new Set()),
    releases: /** @type {Map<string, string>} */ (new Map()),
    validation: new Validation(validate, { featureGates, kubernetesVersion }),
    notTaken: /** @type {Map<string, string>} */ (new Map()),
  };
  const refusedClasses = new RefusedClasses();
  const texts = [...sources, ...manifests].map((source) => {
    onSource(source);
    return parsedFile(source, { manifests, problems, reduced, found, refusedClasses });
  });
  const stored = storedIn(texts);
  const read = texts.map((file) => validFile(file, { namespace, stored, found }));
  const { files: parsed, replaced: gone, kept } = applied(read);
  const given = parsed.flatMap(({ objects }) => objects);
  refusedClasses.forget(given);
  const all = [...given, ...refusedClasses.standIns];
  const startTime = Math.ceil(latestTime(all) / 1000 + 1) * 1000;
  const context = contextOf(all, startTime);
  /** @type {Map<KubernetesObject, string>} */
  const refusals = new Map();
  /** @type {Set<KubernetesObject>} */
  const unstored = new Set();
  const complete = completer(all, context, { refusals, unstored, refusedClasses });
  const isTaken = (/** @type {KubernetesObject} */ object) => {
    const reason = refusedClasses.reasonOf(object);
    if (reason !== undefined) found.notTaken.set(podKeyOf(object), reason);
    return reason === undefined;
  };
  const files = parsed.map((file) => ({
    ...file,
    complete: file.objects.flatMap(guarded((object) => [complete(object, file)], file.report)),
  }));
  const { batches, workloads, added, refused, warnings, unsent } = expanded(files, {
    kept,
    replaced: gone,
    context,
    batchBytes,
    refusals,
    unstored,
    isTaken,
  });
  return {
    batches: batches.filter(({ objects }) => objects.length > 0),
    startTime,
    pods: podsIn(batches),
    workloads,
    added,
    refused,
    warnings: [...repeatedLines(read), ...warnings],
    context,
    replaced: manifests.length > 0 ? gone : storedPodsOf(added, all),
    ignoredKinds: new Map(),
    read: all,
    stored,
    unsent,
    ...found,
    problems,
  };
}

/**
 * Returns the objects of a file.
 * @param {Source} source
 * @param {{ manifests: Source[], problems: Problems, reduced: ((object: KubernetesObject) =>
 *   KubernetesObject) | undefined, found: Pick<Cluster, 'unclassed' | 'empty' | 'listed' |
 *   'releases'>, refusedClasses: RefusedClasses }} options as those of `readCluster`; `found` and
 *   `refusedClasses` get what the file contains
 * @returns {ParsedFile}
 */
function parsedFile(source, { manifests, problems, reduced, found, refusedClasses }) {
  const report = (/** @type {InputError} */ error) => {
    problems.addError(source.name, error);
    if (isUnknownClass(error)) found.unclassed.push(error);
    refusedClasses.add({ kind: error.kind, name: error.objectName }, error.message);
  };
  let isConverted = false;
  let isReduced = false;
  const onList = (/** @type {string} */ kind) => found.listed.add(kind);
  const onConverted = () => (isConverted = true);
  const onReduced = () => (isReduced = true);
  const onRelease = (/** @type {string} */ version) => found.releases.set(source.name, version);
  const given = { onList, onConverted, onRelease, onReduced, reduced };
  const objects = source.objects ?? parse(source.text, { ...given, onError: report });
  if (objects.length === 0) found.empty.add(source);
  const isManifest = manifests.includes(source);
  const isAsked = isManifest || manifests.length === 0;
  const own = { isManifest, isAsked, isReduced, isWhole: !isConverted && !source.objects };
  return { source, report, objects, ...own, runs: new Map() };
}

/**
 * Returns a file with its valid objects.
 * @param {ParsedFile} file
 * @param {{ namespace: ManifestNamespace, stored: StoredVersions, found:
 *   Pick<Cluster, 'validation'> }} options
 * @returns {ParsedFile}
 */
function validFile(file, { namespace, stored, found }) {
  const { objects: all, isAsked, report } = file;
  const placed = isAsked ? inNamespace(all, namespace, report) : all;
  const valid = found.validation.of(placed, { ...file, stored });
  const objects = file.isManifest ? valid.flatMap(guarded(withCounts, report)) : valid;
  return { ...file, objects, isWhole: file.isWhole && objects.length === all.length };
}

/**
 * Reads the counts of a workload or group of another project, so that a wrong one is reported
 * before anything is asked.
 * @param {KubernetesObject} object
 * @throws {InputError} if a count is none
 */
function withCounts(object) {
  readGroup(object);
  unfolded(object);
  return [object];
}

/**
 * Returns the objects that defaults and admission read.
 * @param {KubernetesObject[]} all
 * @param {number} startTime
 * @returns {ExpandContext}
 */
function contextOf(all, startTime) {
  return {
    priorityClasses: new PriorityClasses(all.filter(({ kind }) => kind === 'PriorityClass')),
    storageClasses: new StorageClasses(all.filter(({ kind }) => kind === 'StorageClass')),
    creationTimestamp: new Date(startTime).toISOString().replace('.000Z', 'Z'),
    ...admissionLists(all),
  };
}

/** @param {Batch[]} batches */
function podsIn(batches) {
  /** @type {Map<string, KubernetesObject>} */
  const pods = new Map();
  for (const { objects } of batches) {
    for (const object of objects) {
      if (!isPod(object)) continue;
      if (isPodFinished(object)) pods.delete(podKeyOf(object));
      else pods.set(podKeyOf(object), object);
    }
  }
  return pods;
}

/**
 * Returns the latest time in the pods, so that the simulation starts after it. Times beyond the
 * clock's range are ignored and stay in the future.
 * @param {KubernetesObject[]} objects
 */
function latestTime(objects) {
  /** @type {Set<any>} */
  const times = new Set();
  for (const { kind, metadata, status } of objects) {
    if (kind !== 'Pod') continue;
    times.add(metadata?.creationTimestamp);
    times.add(metadata?.deletionTimestamp);
    times.add(status?.startTime);
  }
  const written = [...times].filter((time) => /^\d{4}-/.test(time)).map((time) => Date.parse(time));
  const possible = written.filter((time) => time <= LATEST_TIME - ROOM_FOR_DECISIONS);
  return possible.reduce((latest, time) => Math.max(latest, time), 0);
}
