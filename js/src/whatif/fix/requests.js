/** Lowers requests: to the most that is free. */
import { quantityText } from '../../kubernetes/canonical_quantity.js';
import { containerAmounts, isSidecar, podRequests } from '../../kubernetes/pod_requests.js';
import { parseQuantity } from '../../kubernetes/quantity.js';
import { itemsIn } from '../../kubernetes/values.js';
import { ASKS, withSpec } from './edit.js';

/**
 * @import { Culprit } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 * @import { Question } from './question.js'
 */

const NANO = 1_000_000_000n;

/**
 * Returns one edit for each resource that the node lacks; undefined if one of them cannot be
 * lowered, such as the number of pods.
 * @param {Culprit} culprit of NodeResourcesFit
 * @param {KubernetesObject} pod
 * @returns {Edit[] | undefined}
 */
export function lowerRequests({ resources = [] }, pod) {
  const edits = resources.map(({ resource, asked, allocatable, taken }) => {
    const free = (parseQuantity(allocatable) ?? 0n) - (parseQuantity(taken) ?? 0n);
    return lowerTo(pod, { resource, value: free, asked: parseQuantity(asked) ?? 0n });
  });
  return edits.length > 0 && edits.every((edit) => edit !== undefined) ? edits : undefined;
}

/**
 * @param {KubernetesObject} pod
 * @param {{ resource: string, value: bigint, asked: bigint }} to in units of 10^-9
 * @returns {Edit | undefined}
 */
export function lowerTo(pod, to) {
  return to.value < to.asked ? requestOf(pod, to) : undefined;
}

/**
 * Returns the edit that sets what the pod requests of a resource.
 * @param {KubernetesObject} pod
 * @param {{ resource: string, value: bigint, asked: bigint }} to in units of 10^-9
 * @returns {Edit | undefined}
 */
export function requestOf(pod, { resource, value, asked }) {
  if (value <= 0n || !podWith(pod, resource, value)) return undefined;
  const verb = value < asked ? 'lower' : 'raise';
  const [from, text] = [asked, value].map((amount) => textOf(resource, amount));
  return {
    key: `LowerRequest ${resource} ${text}`,
    shape: `LowerRequest ${resource}`,
    kind: 'LowerRequest',
    sentence: `${verb} the pod's request for ${resource} from ${from} to ${text}`,
    asks: ASKS.pod,
    size: Number(((asked - value) * 10_000n) / asked) / 10_000,
    pod: (before) => podWith(before, resource, value) ?? before,
    lowers: { resource, value, asked },
  };
}

/**
 * Raises the lowered requests of a set that places the pod as far as it still does: the engine
 * tries values in between until the next larger one fails.
 * @param {Edit[]} edits
 * @param {Question} question
 * @returns {Promise<Edit[]>}
 */
export async function withLargest(edits, question) {
  let set = edits;
  for (const edit of edits) {
    if (!edit.lowers) continue;
    const { resource, asked } = edit.lowers;
    const unit = unitOf(resource);
    const others = set.filter((each) => each !== edit);
    const fitting = async (/** @type {bigint} */ value) => {
      const larger = lowerTo(question.pod, { resource, asked, value });
      return larger && (await question.try([...others, larger])).node ? larger : undefined;
    };
    const largest = await lastFitting(edit, unit, fitting);
    set = set.map((each) => (each === edit ? largest : each));
  }
  return set;
}

/**
 * @param {Edit} edit one that fits
 * @param {bigint} unit
 * @param {(value: bigint) => Promise<Edit | undefined>} fitting
 * @returns {Promise<Edit>}
 */
async function lastFitting(edit, unit, fitting) {
  let best = edit;
  let [low, high] = [amountOf(edit), edit.lowers?.asked ?? 0n];
  // Almost always the next value fails at once, because `low` is all that is free on a node.
  let value = low + unit;
  while (low + unit < high) {
    const larger = await fitting(value);
    if (larger) {
      best = larger;
      low = value;
    } else {
      high = value;
    }
    value = low + ((high - low) / unit / 2n) * unit;
  }
  return best;
}

/** @param {Edit} edit */
function amountOf({ lowers }) {
  return lowers?.value ?? 0n;
}

/** CPUs are counted in thousandths, all else in whole units. @param {string} resource */
function unitOf(resource) {
  return resource === 'cpu' ? NANO / 1000n : NANO;
}

/** @param {string} resource @param {bigint} value */
function textOf(resource, value) {
  const isBinary = /^(memory|ephemeral-storage|hugepages-.*)$/.test(resource);
  return quantityText(value, isBinary);
}

/**
 * Returns the pod with that much of a resource requested by all of it, each container that runs at
 * the same time in proportion; undefined if that leaves nothing for one of them.
 * @param {KubernetesObject} pod
 * @param {string} resource
 * @param {bigint} value
 * @returns {KubernetesObject | undefined}
 */
function podWith(pod, resource, value) {
  const overhead = parseQuantity(pod.spec.overhead?.[resource] ?? 0) ?? 0n;
  const goal = value - overhead;
  if (goal <= 0n) return undefined;
  const running = runningIn(pod.spec);
  const isRaised = value > (podRequests(pod.spec).get(resource) ?? 0n);
  if (isRaised && running.some((one) => hasLimit(one, resource))) return undefined;
  const unit = unitOf(resource);
  const most = containerAmounts(pod.spec, 'requests').get(resource) || 1n;
  // An init container beside sidecars that take all of the goal would have nothing.
  const share = ((goal * sumOf(running, resource)) / most / unit) * unit;
  for (const room of isRaised ? [goal] : [goal, share]) {
    const changed = withSpec(pod, (spec) => ({
      ...spec,
      ...(spec.resources?.requests?.[resource] !== undefined && {
        resources: lowered(spec.resources, resource, goal),
      }),
      ...containersWith(spec, resource, { goal, room, isRaised }),
    }));
    const isLow = (podRequests(changed.spec).get(resource) ?? 0n) <= value;
    if (isLow && hasAsMany(pod.spec, changed.spec, resource)) return changed;
  }
  return undefined;
}

/** The containers that run all the time, native sidecars last. @param {any} spec */
function runningIn(spec) {
  return [...itemsIn(spec.containers), ...itemsIn(spec.initContainers).filter(isSidecar)];
}

/**
 * Whether no container has lost all of its request.
 * @param {any} before
 * @param {any} after
 * @param {string} resource
 */
function hasAsMany(before, after, resource) {
  const [old, now] = [before, after].map(({ containers, initContainers }) =>
    [...itemsIn(containers), ...itemsIn(initContainers)].map((one) => amountIn(one, resource)),
  );
  return now.every((amount, at) => amount > 0n || old[at] === 0n);
}

/** A request above its limit would be invalid. @param {any} container @param {string} resource */
function hasLimit({ resources }, resource) {
  return resources?.limits?.[resource] !== undefined;
}

/**
 * Returns the containers with other requests: those that run all the time request `room` together,
 * and each init container what the sidecars before it leave of `goal`, at most.
 * @param {any} spec
 * @param {string} resource
 * @param {{ goal: bigint, room: bigint, isRaised: boolean }} to
 */
function containersWith(spec, resource, { goal, room, isRaised }) {
  const running = runningIn(spec);
  const changed = scaled(running, resource, { goal: room, isRaised });
  const count = itemsIn(spec.containers).length;
  const sidecars = changed.slice(count);
  let before = 0n;
  const initContainers = itemsIn(spec.initContainers).map((one) => {
    if (!isSidecar(one)) {
      const most = goal - before;
      return amountIn(one, resource) > most ? withRequest(one, resource, most) : one;
    }
    const sidecar = sidecars.shift();
    before += amountIn(sidecar, resource);
    return sidecar;
  });
  return {
    containers: changed.slice(0, count),
    ...(spec.initContainers && { initContainers }),
  };
}

/**
 * @param {any[]} containers
 * @param {string} resource
 * @param {{ goal: bigint, isRaised: boolean }} to `goal`: of all of them
 */
function scaled(containers, resource, { goal, isRaised }) {
  const amounts = containers.map((one) => amountIn(one, resource));
  const total = sumOf(containers, resource);
  if (total === 0n || (total <= goal && !isRaised)) return containers;
  const unit = unitOf(resource);
  const shares = amounts.map((amount) => ((amount * goal) / total / unit) * unit);
  const rest = goal - shares.reduce((sum, amount) => sum + amount, 0n);
  const largest = amounts.indexOf(amounts.reduce((a, b) => (a > b ? a : b)));
  return containers.map((one, at) =>
    amounts[at] === 0n
      ? one
      : withRequest(one, resource, shares[at] + (at === largest ? rest : 0n)),
  );
}

/** @param {any[]} containers @param {string} resource */
function sumOf(containers, resource) {
  return containers.reduce((sum, one) => sum + amountIn(one, resource), 0n);
}

/** @param {any} container @param {string} resource */
function amountIn(container, resource) {
  return parseQuantity(container?.resources?.requests?.[resource] ?? 0) ?? 0n;
}

/** @param {any} container @param {string} resource @param {bigint} value */
function withRequest(container, resource, value) {
  return { ...container, resources: lowered(container.resources, resource, value) };
}

/**
 * Limits of extended resources and huge pages are equal to the requests.
 * @param {any} resources
 * @param {string} resource
 * @param {bigint} value
 */
function lowered(resources, resource, value) {
  const text = textOf(resource, value);
  const isTied = resource.includes('/') || resource.startsWith('hugepages-');
  return {
    ...resources,
    requests: { ...resources?.requests, [resource]: text },
    ...(isTied &&
      resources?.limits?.[resource] !== undefined && {
        limits: { ...resources.limits, [resource]: text },
      }),
  };
}
