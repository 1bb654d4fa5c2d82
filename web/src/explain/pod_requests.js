/** What a pod asks of one resource, as scores count it: what is not asked for may count, too. */
import { parseQuantity } from '../../../js/src/quantity.js';
import { itemsIn } from '../../../js/src/values.js';

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
export function requestOf(spec, name, { missing = 0, hasPodLevel = true } = {}) {
  const unit = name === 'cpu' ? UNITS.milli : UNITS.one;
  const amount = (/** @type {any} */ requests) => parseQuantity(requests?.[name]) ?? 0n;
  const own = (/** @type {any} */ { resources }) =>
    resources?.requests?.[name] === undefined ? BigInt(missing) * unit : amount(resources.requests);
  let total = itemsIn(spec.containers).reduce((sum, one) => sum + own(one), 0n);
  let sidecars = 0n;
  let most = 0n;
  for (const container of itemsIn(spec.initContainers)) {
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) total += own(container);
    if (isSidecar) sidecars += own(container);
    const use = isSidecar ? sidecars : sidecars + own(container);
    if (use > most) most = use;
  }
  if (most > total) total = most;
  const whole = spec.resources?.requests;
  if (hasPodLevel && isPodLevel(name) && whole?.[name] !== undefined) total = amount(whole);
  total += amount(spec.overhead);
  return Number((total + unit - 1n) / unit);
}

/**
 * What a pod on a node counts there for scores that go by what is not asked for, too.
 * @param {any} spec
 * @param {'cpu' | 'memory'} name
 */
export function nonZeroRequestOf(spec, name) {
  const isWhole = Object.keys(spec.resources?.requests ?? {}).some(isPodLevel);
  const isMentioned = [...itemsIn(spec.containers), ...itemsIn(spec.initContainers)].some(
    ({ resources }) => resources?.requests?.[name] !== undefined,
  );
  const missing = isWhole && isMentioned ? 0 : NON_ZERO[name];
  return requestOf(spec, name, { missing });
}

/** @param {string} name */
function isPodLevel(name) {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/**
 * Whether a resource is neither cpu, memory nor ephemeral storage, but counted all the same.
 * @param {string} name
 */
export function isScalar(name) {
  return name.includes('/') || name.startsWith('hugepages-') || name.startsWith('attachable-');
}
