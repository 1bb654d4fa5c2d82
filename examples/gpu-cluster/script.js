/** Prints the node and the devices of each pod, or why it has none. Usage: `node script.js`. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createScheduler } from 'stowage';
import { parse } from 'stowage/manifests';

const FILES = ['a100-1', 'h100-1', 'flex-1', 'classes', 'templates', 'pods'];

/**
 * Places the pods of the manifests beside this file.
 *
 * @param {import('stowage').Scheduler} scheduler
 * @returns {Promise<string[]>} a line for each pod
 */
export async function placeWorkloads(scheduler) {
  for (const file of FILES) {
    const text = await readFile(new URL(`${file}.yaml`, import.meta.url), 'utf8');
    scheduler.apply(parse(text));
  }
  // The first decision of a pod is that it waits for its claim.
  const last = new Map();
  for (const decision of await scheduler.schedule()) last.set(decision.pod, decision);
  return [...last.values()].map(({ pod, node, message }) =>
    node ? `${pod}  ${node}  ${devicesOf(scheduler, pod)}` : `${pod}  ${message}`,
  );
}

/**
 * The devices of a pod's claims, after the names of their requests.
 *
 * @param {import('stowage').Scheduler} scheduler
 * @param {string} pod
 */
function devicesOf(scheduler, pod) {
  const statuses = scheduler.get('Pod', pod)?.status?.resourceClaimStatuses ?? [];
  const [namespace] = pod.split('/');
  const results = statuses.flatMap((/** @type {any} */ { resourceClaimName }) => {
    const claim = scheduler.get('ResourceClaim', `${namespace}/${resourceClaimName}`);
    return claim?.status?.allocation?.devices.results ?? [];
  });
  return results
    .map((/** @type {any} */ { request, device }) => `${request}: ${device}`)
    .join(', ');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const scheduler = await createScheduler();
  for (const line of await placeWorkloads(scheduler)) console.log(line);
  scheduler.dispose();
}
