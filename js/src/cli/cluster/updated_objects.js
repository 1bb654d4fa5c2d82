/** Applies written objects to the stored ones of their names. */
import { groupOf } from '../../kubernetes/api_group.js';
import { appliedManifest } from '../../kubernetes/applied_manifest.js';
import { RESOURCES } from '../../kubernetes/kinds.js';
import { identityOf, lastOfEach } from '../../kubernetes/owners.js';
import { isRecord } from '../../kubernetes/values.js';
import { inheritPosition } from '../../manifests/positions.js';
import { isPod } from '../../kubernetes/workloads/pods.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ParsedFile } from './applied_manifests.js'
 */

/** The kinds that decisions or admission read, except those that are replaced with their pods. */
const UPDATED = new Set(
  RESOURCES.filter(({ isWatched, readBy }) => isWatched || readBy.length > 0)
    .filter((resource) => !isPod(resource) && !resource.isWorkload)
    .map(({ group, kind }) => `${group}/${kind}`),
);

/**
 * Returns the files with what `kubectl apply` makes of their written objects: an object of a
 * manifest changes that of the cluster; in the cluster's own files an object without a uid changes
 * the one that has a uid.
 * @param {ParsedFile[]} files
 * @returns {ParsedFile[]}
 */
export function updatedFiles(files) {
  const kinds = new Set(
    files.flatMap(({ objects, isManifest }) =>
      objects
        .filter((object) => isUpdated(object) && (isManifest || !object.metadata.uid))
        .map(({ kind }) => kind),
    ),
  );
  if (kinds.size === 0) return files;
  const isOfKinds = (/** @type {KubernetesObject} */ object) =>
    kinds.has(object.kind) && isUpdated(object);
  const inCluster = (/** @type {ParsedFile[]} */ all) =>
    all.flatMap(({ isManifest, objects }) => (isManifest ? [] : objects.filter(isOfKinds)));
  const stored = lastOfEach(inCluster(files).filter(({ metadata }) => metadata.uid));
  const cluster = files.map((file) => (file.isManifest ? file : updatedFile(file, stored)));
  const present = lastOfEach(inCluster(cluster));
  return cluster.map((file) => (file.isManifest ? updatedFile(file, present) : file));
}

/** @param {KubernetesObject} object */
function isUpdated({ apiVersion, kind, metadata }) {
  return UPDATED.has(`${groupOf(apiVersion)}/${kind}`) && isRecord(metadata) && metadata.name;
}

/**
 * @param {ParsedFile} file
 * @param {Map<string, KubernetesObject>} versions
 * @returns {ParsedFile} the same one if nothing changes
 */
function updatedFile(file, versions) {
  const objects = file.objects.map((object) => {
    const isWritten = isUpdated(object) && (file.isManifest || !object.metadata.uid);
    const version = isWritten && versions.get(identityOf(object));
    if (!version) return object;
    const made = appliedManifest(object, version);
    inheritPosition(made, object);
    return made;
  });
  const isSame = objects.every((object, at) => object === file.objects[at]);
  return isSame ? file : { ...file, objects, isWhole: false };
}
