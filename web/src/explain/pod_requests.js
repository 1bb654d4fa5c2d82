/** What a pod asks of one resource, as scores count it: what is not asked for may count, too. */
import { isOfPods, podRequests } from '../../../js/src/kubernetes/pod_requests.js';

/** What counts for each container that says nothing of it. */
export const NON_ZERO = Object.freeze({ cpu: 100, memory: 209_715_200 });

/** A quantity counts in billionths. */
const UNITS = Object.freeze({ milli: 1_000_000n, one: 1_000_000_000n });

/**
 * @param {any} spec of the pod
 * @param {string} name of the resource
 * @param {{ missing?: number, hasPodLevel?: boolean }} [options] `missing`: for each container that
 *   does not mention it; `hasPodLevel`: what stands for the pod as a whole goes before that
 * @returns {number} cpu in milli, all else rounded up to integers
 */
export function requestOf(spec, name, { missing = 0, hasPodLevel } = {}) {
  const unit = name === 'cpu' ? UNITS.milli : UNITS.one;
  const amounts = podRequests(spec, {
    missing: new Map(missing > 0 ? [[name, BigInt(missing) * unit]] : []),
    hasPodLevel,
  });
  return Number(((amounts.get(name) ?? 0n) + unit - 1n) / unit);
}

/**
 * What a pod on a node counts there for scores that go by what is not asked for, too.
 * @param {any} spec
 * @param {'cpu' | 'memory'} name
 */
export function nonZeroRequestOf(spec, name) {
  const isWhole = Object.keys(spec.resources?.requests ?? {}).some(isOfPods);
  const isKnown = podRequests(spec).has(name);
  return requestOf(spec, name, { missing: isWhole && isKnown ? 0 : NON_ZERO[name] });
}

/**
 * Whether a resource is neither cpu, memory nor ephemeral storage, but counted all the same.
 * @param {string} name
 */
export function isScalar(name) {
  return name.includes('/') || name.startsWith('hugepages-') || name.startsWith('attachable-');
}
