/**
 * The indexes of an Indexed Job: who is done, and who is next.
 * Counterpart: pkg/controller/job/indexed_job_utils.go, v1.36.
 */

import { COMPLETION_INDEX } from '../../../src/kubernetes/workloads/template_pods.js';

/** @import { KubernetesObject } from '../../../src/kubernetes/types.js' */

/** @param {KubernetesObject} job */
export function isIndexed({ spec }) {
  return spec.completionMode === 'Indexed';
}

/**
 * The index of a pod; -1 when it has none.
 * @param {KubernetesObject} pod
 */
export function indexOf({ metadata }) {
  const text = metadata.annotations?.[COMPLETION_INDEX];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : -1;
}

/**
 * Reads `0-2,4`. What is not below `completions` is left out.
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
 * Writes `0-2,4`: ranges of two are written as two.
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
 * The lowest indexes that are neither done nor worked on.
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
