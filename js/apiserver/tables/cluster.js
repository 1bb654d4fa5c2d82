/**
 * Namespaces, budgets, quotas, classes, leases and devices, as kubectl prints them.
 * Counterpart: pkg/printers/internalversion/printers.go, v1.36.
 */
import { itemsIn, own } from '../../src/kubernetes/values.js';
import { age, isDeleted, nameOf } from './cells.js';
import { AGE, NAME, count, flag, text } from './columns.js';

/** @import { Printer } from './columns.js' */

/** @type {Printer} */
const NAMESPACE = {
  columns: [NAME, text('Status', 'Whether it is active.'), AGE],
  cells: (object, now) => [nameOf(object), object.status?.phase ?? '', age(object, now)],
};

/** @type {Printer} */
const RESOURCE_QUOTA = {
  columns: [
    NAME,
    text('Request', 'The usage and the hard limit of requests and counts.'),
    text('Limit', 'The usage and the hard limit of limits.'),
    AGE,
  ],
  cells: (object, now) => {
    const { hard = {}, used = {} } = object.status ?? {};
    const names = Object.keys(hard).sort();
    const line = (/** @type {string[]} */ resources) =>
      resources.map((name) => `${name}: ${own(used, name) ?? '0'}/${hard[name]}`).join(', ');
    const isLimit = (/** @type {string} */ name) => name.startsWith('limits.');
    return [
      nameOf(object),
      line(names.filter((name) => !isLimit(name))),
      line(names.filter(isLimit)),
      age(object, now),
    ];
  },
};

/** @type {Printer} */
const POD_DISRUPTION_BUDGET = {
  columns: [
    NAME,
    text('Min Available', 'How many pods must be available.'),
    text('Max Unavailable', 'How many pods may be unavailable.'),
    count('Allowed Disruptions', 'How many pods may be disrupted now.'),
    AGE,
  ],
  cells: (object, now) => [
    nameOf(object),
    String(object.spec?.minAvailable ?? 'N/A'),
    String(object.spec?.maxUnavailable ?? 'N/A'),
    object.status?.disruptionsAllowed ?? 0,
    age(object, now),
  ],
};

/** @type {Printer} */
const PRIORITY_CLASS = {
  columns: [
    NAME,
    count('Value', 'The priority of its pods.'),
    flag('Global-Default', 'Whether it is that of pods that name none.'),
    AGE,
    text('PreemptionPolicy', 'Whether its pods may preempt others.'),
  ],
  cells: (object, now) => [
    nameOf(object),
    object.value ?? 0,
    object.globalDefault ?? false,
    age(object, now),
    object.preemptionPolicy ?? '',
  ],
};

/** @type {Printer} */
const RUNTIME_CLASS = {
  columns: [NAME, text('Handler', 'The handler that runs the containers.'), AGE],
  cells: (object, now) => [nameOf(object), object.handler ?? '', age(object, now)],
};

/** @type {Printer} */
const LEASE = {
  columns: [NAME, text('Holder', 'Who holds it.'), AGE],
  cells: (object, now) => [nameOf(object), object.spec?.holderIdentity ?? '', age(object, now)],
};

/** @type {Printer} */
const RESOURCE_CLAIM = {
  columns: [NAME, text('State', 'Whether it is allocated, and in use.'), AGE],
  cells: (object, now) => [nameOf(object), claimState(object), age(object, now)],
};

/** @param {any} claim */
function claimState(claim) {
  const { allocation, reservedFor } = claim.status ?? {};
  const states = isDeleted(claim) ? ['deleted'] : [];
  if (allocation) states.push('allocated');
  else if (!isDeleted(claim)) states.push('pending');
  if (allocation && itemsIn(reservedFor).length > 0) states.push('reserved');
  return states.join(',');
}

/** @type {Printer} */
const RESOURCE_SLICE = {
  columns: [
    NAME,
    text('Node', 'Where the devices are.'),
    text('Driver', 'Whose devices they are.'),
    text('Pool', 'To which pool they belong.'),
    AGE,
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.nodeName ?? '',
    object.spec?.driver ?? '',
    object.spec?.pool?.name ?? '',
    age(object, now),
  ],
};

export const CLUSTER_PRINTERS = Object.freeze({
  Lease: LEASE,
  Namespace: NAMESPACE,
  PodDisruptionBudget: POD_DISRUPTION_BUDGET,
  PriorityClass: PRIORITY_CLASS,
  ResourceClaim: RESOURCE_CLAIM,
  ResourceQuota: RESOURCE_QUOTA,
  ResourceSlice: RESOURCE_SLICE,
  RuntimeClass: RUNTIME_CLASS,
});
