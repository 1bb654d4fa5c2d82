import { parseInput } from '../../manifests/parse_input.js';
import { positionOf } from '../../manifests/positions.js';
import { CONTROLLERS, createApiServer } from '../../../apiserver/index.js';
import { resourceOf } from '../../kubernetes/kinds.js';
import { InputError, StowageError } from '../../kubernetes/errors.js';
import { releaseOf } from '../../kubernetes/release.js';
import { schedulerGates } from '../../kubernetes/server_gates.js';
import { createApiClient } from '../../client/api_client.js';
import { runScheduler } from '../../live.js';
import { systemClock } from '../../runtimes/system_clock.js';
import { configurationFault, readConfigurationFile } from '../input/configuration.js';
import { DecisionLines, headLine } from './decision_lines.js';
import { readSources } from '../input/inputs.js';
import { klogLine } from '../../live/klog.js';
import { withOriginCheck, isLoopback } from './origin_check.js';
import { hasPlayground, PLAYGROUND_PATH, withPlayground } from './playground.js';
import { BadInputError, EXIT } from '../terminal/problems.js';
import { openRecording } from '../input/recording.js';
import { faultsOfUnknown } from '../input/unknown_objects.js';
import { sampleCluster, sampleNodes } from './sample_cluster.js';
import { counted, say } from '../terminal/terminal.js';
import { RefusedClasses } from '../cluster/refused_classes.js';
import { undecodableIn } from '../cluster/validation.js';

/**
 * @import { Engine } from '../../engine/engine.js'
 * @import { ApiServer } from '../../../apiserver/index.js'
 * @import { Source } from '../input/inputs.js'
 * @import { LogEntry } from '../../live/log_entry.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { EngineRecord } from '../../engine/types.js'
 * @import { Host } from '../host.js'
 * @import { UpCommand } from './arguments.js'
 */

/** After this many problems the rest of the files is skipped. */
const MOST_PROBLEMS = 20;

/**
 * `stowage up`: serves an in-memory cluster for kubectl until it is stopped.
 * @param {UpCommand} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function up(options, host) {
  /** The cleanups, run in reverse order in every case. @type {(() => unknown)[]} */
  const ends = [];
  try {
    return await upUntilStopped(options, host, ends);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/**
 * @param {UpCommand} options
 * @param {Host} host
 * @param {(() => unknown)[]} ends
 */
async function upUntilStopped(options, host, ends) {
  const configuration = options.config && (await readConfigurationFile(options.config, host)).bytes;
  const sources = await readSources(options.files, options, host);
  const engine = await host.loadEngine();
  const gitVersion = reportedVersion(engine, options.kubernetesVersion);
  const server = await createServer(sources, { ...options, gitVersion }, host);
  ends.push(() => server.dispose());
  const stop = host.untilStopped();
  ends.push(stop.release);
  const listener = await serve(server, options, host);
  ends.push(() => listener.close());
  const end = endAfter(options.seconds, stop.signal);
  ends.push(() => end.abort());
  greet(server, listener.url, options, host);
  await showPage(listener.url, options, host);
  const recording = options.record === undefined ? undefined : openRecording(options.record);
  // The last of all, because it throws on a full disk.
  ends.unshift(() => recording?.close());
  await schedule(
    { server, engine, configuration, signal: end.signal, log: recording?.log },
    options,
    host,
  );
  return EXIT.yes;
}

/**
 * Ends the command on a stop signal, or when the time is up.
 * @param {number | undefined} seconds
 * @param {AbortSignal} signal the caller's
 * @returns {AbortController}
 */
function endAfter(seconds, signal) {
  const end = new AbortController();
  const stop = () => end.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const clock = systemClock();
  // A stop signal before that makes the timer unnecessary.
  if (seconds !== undefined)
    clock.sleep(clock.now() + seconds * 1000, end.signal).then(stop, () => {});
  return end;
}

/**
 * Runs a scheduler, which talks to the server as to any other but without a socket.
 * @param {{ server: ApiServer, engine: Engine, configuration: Uint8Array | string | undefined,
 *   signal: AbortSignal, log?: (line: string) => void }} parts
 * @param {UpCommand} options
 * @param {Host} host
 */
async function schedule({ server, engine, configuration, signal, log }, options, host) {
  const { schedulerName, kubernetesVersion, quiet, config } = options;
  const userAgent = `stowage/${engine.version} kubernetes/${releaseOf(kubernetesVersion)}`;
  const client = createApiClient({ baseUrl: 'http://embedded', fetch: server.fetch, userAgent });
  const lines = new DecisionLines();
  const onRecord = (/** @type {EngineRecord} */ record) => {
    const row = quiet ? undefined : lines.of(record);
    if (row) host.stdout.write(row);
  };
  const onLog = (/** @type {LogEntry} */ entry) => {
    if (entry.severity !== 'error') return;
    host.stderr.write(klogLine(entry, { now: Date.now(), pid: process.pid }));
  };
  const parts = { client, engine, configuration, signal, log, onRecord, onLog };
  try {
    const settings = { schedulerName, kubernetesVersion, leaderElection: false };
    const featureGates = schedulerGates(options.featureGates, kubernetesVersion);
    await runScheduler({ ...parts, ...settings, featureGates }).done;
  } catch (error) {
    throw configurationFault(error, config);
  } finally {
    await client.close();
  }
}

/**
 * Creates the server with the objects of the files, or of the sample.
 * @param {Source[]} sources
 * @param {UpCommand & { gitVersion?: string }} options
 * @param {Host} host
 * @returns {Promise<ApiServer>}
 * @throws {BadInputError} with all faults of them
 */
async function createServer(sources, options, host) {
  const { nodes, history, kubelet, quiet, gitVersion, featureGates } = options;
  const added = sources.length > 0 ? sampleNodes(nodes ?? 0) : sampleCluster(nodes);
  const { entries, problems, ignored } = await readObjects(sources, host);
  entries.unshift(...added.map((object) => ({ name: 'the sample', object })));
  const controllers = CONTROLLERS.filter((name) => kubelet || name !== 'kubelet');
  // Another server may have been at this address before: its watchers must not continue from their
  // versions here.
  const resourceVersion = Date.now() * 1000;
  const server = load(entries, problems, (objects) =>
    createApiServer({ objects, controllers, history, resourceVersion, gitVersion, featureGates }),
  );
  if (!quiet)
    for (const [type, times] of ignored)
      say(host.stderr, `ignored: ${times} ${type}, which is not served here`);
  return server;
}

/**
 * An object, with its file.
 * @typedef {{ name: string, object: KubernetesObject }} Entry
 */

/**
 * @param {Source[]} sources
 * @param {Host} host
 */
async function readObjects(sources, host) {
  /** @type {string[]} */
  const problems = [];
  /** The numbers of objects of unserved kinds, by type. @type {Map<string, number>} */
  const ignored = new Map();
  const entries = sources.flatMap(({ name, text }) => {
    const onError = (/** @type {InputError} */ error) =>
      problems.push(problemOf({ name, object: {} }, error));
    return parseInput(text, { onError }).map((object) => ({ name, object }));
  });
  const files = new Map(entries.map(({ name, object }) => [object, name]));
  for (const { error, object } of await faultsOfUnknown([...files.keys()], host))
    problems.push(problemOf({ name: files.get(object) ?? '', object }, error));
  const served = entries.filter(({ object }) => {
    if (resourceOf(object)) return true;
    const type = `${object.kind} (${object.apiVersion})`;
    ignored.set(type, (ignored.get(type) ?? 0) + 1);
    return false;
  });
  return { entries: served, problems, ignored };
}

/**
 * Creates the server with the objects; reports the reason for each object that it refuses.
 * @param {Entry[]} entries
 * @param {string[]} problems of reading them
 * @param {(objects: Iterable<KubernetesObject>) => ApiServer} make
 * @returns {ApiServer}
 * @throws {BadInputError}
 */
function load(entries, problems, make) {
  /** The reasons. @type {Map<Entry, string>} */
  const refused = new Map();
  const refusedClasses = new RefusedClasses();
  for (;;) {
    /** @type {Entry | undefined} */
    let current;
    const objects = function* () {
      for (current of entries) if (!refused.has(current)) yield current.object;
    };
    try {
      const server = make(objects());
      if (problems.length + refused.size === 0) return server;
      server.dispose();
    } catch (error) {
      if (!(error instanceof StowageError) || !current) throw error;
      // The server's answer to what it cannot decode does not name the object or the field.
      const problem = problemOf(current, undecodableIn(current.object) ?? error);
      const { kind, metadata } = current.object;
      refusedClasses.add({ kind, name: metadata?.name }, problem);
      refused.set(current, problem);
      if (problems.length + refused.size < MOST_PROBLEMS) continue;
    }
    // Pods may come before their class.
    const reported = [...refused].filter(
      ([{ object }]) => refusedClasses.reasonOf(object) === undefined,
    );
    throw new BadInputError([...problems, ...reported.map(([, problem]) => problem)]);
  }
}

/**
 * @param {Entry} entry the faulty entry
 * @param {any} error
 */
function problemOf({ name, object }, error) {
  const field = error instanceof InputError ? error.field : error.details?.causes?.[0]?.field;
  const { document, line, column } = positionOf(object, field) ?? error;
  const where = [
    document !== undefined && `document ${document}`,
    line !== undefined && `line ${line}`,
    column !== undefined && `column ${column}`,
  ].filter(Boolean);
  return [name, where.join(', '), error.message].filter(Boolean).join(': ');
}

/**
 * @param {ApiServer} server
 * @param {UpCommand} options
 * @param {Host} host
 */
async function serve({ fetch }, { host: address, port }, host) {
  const { listen } = await host.loadConnections();
  const folder = host.playgroundFolder;
  const own = withOriginCheck(fetch, { host: address });
  const handler = hasPlayground(folder) ? withPlayground(own, folder) : own;
  try {
    return await listen(handler, { host: address, port, webSockets: true });
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    const { code } = /** @type {any} */ (error.cause) ?? {};
    const what = code === 'EADDRINUSE' ? `port ${port} of ${address} is in use` : error.message;
    throw new BadInputError([`${what}; --port takes another, and with 0 one that is free`]);
  }
}

/**
 * Prints the cluster's contents, and how to use it.
 * @param {ApiServer} server
 * @param {string} url
 * @param {UpCommand} options
 * @param {Host} host
 */
function greet({ store }, url, options, host) {
  const { files, host: address, kubernetesVersion, quiet } = options;
  const { stdout, stderr, playgroundFolder } = host;
  if (!isLoopback(address))
    say(stderr, `warning: any client that reaches ${address} can change this cluster`);
  if (quiet) return void stdout.write(`${url}\n`);
  const nodes = store.list('nodes').length;
  const kubectl = `kubectl --server ${url}`;
  const tries = ['get pods', ...(files.length === 0 ? ['scale deployment web --replicas 9'] : [])];
  stdout.write(
    [
      `A cluster of ${counted(nodes, 'node')} is served at ${url}. Try:`,
      '',
      ...tries.map((what) => `  ${kubectl} ${what}`),
      '',
      ...(hasPlayground(playgroundFolder) ? [`See it at ${url}${PLAYGROUND_PATH}`, ''] : []),
      ...(kubernetesVersion === undefined ? [] : [releaseLine(kubernetesVersion), '']),
      'Ctrl-C ends it; nothing is kept. Decisions:',
      '',
      headLine(),
    ].join('\n'),
  );
}

/** @param {string} release */
function releaseLine(release) {
  return (
    `The scheduler is kube-scheduler ${release}, and /version says so; ` +
    `the API is that of ${releaseOf()}.`
  );
}

/**
 * Returns what `/version` says, so that clients find the release that they ask about.
 * @param {Engine} engine
 * @param {string | undefined} release
 * @returns {string | undefined} undefined: the version of the API
 */
function reportedVersion({ releases }, release) {
  if (release === undefined || release === releaseOf()) return undefined;
  // A preview stands for no patch.
  const patch = releases.find(({ version }) => version === release)?.patch;
  return patch ?? release.replace('-', '.0-');
}

/**
 * Opens the page if requested.
 * @param {string} url
 * @param {UpCommand} options
 * @param {Host} host
 */
async function showPage(url, { open }, { openBrowser, playgroundFolder, stderr }) {
  if (!open) return;
  const page = `${url}${PLAYGROUND_PATH}`;
  if (!hasPlayground(playgroundFolder))
    stderr.write('warning: there is no page to open: npm run build:web\n');
  else if (!(await openBrowser(page))) stderr.write(`warning: no browser opens ${page}\n`);
}
