/** Implements the operations of an edge handler's paths. */
import { releaseOf } from '../kubernetes/release.js';
import { failure } from '../kubernetes/status_errors.js';
import { stepsWithin } from '../engine/evaluation_steps.js';
import { conditionalAnswer, jsonAnswer, snapshotHeaders, statusOf } from './answers.js';
import { etagOf } from './etag.js';
import { openApi } from './openapi.js';
import { preScore } from './prescore.js';
import { preScoreQuestion, rankingQuestion, snapshotName } from './questions.js';
import { clusterRanking, rankedCluster } from './ranking.js';
import { bodyBytes, jsonOf } from './request_body.js';
import { inTimeOrTimeout } from './time_limit.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Cluster } from './cluster.js'
 * @import { Clusters, Surroundings } from './clusters.js'
 * @import { RankedCluster, UnrankedCluster } from './documents.js'
 * @import { EdgeSettings } from './edge_options.js'
 * @import { Classified } from './prescore.js'
 */

/**
 * @typedef {Surroundings & { request: Request, name: string, settings: EdgeSettings, clusters:
 *   Clusters }} Asked
 */

/** @typedef {(asked: Asked) => Promise<Response>} Operation */

/**
 * The time limit of an answer; its signal aborts after it.
 * @typedef {{ signal: AbortSignal, msLeft: () => number }} Bounds
 */

/** How long clients may cache the description: seconds. */
const DESCRIPTION_SECONDS = 3600;

/**
 * Errors that concern one cluster only: the pod names an object that it lacks, or its snapshot
 * cannot be loaded.
 */
const OF_ONE_CLUSTER = [422, 503];

/** @type {Operation} */
export async function preScorePod(asked) {
  const { clock } = asked.settings;
  const { pod, cluster: name, limit, detail } = preScoreQuestion(jsonOf(await questionBody(asked)));
  return inTime(asked, async (bounds) => {
    const answer = await asked.clusters.use(name, asked, async (cluster, scheduler) => {
      const evaluation = await evaluated(scheduler, pod, bounds);
      const snapshot = cluster.reference(clock.now());
      const { kubernetesVersion } = scheduler;
      const document = preScore(evaluation, { kubernetesVersion, snapshot, limit, detail });
      return jsonAnswer(document, { headers: headersOf(cluster, asked) });
    });
    if (!answer) throw noSnapshotYet(name);
    return answer;
  });
}

/** @type {Operation} */
export async function rankClusters(asked) {
  const { limits } = asked.settings;
  const body = jsonOf(await questionBody(asked));
  const { pod, clusters } = rankingQuestion(body, limits.rankedClusters);
  return inTime(asked, async (bounds) => {
    /** @type {RankedCluster[]} */
    const ranked = [];
    /** @type {UnrankedCluster[]} */
    const unranked = [];
    /** @type {unknown[]} */
    const errors = [];
    // One cluster after the other: together they may exceed the memory limits.
    for (const name of clusters) {
      bounds.signal.throwIfAborted();
      try {
        ranked.push(await rankedBy(asked, name, pod, bounds));
      } catch (error) {
        const { code = 500, reason = '', message = '' } = statusOf(error);
        if (!OF_ONE_CLUSTER.includes(code)) throw error;
        unranked.push({ name, code, reason, message });
        errors.push(error);
      }
    }
    if (ranked.length === 0) throw errors[0];
    const oldest = Math.max(...ranked.map(({ snapshot }) => snapshot.ageSeconds));
    const headers = { 'Cache-Control': 'no-store', Age: String(oldest) };
    const release = releaseOf(asked.settings.schedulerOptions.kubernetesVersion);
    return jsonAnswer(clusterRanking(ranked, unranked, release), { headers });
  });
}

/** @type {Operation} */
export async function getSnapshot(asked) {
  const { request, settings, clusters } = asked;
  const name = snapshotName(asked.name);
  return inTime(asked, async () => {
    const answer = await clusters.use(name, asked, (cluster) => {
      const now = settings.clock.now();
      const headers = { ...snapshotHeaders(cluster, now), 'Cache-Control': 'no-cache' };
      const document = () => cluster.document(now);
      return conditionalAnswer(request, document, { etag: cluster.etag, headers });
    });
    if (answer) return answer;
    const message = `snapshots "${name}" not found`;
    throw failure(404, 'NotFound', message, { kind: 'snapshots', name });
  });
}

/** @type {Operation} */
export async function putSnapshot(asked) {
  const { request, settings, clusters, env, waitUntil } = asked;
  const { clock, limits } = settings;
  const name = snapshotName(asked.name);
  const { snapshotBytes: limit, timeoutMs } = limits;
  const bytes = await bodyBytes(request, { limit, clock, timeoutMs });
  return inTime(asked, async ({ signal }) => {
    const { cluster, isNew } = await clusters.put(name, bytes, { env, waitUntil, signal });
    return jsonAnswer(cluster.document(clock.now()), {
      status: isNew ? 201 : 200,
      headers: headersOf(cluster, asked),
    });
  });
}

/** @type {Operation} */
export async function serveOpenApi({ request }) {
  const document = openApi();
  const etag = await etagOf(new TextEncoder().encode(JSON.stringify(document)));
  const headers = { 'Cache-Control': `public, max-age=${DESCRIPTION_SECONDS}` };
  return conditionalAnswer(request, () => document, { etag, headers });
}

/**
 * @param {Asked} asked
 * @param {string} name
 * @param {KubernetesObject} pod
 * @param {Bounds} bounds
 * @returns {Promise<RankedCluster>}
 */
async function rankedBy(asked, name, pod, bounds) {
  const { clock } = asked.settings;
  const entry = await asked.clusters.use(name, asked, async (cluster, scheduler) =>
    rankedCluster(await evaluated(scheduler, pod, bounds), cluster.reference(clock.now())),
  );
  if (!entry) throw noSnapshotYet(name);
  return entry;
}

/**
 * @param {Scheduler} scheduler
 * @param {KubernetesObject} pod
 * @param {Bounds} bounds
 */
async function evaluated(scheduler, pod, { signal, msLeft }) {
  const maxSteps = stepsWithin(msLeft());
  const evaluation = await scheduler.evaluateAsync(pod, { classify: true, maxSteps, signal });
  return /** @type {Classified} */ (evaluation);
}

/** @param {Asked} asked */
function questionBody({ request, settings: { clock, limits } }) {
  return bodyBytes(request, { limit: limits.bodyBytes, clock, timeoutMs: limits.timeoutMs });
}

/**
 * @template T
 * @param {Asked} asked
 * @param {(bounds: Bounds) => Promise<T>} make
 */
function inTime({ request, settings: { clock, limits } }, make) {
  const { timeoutMs } = limits;
  const until = clock.now() + timeoutMs;
  const msLeft = () => until - clock.now();
  return inTimeOrTimeout({ clock, timeoutMs, signal: request.signal }, (signal) =>
    make({ signal, msLeft }),
  );
}

/**
 * @param {Cluster} cluster
 * @param {Asked} asked
 */
function headersOf(cluster, { settings: { clock } }) {
  return { ...snapshotHeaders(cluster, clock.now()), 'Cache-Control': 'no-store' };
}

/** @param {string} name */
function noSnapshotYet(name) {
  const message = `there is no snapshot of cluster "${name}" yet`;
  return failure(503, 'ServiceUnavailable', message, { kind: 'snapshots', name });
}
