/** What `kubectl apply` of a workload's manifest leaves as it is. */
import { appliedManifest } from '../kubernetes/applied_manifest.js';
import { SCALED_KINDS } from '../kubernetes/kinds.js';
import { lastAppliedTo } from '../kubernetes/last_applied.js';
import { isRecord } from '../kubernetes/values.js';
import { inheritPosition } from './positions.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/**
 * Returns the stored object with a manifest applied to it; undefined if they cannot be merged.
 * `before`: the manifest that was applied last.
 * @typedef {(manifest: KubernetesObject, versions: { before: KubernetesObject, stored:
 *   KubernetesObject }) => KubernetesObject | undefined} Merge
 */

/**
 * The ReplicaSets and the running pods that belong to a workload.
 * @typedef {{ sets: KubernetesObject[], pods: KubernetesObject[] }} Parts
 */

/**
 * Returns a workload as it is after `kubectl apply`: fields that neither the manifest nor the one
 * before has stay. If the cluster's workload was not applied by kubectl, only its replicas stay.
 * @param {KubernetesObject} workload of a manifest
 * @param {{ stored?: KubernetesObject, partsOf: () => Parts }} present `stored`: the cluster's own
 *   object; its parts are read if the dump lacks it
 * @param {Merge} [merge] default: lists are replaced, not merged by the names of their items
 * @returns {KubernetesObject}
 */
export function appliedWorkload(workload, { stored, partsOf }, merge = mergedInOneVersion) {
  const before = stored && lastAppliedTo(stored);
  const merged = stored && before?.spec && merge(workload, { before, stored });
  if (merged?.spec) return withSpec(workload, merged.spec);
  const { kind = '', spec } = workload;
  // The removal of replicas that the previous manifest had gives the default.
  const isCounted = [spec, before?.spec].some((one) => (one?.replicas ?? null) !== null);
  if (!SCALED_KINDS.has(kind) || !isRecord(spec) || isCounted) return workload;
  const replicas = stored ? stored.spec?.replicas : replicasIn(partsOf());
  return replicas === undefined ? workload : withSpec(workload, { ...spec, replicas });
}

/** @type {Merge} */
function mergedInOneVersion(manifest, { stored }) {
  return manifest.apiVersion === stored.apiVersion ? appliedManifest(manifest, stored) : undefined;
}

/**
 * @param {Parts} parts
 * @returns {number | undefined} undefined if the cluster has no part of the workload
 */
function replicasIn({ sets, pods }) {
  if (sets.length > 0) return sets.reduce((sum, { spec }) => sum + (spec?.replicas ?? 1), 0);
  return pods.length > 0 ? pods.length : undefined;
}

/**
 * @param {KubernetesObject} workload
 * @param {Record<string, any>} spec
 */
function withSpec(workload, spec) {
  const made = { ...workload, spec };
  inheritPosition(made, workload);
  return made;
}
