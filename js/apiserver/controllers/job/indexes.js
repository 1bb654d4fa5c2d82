/**
 * The indexes of an Indexed Job: completed, active and next ones. Counterpart:
 * pkg/controller/job/indexed_job_utils.go, v1.36.
 */

import { COMPLETION_INDEX } from '../../../src/kubernetes/workloads/template_pods.js';

/** @import { KubernetesObject } from '../../../src/kubernetes/types.js' */

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
 * Returns the lowest indexes that are neither completed nor active.
 * @param {{ succeeded: Set<number>, active: KubernetesObject[], completions: number, count:
 *   number }} state
 */
export function pendingIndexes({ succeeded, active, completions, count }) {
  const taken = new Set(active.map(indexOf));
  const pending = [];
  for (let index = 0; index < completions && pending.length < count; index += 1)
    if (!succeeded.has(index) && !taken.has(index)) pending.push(index);
  return pending;
}
