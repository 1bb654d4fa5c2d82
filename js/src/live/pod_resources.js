/**
 * Reports the requests and limits of pods as metrics. Counterpart: pkg/scheduler/metrics/resources,
 * v1.36.
 */
import { podLimits, podRequests } from '../kubernetes/pod_requests.js';
import { isPodFinished } from '../kubernetes/workloads/pods.js';
import { NumberFamily } from './metric_families.js';

/**
 * @import { Amounts } from '../kubernetes/pod_requests.js'
 * @import { MetricFamily } from './metrics_text.js'
 */

const LABELS = ['namespace', 'pod', 'node', 'scheduler', 'priority', 'resource', 'unit'];

const UNITS = new Map([
  ['cpu', 'cores'],
  ['memory', 'bytes'],
  ['storage', 'bytes'],
  ['ephemeral-storage', 'bytes'],
]);

const HUGE_PAGES = 'hugepages-';
const ATTACHABLE_VOLUMES = 'attachable-volumes-';

/** Quantities are summed in billionths. */
const NANO = 1e9;

/**
 * Returns the families for all pods that have not ended, without amounts of zero.
 * @param {AsyncIterable<any[]>} pages of pods, as the API server returns them
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

/** A pod without a node has never ended, whatever its phase is. @param {any} pod */
function hasEnded(pod) {
  return Boolean(pod.spec.nodeName) && isPodFinished(pod);
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
