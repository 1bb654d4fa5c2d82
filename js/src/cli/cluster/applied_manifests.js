/** Replaces objects of a cluster by manifests. */
import { podKeyOf } from '../../kubernetes/keys.js';
import { identityOf } from '../../kubernetes/owners.js';
import { unfolded } from '../../manifests/gangs/unfold.js';
import { KeptState } from './kept_state.js';
import { isCronJob, ownedIn, replacedIn, runOfCronJob, withoutStatus } from './manifests.js';
import { isWorkload } from '../../kubernetes/kinds.js';
import { isPod } from '../../kubernetes/workloads/pods.js';
import { updatedFiles } from './updated_objects.js';

/**
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Source } from '../input/inputs.js'
 */

/**
 * A parsed file.
 * @typedef {object} ParsedFile
 * @property {Source} source
 * @property {KubernetesObject[]} objects
 * @property {(error: InputError) => void} report
 * @property {boolean} isManifest
 * @property {boolean} isAsked whether it is a manifest; true for all files if none is a cluster
 * @property {Map<string, KubernetesObject>} runs CronJobs by the identity of their Jobs, and other
 *   objects by that of what they unfold to
 * @property {boolean} isReduced whether its objects lack fields, as in a snapshot
 * @property {boolean} isWhole whether `objects` are exactly those of the file
 */

/**
 * What is applied for an object: for most of them it itself.
 * @typedef {(object: KubernetesObject) => KubernetesObject[]} Unfold
 */

/**
 * What is applied of a manifest: a Job for a CronJob, and for a workload of another project what
 * its controller makes of it.
 * @type {Unfold}
 */
const appliedAs = (object) => unfolded(runOfCronJob(object));

/**
 * Returns the files without the replaced objects, with Jobs for CronJobs, and with other objects as
 * changes of those that are there.
 * @param {ParsedFile[]} read
 * @returns {{ files: ParsedFile[], replaced: KubernetesObject[], kept: Map<string, string[]> }}
 *   `kept`: the pods that the update of a StatefulSet keeps, by its identity
 */
export function applied(read) {
  const files = updatedFiles(read);
  const written = files.flatMap(({ isManifest, objects }) => (isManifest ? objects : []));
  const cluster = files.flatMap(({ isManifest, objects }) => (isManifest ? [] : objects));
  const sources = written
    .flatMap((object) => [object, ...appliedAs(object)])
    .filter((object) => isPod(object) || isWorkload(object) || isCronJob(object));
  const identities = new Set(sources.map(identityOf));
  const replaced = replacedIn(cluster, sources);
  // Pods in the manifests that belong to their workloads are dropped: they are created from the
  // templates.
  const owned = ownedIn(written, identities);
  const state = new KeptState(replaced);
  const manifests = new Map(
    files
      .filter(({ isManifest }) => isManifest)
      .map((file) => [file, manifestFile(file, { owned, state })]),
  );
  const kept = keptPods([...manifests.values()], state);
  for (const pod of [...kept.values()].flat()) replaced.delete(pod);
  const all = files.map((file) => manifests.get(file) ?? withoutObjects(file, replaced));
  /** @type {Map<string, string[]>} */
  const keys = new Map();
  for (const [identity, pods] of kept) keys.set(identity, pods.map(podKeyOf));
  return { files: all, replaced: [...replaced], kept: keys };
}

/**
 * @param {ParsedFile} file of the cluster
 * @param {Set<KubernetesObject>} replaced
 * @returns {ParsedFile}
 */
function withoutObjects(file, replaced) {
  const objects = file.objects.filter((object) => !replaced.has(object));
  const isSame = objects.length === file.objects.length;
  return { ...file, objects, isWhole: file.isWhole && isSame };
}

/**
 * @param {ParsedFile} file
 * @param {{ owned: Set<KubernetesObject>, state: KeptState }} parts `owned` by workloads of the
 *   manifests
 * @returns {ParsedFile}
 */
function manifestFile(file, { owned, state }) {
  const runs = new Map();
  const objects = file.objects
    .filter((object) => !owned.has(object))
    .flatMap((object) =>
      appliedAs(object).map((run) => {
        if (run !== object) runs.set(identityOf(run), object);
        if (!isPod(run) && !isWorkload(run)) return run;
        return state.applied(withoutStatus(run));
      }),
    );
  const isSame = owned.size === 0 && objects.every((each, at) => each === file.objects[at]);
  return { ...file, objects, runs, isWhole: file.isWhole && isSame };
}

/**
 * @param {ParsedFile[]} manifests
 * @param {KeptState} state
 * @returns {Map<string, KubernetesObject[]>} by the identity of their StatefulSet
 */
function keptPods(manifests, state) {
  const sets = manifests.flatMap(({ objects }) => objects.filter(isWorkload));
  return new Map(sets.map((set) => [identityOf(set), state.podsBelowPartition(set)]));
}
