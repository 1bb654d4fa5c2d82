/**
 * Measures the time of a request to the admission webhook: pods that fit and pods that do not, in
 * turn, in a cluster whose nodes are half full.
 */
import { createAdmissionHandler } from '../../js/src/admission.js';
import { percentile, ratioOf, repeatAsync } from './measure.js';
import { elapsedMs, startTime } from './stopwatch.js';
import { batchesOf, realisticPod, WORKLOADS } from './workloads.js';

/** @typedef {import('../../js/src/index.js').Engine} Engine */

/** Requests of the warm-up, in which the code is compiled. */
const WARM_UP_REQUESTS = 200;

/** Basic pods on each node, of 110. */
const PODS_PER_NODE = 10;

/** One in this many pods requests more than a node has. */
const TOO_LARGE = 4;

/**
 * Sends requests one after the other, as Requests and Responses without a network.
 * @param {Engine} engine
 * @param {{ nodes: number, requests: number, runs: number }} load
 */
export async function measureAdmission(engine, { nodes, requests, runs }) {
  const { node, pod } = WORKLOADS.basic('');
  const bound = (/** @type {number} */ at) => {
    const placed = /** @type {any} */ (pod(at));
    return { ...placed, spec: { ...placed.spec, nodeName: `node-${at % nodes}` } };
  };
  const batches = [...batchesOf(nodes, node), ...batchesOf(nodes * PODS_PER_NODE, bound)];
  const bodies = Array.from({ length: WARM_UP_REQUESTS + requests }, (_, at) =>
    JSON.stringify(reviewOf(at)),
  );
  const { calibration, results } = await repeatAsync(runs, async () => {
    const cluster = engine.createScheduler({ api: 'host', keepObjects: false });
    try {
      for (const batch of batches) cluster.apply(batch, { format: 'lines' });
      const handler = createAdmissionHandler({ cluster, mode: 'deny' });
      const times = [];
      for (const [at, body] of bodies.entries()) times.push(await timeOf(handler, body, at));
      return times.slice(WARM_UP_REQUESTS);
    } finally {
      cluster.dispose();
    }
  });
  const times = results.flat();
  const p50Ms = percentile(times, 50);
  return {
    requests: times.length,
    p50Ms,
    ratio: ratioOf(1000 / p50Ms, calibration),
    p99Ms: percentile(times, 99),
    maxMs: Math.max(...times),
    calibrationMs: calibration * 1000,
  };
}

/**
 * @param {ReturnType<typeof createAdmissionHandler>} handler
 * @param {string} body
 * @param {number} at of the request
 * @returns {Promise<number>} milliseconds
 */
async function timeOf(handler, body, at) {
  const headers = { 'Content-Type': 'application/json' };
  const start = startTime();
  const request = new Request('https://webhook/?timeout=5s', { method: 'POST', headers, body });
  const answer = await (await handler.fetch(request)).json();
  const time = elapsedMs(start);
  const { allowed, auditAnnotations } = answer.response;
  if (!auditAnnotations.fits || allowed !== isSmall(at))
    throw new Error(`request ${at}: ${JSON.stringify(answer)}`);
  return time;
}

/** @param {number} at */
function isSmall(at) {
  return at % TOO_LARGE !== 0;
}

/** @param {number} at */
function reviewOf(at) {
  const { status: _, ...pod } = realisticPod(1_000_000 + at);
  const [container] = pod.spec.containers;
  const requests = { cpu: isSmall(at) ? '100m' : '64', memory: '500Mi' };
  const containers = [{ ...container, resources: { requests } }];
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: `review-${at}`,
      kind: { group: '', version: 'v1', kind: 'Pod' },
      operation: 'CREATE',
      namespace: 'default',
      object: { ...pod, spec: { ...pod.spec, containers } },
    },
  };
}
