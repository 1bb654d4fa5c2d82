import { schedulerGates } from '../../kubernetes/server_gates.js';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { createApiClient } from '../../client/api_client.js';
import { LeaderElectionLost } from '../../live/leader_election_lost.js';
import { failure, info } from '../../live/log_entry.js';
import { createRequestMetrics } from '../../live/request_metrics.js';
import { releaseOf } from '../../kubernetes/release.js';
import { runScheduler } from '../../live.js';
import { configurationFault, readConfigurationFile } from '../input/configuration.js';
import { connect } from '../input/connection.js';
import { jsonLine, klogLine } from '../../live/klog.js';
import { BadInputError, EXIT } from '../terminal/problems.js';
import { openRecording } from '../input/recording.js';
import { releaseWarning, serverVersion, SERVER } from '../input/server_release.js';

/**
 * @import { LogEntry, OnLog } from '../../live/log_entry.js'
 * @import { RunningScheduler } from '../../live/run_scheduler.js'
 * @import { Host } from '../host.js'
 * @import { RunCommand } from './arguments.js'
 */

/**
 * `stowage run`: schedules the pods of a cluster until it is stopped.
 * @param {RunCommand} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function run(options, host) {
  /** The cleanups, run in reverse order in every case. @type {(() => unknown)[]} */
  const ends = [];
  try {
    return await runUntilStopped(options, host, ends);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/**
 * @param {RunCommand} options
 * @param {Host} host
 * @param {(() => unknown)[]} ends
 */
async function runUntilStopped(options, host, ends) {
  const { schedulerName, kubernetesVersion, featureGates, leaderElection, dryRun, record } =
    options;
  const onLog = logger(options, host);
  const engine = await host.loadEngine();
  const configuration = options.config && (await readConfigurationFile(options.config, host)).bytes;
  const { listen, ...connections } = await host.loadConnections();
  const cluster = await connect(options, host, connections);
  const requestMetrics = createRequestMetrics();
  const { version } = engine;
  const kubernetes = releaseOf(kubernetesVersion);
  const client = createApiClient({
    userAgent: `stowage/${version} kubernetes/${kubernetes}`,
    ...cluster,
    fetch: requestMetrics.counted(cluster.fetch),
  });
  ends.push(() => client.close());
  const asking = new AbortController();
  ends.push(() => asking.abort());
  const recording = record === undefined ? undefined : openRecording(record);
  // The last of all, because it throws on a full disk.
  ends.unshift(() => recording?.close());
  /** @type {RunningScheduler | undefined} */
  let live;
  const server = await serve(async (request) => live?.fetch(request) ?? early(), {
    listen,
    options,
    onLog,
  });
  ends.push(() => server?.close());
  const { signal, release } = host.untilStopped();
  ends.push(release);
  onLog(info(0, 'Starting stowage', { version, kubernetes, server: cluster.baseUrl }));
  serverVersion(client, asking.signal).then((found = kubernetes) => {
    const warning = releaseWarning(SERVER, found, kubernetes);
    if (warning) onLog(info(0, `Warning: ${warning}`));
  });
  live = runScheduler({
    client,
    engine,
    configuration,
    schedulerName,
    kubernetesVersion,
    featureGates: schedulerGates(featureGates, kubernetesVersion),
    leaderElection,
    dryRun,
    requestMetrics,
    signal,
    onLog,
    hostname: hostname(),
    log: recording?.log,
  });
  try {
    await live.done;
  } catch (error) {
    return explain(error, options, onLog);
  }
  onLog(info(0, 'Requested to terminate, exiting'));
  return EXIT.yes;
}

function early() {
  return new Response('the scheduler is being made\n', { status: 503 });
}

/**
 * @param {RunCommand} options
 * @param {Host} host
 * @returns {OnLog}
 */
function logger({ verbosity, loggingFormat, dryRun }, { stderr }) {
  const format = loggingFormat === 'json' ? jsonLine : klogLine;
  const mark = dryRun ? { dryRun } : {};
  return (/** @type {LogEntry} */ entry) => {
    if (entry.severity === 'info' && entry.verbosity > verbosity) return;
    const marked = { ...entry, values: { ...entry.values, ...mark } };
    stderr.write(format(marked, { now: Date.now(), pid: process.pid }));
  };
}

/**
 * @param {(request: Request) => Promise<Response>} handler
 * @param {{ listen: import('../host.js').Connections['listen'], options: RunCommand, onLog: OnLog
 *   }} parts
 */
async function serve(handler, { listen, options, onLog }) {
  const { port, bindAddress: host, tls } = options;
  if (port === 0) return undefined;
  const files = tls && {
    tls: { cert: await readKey(tls.certFile), key: await readKey(tls.keyFile) },
  };
  try {
    const server = await listen(handler, {
      port,
      host,
      ...files,
      onError: (error) => onLog(failure(error, 'A request failed')),
    });
    onLog(info(0, 'Serving health and metrics', { url: server.url }));
    return server;
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const what = `health and metrics cannot be served on ${host}:${port}`;
    throw new BadInputError([`${what}: ${message}; --port 0 is without them`]);
  }
}

/** @param {string} path */
async function readKey(path) {
  try {
    return await readFile(path);
  } catch (error) {
    throw new BadInputError([`${path}: ${/** @type {Error} */ (error).message}`]);
  }
}

/**
 * @param {unknown} error
 * @param {RunCommand} options
 * @param {OnLog} onLog
 * @returns {number} the exit code
 * @throws {unknown} unexpected errors
 */
function explain(error, { config }, onLog) {
  if (error instanceof LeaderElectionLost) return EXIT.no;
  const fault = configurationFault(error, config);
  if (fault instanceof BadInputError) throw fault;
  onLog(failure(error, 'The scheduler has ended'));
  throw error;
}
