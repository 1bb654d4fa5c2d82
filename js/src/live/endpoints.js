/**
 * Serves the health and metrics of a live scheduler. Counterpart: cmd/kube-scheduler/app/server.go,
 * newEndpointsHandler, v1.36.
 */
import { StowageError } from '../kubernetes/errors.js';
import { healthResponse } from './health.js';
import { NumberFamily } from './metric_families.js';
import { METRICS_CONTENT_TYPE, metricsText } from './metrics_text.js';
import { podResourceFamilies } from './pod_resources.js';

/**
 * @import { HealthCheck } from './health.js'
 * @import { LiveScheduler } from './live_scheduler.js'
 * @import { MetricFamily } from './metrics_text.js'
 */

/** How long a leader may outlive its lease, as in kube-scheduler: milliseconds. */
const TOLERABLE_EXPIRED_LEASE = 20_000;

const TEXT = Object.freeze({ 'Content-Type': 'text/plain; charset=utf-8' });

/**
 * @param {LiveScheduler} live
 * @param {{ families(): MetricFamily[] } | undefined} requestMetrics
 * @returns {(request: Request) => Promise<Response>}
 */
export function endpoints(live, requestMetrics) {
  return async (request) => {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD')
      return new Response('Method Not Allowed\n', {
        status: 405,
        headers: { ...TEXT, Allow: 'GET, HEAD' },
      });
    const response = await answer(request, live, requestMetrics);
    return method === 'HEAD' ? new Response(null, response) : response;
  };
}

/**
 * @param {Request} request
 * @param {LiveScheduler} live
 * @param {{ families(): MetricFamily[] } | undefined} requestMetrics
 */
function answer(request, live, requestMetrics) {
  const url = new URL(request.url);
  const [, endpoint] = url.pathname.split('/');
  if (url.pathname === '/metrics') return metrics(() => allFamilies(live, requestMetrics));
  if (url.pathname === '/metrics/resources')
    return metrics(() => resourceFamilies(live, request.signal));
  if (endpoint === 'healthz' || endpoint === 'livez' || endpoint === 'readyz')
    return healthResponse(endpoint, checksOf(endpoint, live), url);
  return new Response('404 page not found\n', { status: 404, headers: TEXT });
}

/**
 * @param {'healthz' | 'livez' | 'readyz'} endpoint
 * @param {LiveScheduler} live
 * @returns {HealthCheck[]}
 */
function checksOf(endpoint, live) {
  const { election, elector, isSynced, isStopping, hasEnded, unsynced } = live.state;
  const leaderElection = {
    name: 'leaderElection',
    check: () => elector?.check(TOLERABLE_EXPIRED_LEASE),
  };
  const elected = election ? [leaderElection] : [];
  const running = {
    name: 'scheduler',
    check: () => (hasEnded ? 'the scheduler has ended' : undefined),
  };
  if (endpoint === 'livez') return [running];
  if (endpoint === 'healthz') return [running, ...elected];
  return [
    running,
    ...elected,
    {
      name: 'informer-sync',
      check: () => {
        if (isSynced) return undefined;
        const resources = unsynced();
        return `${resources.length} informers not synced yet: ${resources.join(' ')}`;
      },
    },
    { name: 'shutdown', check: () => (isStopping ? 'process is shutting down' : undefined) },
    {
      name: 'sched-handler-sync',
      check: () => (isSynced ? undefined : 'handlers are not fully synchronized'),
    },
  ];
}

/**
 * @param {() => Iterable<MetricFamily> | Promise<Iterable<MetricFamily>>} families
 * @returns {Promise<Response>}
 */
async function metrics(families) {
  try {
    const text = metricsText(await families());
    return new Response(text, { headers: { 'Content-Type': METRICS_CONTENT_TYPE } });
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    const status = error.toStatus();
    return Response.json(status, { status: status.code });
  }
}

/**
 * @param {LiveScheduler} live
 * @param {{ families(): MetricFamily[] } | undefined} requestMetrics
 */
function allFamilies(live, requestMetrics) {
  const families = [
    ...engineFamilies(live),
    ...live.state.durations.families(),
    ...electionFamilies(live),
    ...(requestMetrics?.families() ?? []),
  ];
  // The engine's families come first, then those that are measured around it.
  return new Map(families.reverse().map((family) => [family.name, family])).values();
}

/**
 * Of several replicas only the leader reports pod resources.
 * @param {LiveScheduler} live
 * @param {AbortSignal} signal
 */
async function resourceFamilies({ state: { election, elector, pods } }, signal) {
  const isLeader = election === undefined || elector?.isLeader();
  return isLeader ? podResourceFamilies(pods(signal)) : [];
}

/** @param {LiveScheduler} live @returns {MetricFamily[]} */
function engineFamilies({ state: { scheduler } }) {
  return scheduler?.inspect({ metrics: true }).metrics.families ?? [];
}

/** @param {LiveScheduler} live @returns {MetricFamily[]} */
function electionFamilies({ state: { election, elector } }) {
  if (!election) return [];
  const { name } = election.lock;
  const master = new NumberFamily('gauge', {
    name: 'leader_election_master_status',
    help: 'Whether this candidate leads: 1, or 0. By the name of the lease.',
    stability: 'ALPHA',
    labels: ['name'],
  });
  const slow = new NumberFamily('counter', {
    name: 'leader_election_slowpath_total',
    help: 'Number of renewals that had to look at the lease first, by its name.',
    stability: 'ALPHA',
    labels: ['name'],
  });
  master.set([name], elector?.isLeader() ? 1 : 0);
  slow.set([name], elector?.slowPaths ?? 0);
  return [master.family(), slow.family()];
}
