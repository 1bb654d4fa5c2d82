/**
 * What pods ask for, and may use at most, as metrics.
 * Counterparts: pkg/scheduler/metrics/resources and component-helpers/resource (PodRequests,
 * PodLimits), v1.36.
 */
import { parseQuantity } from '../quantity.js';
import { NumberFamily } from './metric_families.js';

/** @import { MetricFamily } from './metrics_text.js' */

/** By the name of the resource, in units of 10^-9. @typedef {Map<string, bigint>} Amounts */

const LABELS = ['namespace', 'pod', 'node', 'scheduler', 'priority', 'resource', 'unit'];

const UNITS = new Map([
  ['cpu', 'cores'],
  ['memory', 'bytes'],
  ['storage', 'bytes'],
  ['ephemeral-storage', 'bytes'],
]);

const HUGE_PAGES = 'hugepages-';
const ATTACHABLE_VOLUMES = 'attachable-volumes-';

/** What quantities are counted in. */
const NANO = 1e9;

/**
 * Those of all pods that have not ended. Nothing is said of amounts of zero.
 * @param {AsyncIterable<any[]>} pages of pods, as the API server has them
 * @returns {Promise<MetricFamily[]>}
 */
export async function podResourceFamilies(pages) {
  const requests = familyOf('kube_pod_resource_request', 'What each pod requests, with overhead.');
  const limits = familyOf('kube_pod_resource_limit', 'The limits of each pod, with overhead.');
  for await (const pods of pages)
    for (const pod of pods) {
      if (hasEnded(pod)) continue;
      record(requests, pod, podRequests(pod.spec));
      record(limits, pod, podLimits(pod.spec));
    }
  return [requests.family(), limits.family()];
}

/** @param {string} name @param {string} help */
function familyOf(name, help) {
  return new NumberFamily('gauge', { name, help, stability: 'STABLE', labels: LABELS });
}

/** One without a node is none that has ended, whatever it says. @param {any} pod */
function hasEnded({ spec, status }) {
  return Boolean(spec.nodeName) && ['Succeeded', 'Failed'].includes(status?.phase);
}

/**
 * @param {NumberFamily} family
 * @param {any} pod
 * @param {Amounts} amounts
 */
function record(family, { metadata, spec }, amounts) {
  const { nodeName = '', schedulerName = '', priority } = spec;
  const { namespace = '', name } = metadata;
  const about = [namespace, name, nodeName, schedulerName, String(priority ?? '')];
  for (const [resource, amount] of amounts)
    if (amount !== 0n) family.set([...about, resource, unitOf(resource)], Number(amount) / NANO);
}

/** @param {string} resource */
function unitOf(resource) {
  if (resource.startsWith(HUGE_PAGES)) return 'bytes';
  return UNITS.get(resource) ?? (resource.startsWith(ATTACHABLE_VOLUMES) ? 'integer' : '');
}

/** @param {any} spec @returns {Amounts} */
function podRequests(spec) {
  const amounts = podAmounts(spec, 'requests');
  add(amounts, amountsOf(spec.overhead));
  return amounts;
}

/**
 * Overhead adds to what is limited; it limits nothing by itself.
 * @param {any} spec
 * @returns {Amounts}
 */
function podLimits(spec) {
  const amounts = podAmounts(spec, 'limits');
  const overhead = [...amountsOf(spec.overhead)].filter(([resource]) => amounts.get(resource));
  add(amounts, new Map(overhead));
  return amounts;
}

/**
 * Of all containers together, or of the init containers where one of those takes more, with the
 * sidecars that run by then; what the pod says of itself goes before that.
 * @param {any} spec
 * @param {'requests' | 'limits'} what
 * @returns {Amounts}
 */
function podAmounts({ containers, initContainers = [], resources }, what) {
  /** @type {Amounts} */
  const total = new Map();
  const sidecars = new Map();
  const most = new Map();
  for (const container of containers) add(total, amountsOf(container.resources?.[what]));
  for (const container of initContainers) {
    const own = amountsOf(container.resources?.[what]);
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) {
      add(total, own);
      add(sidecars, own);
    } else {
      add(own, sidecars);
    }
    raise(most, isSidecar ? sidecars : own);
  }
  raise(total, most);
  for (const [resource, amount] of amountsOf(resources?.[what]))
    if (isOfPods(resource)) total.set(resource, amount);
  return total;
}

/** Whether pods have such a resource, and not only their containers. @param {string} resource */
function isOfPods(resource) {
  return resource === 'cpu' || resource === 'memory' || resource.startsWith(HUGE_PAGES);
}

/**
 * @param {Record<string, unknown>} [quantities]
 * @returns {Amounts}
 */
function amountsOf(quantities = {}) {
  const entries = Object.entries(quantities);
  return new Map(entries.map(([resource, quantity]) => [resource, parseQuantity(quantity) ?? 0n]));
}

/** @param {Amounts} to @param {Amounts} more */
function add(to, more) {
  for (const [resource, amount] of more) to.set(resource, (to.get(resource) ?? 0n) + amount);
}

/** @param {Amounts} to @param {Amounts} others */
function raise(to, others) {
  for (const [resource, amount] of others) {
    const own = to.get(resource);
    if (own === undefined || own < amount) to.set(resource, amount);
  }
}
