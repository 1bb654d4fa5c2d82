/**
 * The indexes of an Indexed Job: completed, active and next ones. Counterpart:
 * pkg/controller/job/indexed_job_utils.go, v1.36.
 */

import { isPodActive } from './pods.js';
import { COMPLETION_INDEX } from './template_pods.js';

/** @import { KubernetesObject } from '../types.js' */

/** The annotation with the number of failures of a pod's index before that pod. */
const INDEX_FAILURES = 'batch.kubernetes.io/job-index-failure-count';

/** @param {KubernetesObject} job */
export function isIndexed({ spec }) {
  return spec.completionMode === 'Indexed';
}

/**
 * Returns the index of a pod; -1 if it has none.
 * @param {KubernetesObject} pod
 */
export function indexOf({ metadata }) {
  const text = metadata.annotations?.[COMPLETION_INDEX];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : -1;
}

/**
 * Parses `0-2,4`. Indexes from `completions` on are dropped.
 * @param {string | undefined} text
 * @param {number} completions
 * @returns {Set<number>}
 */
export function parseIndexes(text, completions) {
  /** @type {Set<number>} */
  const indexes = new Set();
  for (const range of text ? text.split(',') : []) {
    const [first, last = first] = range.split('-').map(Number);
    for (let index = first; index <= last && index < completions; index += 1) indexes.add(index);
  }
  return indexes;
}

/**
 * Formats `0-2,4`: two adjacent indexes are written separately.
 * @param {Set<number>} indexes
 */
export function formatIndexes(indexes) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === index) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges
    .map(([first, last]) => {
      if (first === last) return String(first);
      return last - first > 1 ? `${first}-${last}` : `${first},${last}`;
    })
    .join(',');
}

/**
 * Returns the lowest indexes that are neither completed, nor failed, nor active.
 * @param {KubernetesObject} job
 * @param {{ succeeded: Set<number>, pods: KubernetesObject[], count: number }} state
 */
export function pendingIndexes(job, { succeeded, pods, count }) {
  const { completions } = job.spec;
  const failed = hasLimitPerIndex(job) ? failedIndexesOf(job, pods) : [];
  const taken = new Set([...succeeded, ...failed, ...pods.filter(isPodActive).map(indexOf)]);
  const pending = [];
  for (let index = 0; index < completions && pending.length < count; index += 1)
    if (!taken.has(index)) pending.push(index);
  return pending;
}

/** @param {KubernetesObject} job */
function hasLimitPerIndex({ spec }) {
  return (spec.backoffLimitPerIndex ?? null) !== null;
}

/**
 * Returns the indexes that failed for good: those of the status, and those of pods that failed as
 * often as an index may. Which failures count is unknown here if the Job has a policy for them.
 * @param {KubernetesObject} job
 * @param {KubernetesObject[]} pods
 */
function failedIndexesOf({ spec, status }, pods) {
  const last = pods.filter((pod) => {
    const failures = Number(pod.metadata.annotations?.[INDEX_FAILURES] ?? 0);
    return (
      !spec.podFailurePolicy &&
      pod.status?.phase === 'Failed' &&
      failures >= spec.backoffLimitPerIndex
    );
  });
  return [...parseIndexes(status?.failedIndexes, spec.completions), ...last.map(indexOf)];
}
