/** Adds to files what the controllers of their workloads would create. */
import { podKeyOf } from '../../kubernetes/keys.js';
import { isWorkload } from '../../kubernetes/kinds.js';
import { identityOf, lastOfEach } from '../../kubernetes/owners.js';
import { isPod } from '../../kubernetes/workloads/pods.js';
import { Expansion } from '../../manifests/expand.js';
import { refusalLine, withCheckedPriorities } from './admission.js';
import { admitted } from '../../kubernetes/api_error.js';
import { batchOf, endsHere } from './batches.js';
import { Creation } from '../../manifests/creation.js';
import { guarded } from './guarded.js';
import { hasPodTemplate } from './manifests.js';

/**
 * @import { ExpandContext, KubernetesObject } from '../../kubernetes/types.js'
 * @import { ParsedFile } from './applied_manifests.js'
 * @import { Cluster } from './cluster.js'
 * @import { Added, Workload } from './manifests.js'
 */

/** The part of a context that admission reads, absent. */
const WITHOUT_ADMISSION = { limitRanges: undefined, runtimeClasses: undefined };

/**
 * Returns the files with the objects that the controllers of workloads would add.
 * @param {(ParsedFile & { complete: KubernetesObject[] })[]} files
 * @param {{ kept: Map<string, string[]>, replaced: KubernetesObject[], context: ExpandContext,
 *   batchBytes: number, refusals: Map<KubernetesObject, string>, unstored: Set<KubernetesObject>,
 *   isTaken: (object: KubernetesObject) => boolean }} options `kept` and `replaced`: as returned by
 *   `applied`; `refusals`: pods that admission refuses, and gets those that creation refuses;
 *   `unstored`: objects that no server stored; `isTaken`: whether a new pod can be read
 * @returns {Pick<Cluster, 'batches' | 'workloads' | 'added' | 'refused' | 'warnings' | 'unsent'>}
 */
export function expanded(
  files,
  { kept, replaced, context, batchBytes, refusals, unstored, isTaken },
) {
  const latest = lastOfEach(files.flatMap((file) => file.complete));
  const existing = [...latest.values()];
  const lasts = new Set(existing);
  const nodes = existing.filter(({ kind }) => kind === 'Node');
  const lists = { ...context, existing, nodes, replaced };
  const expansion = new Expansion(lists);
  const creation = Creation.among(existing);
  const isStored = storedBefore(files, { replaced, unstored });
  /** @type {{ workloads: Workload[], added: Added[] }} */
  const { workloads, added } = { workloads: [], added: [] };
  /** @type {Expansion | undefined} counts the pods that admission refuses */
  let whole;
  const unadmitted = () => (whole ??= new Expansion({ ...lists, ...WITHOUT_ADMISSION }));
  /** @type {{ refused: string[], warnings: string[] }} */
  const { refused, warnings } = { refused: [], warnings: [] };
  const created = files.map((file) => {
    const { name } = file.source;
    const isLast = (/** @type {KubernetesObject} */ object) => lasts.has(object);
    return file.complete.filter(isLast).flatMap(
      guarded((object) => {
        const madeBy = (/** @type {Expansion} */ one) => one.of(object);
        const run = file.runs.get(identityOf(object)) ?? object;
        const isAdded = file.isManifest || (file.isAsked && unstored.has(object));
        const { made, ...outcome } = admitted(() => {
          if (isAdded) creation.check(run, () => isStored(run));
          const all = creation.checked(madeBy(expansion), object);
          return file.isManifest ? withCheckedPriorities(all, context) : all;
        });
        if (isPod(object) && outcome.refusal !== undefined) refusals.set(object, outcome.refusal);
        const all = made ?? madeBy(unadmitted());
        const taken = all.filter(isTaken);
        const pods = [object, ...all].filter(isPod).map(podKeyOf);
        const { refusal = refusals.get(object) } = taken.length === all.length ? outcome : {};
        const isKnown = isPod(object) || isWorkload(object);
        const own = { source: name, object: run, pods };
        if (isAdded) added.push(own);
        if (file.isManifest && (isKnown || hasPodTemplate(object))) {
          const replicas = expansion.replicasOf(object);
          const staying = kept.get(identityOf(object)) ?? [];
          workloads.push({ ...own, kept: staying, replicas, isKnown, refusal });
        }
        const assumption = expansion.assumptions.get(identityOf(object));
        if (assumption !== undefined)
          warnings.push(`${name}: ${object.kind} ${podKeyOf(object)}: ${assumption}`);
        if (refusal !== undefined) {
          warnings.push(refusalLine(name, object, refusal));
          for (const pod of pods) refused.push(pod);
        }
        return made ? taken : [];
      }, file.report),
    );
  });
  const { ended } = expansion;
  const batches = files.flatMap((file, at) => {
    const complete = file.complete.filter(
      (object) =>
        !refusals.has(object) && !ended.has(object) && (!unstored.has(object) || isTaken(object)),
    );
    const isWhole = file.isWhole && !file.complete.some((object) => ended.has(object));
    const { name } = file.source;
    return [batchOf({ ...file, complete, isWhole }, batchBytes), { name, objects: created[at] }];
  });
  return { batches, workloads, added, refused, warnings, unsent: existing.filter(endsHere) };
}

/**
 * Returns whether the cluster had an object of the same identity before the written ones.
 * @param {(ParsedFile & { complete: KubernetesObject[] })[]} files
 * @param {{ replaced: KubernetesObject[], unstored: Set<KubernetesObject> }} parts
 * @returns {(object: KubernetesObject) => boolean}
 */
function storedBefore(files, { replaced, unstored }) {
  const identities = () => {
    const cluster = files.filter(({ isManifest }) => !isManifest);
    const kept = cluster.flatMap(({ isAsked, complete }) =>
      complete.filter((object) => !isAsked || !unstored.has(object)),
    );
    return new Set([...replaced, ...kept].map(identityOf));
  };
  /** @type {Set<string> | undefined} */
  let stored;
  return (object) => (stored ??= identities()).has(identityOf(object));
}
