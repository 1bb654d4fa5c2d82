import { lastAppliedTo } from './last_applied.js';
import { mergePatch } from './merge_patch.js';
import { isRecord } from './values.js';

/** @import { KubernetesObject } from './types.js' */

/** The metadata that an API server sets, and that no update changes. */
const SERVER_METADATA = Object.freeze([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]);

/**
 * Returns the stored object after `kubectl apply` of a manifest: with the manifest's fields,
 * without those that only the manifest before had, and with all others unchanged, such as the
 * volume that a claim is bound to. Maps are merged and lists replaced, as kubectl does where a list
 * has no merge key; no list that scheduling decisions read has one, except in pods, workloads and
 * CSINodes. Counterpart: kubectl/pkg/cmd/apply/patcher.go, v1.36.
 *
 * The stored status stays, unless the manifest has one: a hand-written Node says what it has to
 * offer. If the manifest has another API version, only the status and the server's metadata stay:
 * the fields of the two versions may differ.
 * @param {KubernetesObject} manifest
 * @param {KubernetesObject} stored of the same kind and name
 * @returns {KubernetesObject} both are unchanged; the result shares their parts
 */
export function appliedManifest(manifest, stored) {
  const isOfVersion = manifest.apiVersion === stored.apiVersion;
  const merged = isOfVersion
    ? mergePatch(stored, patchTo(manifest, lastAppliedTo(stored)))
    : manifest;
  const { status: _, ...object } = merged;
  const status = hasFields(manifest.status) ? manifest.status : stored.status;
  const metadata = { ...merged.metadata };
  for (const name of SERVER_METADATA) {
    if (stored.metadata[name] === undefined) delete metadata[name];
    else metadata[name] = stored.metadata[name];
  }
  return { ...object, metadata, ...(status !== undefined && { status }) };
}

/**
 * Returns a merge patch with the fields of a manifest, and null for those that only the one before
 * had.
 * @param {any} manifest
 * @param {any} before
 * @returns {any}
 */
function patchTo(manifest, before) {
  if (!isRecord(manifest) || !isRecord(before)) return manifest;
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(manifest, name));
  return Object.fromEntries([
    ...removed.map((name) => [name, null]),
    ...Object.entries(manifest).map(([name, value]) => {
      const former = Object.hasOwn(before, name) ? before[name] : undefined;
      return [name, patchTo(value, former)];
    }),
  ]);
}

/** @param {unknown} value */
function hasFields(value) {
  return isRecord(value) && Object.keys(value).length > 0;
}
