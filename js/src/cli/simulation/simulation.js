/** The shared part of all commands that place the pods of a cluster. */
import { schedulerGates } from '../../kubernetes/server_gates.js';
import { DEFAULT_SCHEDULER, schedulerNamesIn } from '../../kubernetes/pod_defaults.js';
import { foldedKindOf } from '../../manifests/gangs/unfold.js';
import { SETTLING } from '../../whatif/future.js';
import { sayWarnings } from '../cluster/admission.js';
import { applyCluster } from '../cluster/batches.js';
import { readCluster } from '../cluster/cluster.js';
import { configurationFault, readConfigurationFile } from '../input/configuration.js';
import { validationWarnings } from './engine_faults.js';
import { readSources, shown } from '../input/inputs.js';
import { sayLeftAside } from '../cluster/left_aside.js';
import { isLive, listedSources } from '../input/live_cluster.js';
import { hintsOn } from '../outcome/missing.js';
import { manifestNamespace } from '../cluster/namespace.js';
import { BadInputError, Problems } from '../terminal/problems.js';
import { quotaWarnings } from '../cluster/quota.js';
import { releaseWarning, SERVER } from '../input/server_release.js';
import { sortPods } from '../cluster/sorted_pods.js';
import { say } from '../terminal/terminal.js';

/**
 * @import { Engine } from '../../engine/engine.js'
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Decision, SchedulerOptions } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Source } from '../input/inputs.js'
 * @import { Host } from '../host.js'
 * @import { PlacingOptions, ValidationMode } from '../arguments/arguments.js'
 * @import { Progress } from '../terminal/terminal.js'
 */

/**
 * The context of reading; without `problems` unreadable input is thrown.
 * @typedef {{ host: Host, progress: Progress, problems?: Problems }} Surroundings
 */

/**
 * The sources of a cluster besides files. `allowEmpty` false: files without any object are a
 * problem. `saysLeftAside` false: the command names what only other controllers read.
 * `reduced`: what is kept of an object.
 * @typedef {{ recursive: boolean, skipInvalid?: boolean, allowEmpty?: boolean, kubeconfig?: string,
 *   context?: string, namespace?: string, validate?: ValidationMode, quiet?: boolean, strict?:
 *   boolean, kubernetesVersion?: string, featureGates?: Record<string, boolean>, saysLeftAside?:
 *   boolean, reduced?: (object: KubernetesObject) => KubernetesObject }} ClusterOptions
 */

/**
 * Everything that a cluster is read from; without `manifests` the files are the cluster itself.
 * @typedef {{ sources: Source[], manifests?: Source[], namespace:
 *   import('../cluster/namespace.js').ManifestNamespace }} ReadSources
 */

/**
 * A configuration in the engine's form, and the schedulers in it.
 * @typedef {object} Configuration
 * @property {string | undefined} name of its file; undefined for the defaults
 * @property {Uint8Array | string} bytes
 * @property {any} document undefined if it cannot be read, which the engine reports
 * @property {Set<string>} schedulerNames
 */

/**
 * A simulated cluster, and its scheduler.
 * @typedef {object} Simulation
 * @property {Scheduler} scheduler
 * @property {Decision[]} decisions in their order
 * @property {Cluster} cluster before the simulation
 * @property {Set<string>} schedulerNames
 * @property {Engine} engine
 * @property {SchedulerOptions} schedulerOptions
 * @property {{ start: number, applied: number, end: number }} times milliseconds
 */

/** The number of cycles before the progress is shown. */
const CYCLES = 200;

/** Larger sources are announced, because reading them takes time: bytes. */
const LARGE_SOURCE = 1 << 20;

/**
 * Reads the cluster of the files, or with the flags of a live cluster that one first.
 * @param {string[]} files
 * @param {ClusterOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<Cluster>}
 * @throws {BadInputError}
 */
export async function readClusterFiles(files, options, surroundings) {
  const { host, progress, problems } = surroundings;
  const live = await readClusterSources([], options, surroundings);
  const sources = await readSources(files, { ...options, problems }, host);
  const { validate, reduced } = options;
  const namespace = await manifestNamespace(options, host, { isOnly: false });
  const all = [...live, ...sources];
  const reading = { namespace, problems, validate, reduced, ...announcing(progress) };
  const cluster = await withWarnings(readInput(all, reading, options), host);
  requireObjects(files, sources, cluster, options);
  sayWarnings(cluster, host);
  return cluster;
}

/**
 * Reads the cluster of `--cluster`, or the live cluster of the flags.
 * @param {string[]} files
 * @param {ClusterOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<Source[]>}
 * @throws {BadInputError}
 */
export async function readClusterSources(files, options, { host, progress, problems }) {
  if (!isLive(options)) return readSources(files, { ...options, problems }, host);
  const onVersion = (/** @type {string} */ version) => {
    const warning = releaseWarning(SERVER, version, options.kubernetesVersion);
    if (warning) say(host.stderr, `warning: ${warning}`);
  };
  const sources = await listedSources(options, host, { progress, onVersion });
  progress.clear();
  return sources;
}

/**
 * Reads files as `readClusterFiles`. With `--cluster` or a live cluster, they are manifests that
 * are checked against it.
 * @param {ClusterOptions & { files: string[], cluster: string[] }} options
 * @param {Surroundings} surroundings
 * @returns {Promise<Cluster>}
 * @throws {UsageError | BadInputError}
 */
export async function readManifests(options, surroundings) {
  return clusterFrom(await readAllSources(options, surroundings), options, surroundings);
}

/**
 * Reads the bytes of `readManifests`.
 * @param {ClusterOptions & { files: string[], cluster: string[] }} options
 * @param {Surroundings} surroundings
 * @returns {Promise<ReadSources>}
 * @throws {UsageError | BadInputError}
 */
export async function readAllSources(options, surroundings) {
  const { host, problems } = surroundings;
  const { files, cluster } = options;
  const isAlone = cluster.length === 0 && !isLive(options);
  const sources = isAlone ? [] : await readClusterSources(cluster, options, surroundings);
  if (!isAlone && sources.length === 0)
    throw new BadInputError([`${cluster.map(shown).join(', ')}: no cluster can be read there`]);
  const read = await readSources(files, { ...options, problems }, host);
  const namespace = await manifestNamespace(options, host, { isOnly: !isAlone });
  return isAlone ? { sources: read, namespace } : { sources, manifests: read, namespace };
}

/**
 * Returns the cluster in sources.
 * @param {ReadSources} read
 * @param {ClusterOptions & { files: string[] }} options
 * @param {Surroundings} surroundings
 * @returns {Promise<Cluster>}
 * @throws {BadInputError}
 */
export async function clusterFrom({ sources, manifests, namespace }, options, surroundings) {
  const { host, progress, problems } = surroundings;
  const { files, validate, saysLeftAside = true } = options;
  const reading = { manifests, namespace, problems, validate, ...announcing(progress) };
  const cluster = await withWarnings(readInput(sources, reading, options), host);
  requireObjects(files, manifests ?? sources, cluster, options);
  sayWarnings(cluster, host);
  const isUnfolded = (/** @type {KubernetesObject} */ object) =>
    manifests !== undefined && foldedKindOf(object) !== undefined;
  const written = cluster.added.map(({ object }) => object);
  if (saysLeftAside)
    sayLeftAside(
      written.filter((object) => !isUnfolded(object)),
      options,
      host,
    );
  return cluster;
}

/**
 * Reads a cluster as `readCluster`; its errors include hints about missing input.
 * @param {Source[]} sources
 * @param {NonNullable<Parameters<typeof readCluster>[1]>} reading
 * @param {{ quiet?: boolean, strict?: boolean, kubernetesVersion?: string, featureGates?:
 *   Record<string, boolean> }} options
 * @returns {Cluster}
 * @throws {BadInputError} with all unreadable input, unless the `problems` of `reading` collect it
 */
export function readInput(sources, reading, options) {
  const problems = reading.problems ?? new Problems();
  const { kubernetesVersion, featureGates } = options;
  const found = readCluster(sources, { ...reading, problems, kubernetesVersion, featureGates });
  const warnings = [...found.releases].flatMap(
    ([source, version]) => releaseWarning(source, version, kubernetesVersion) ?? [],
  );
  const cluster = { ...found, warnings: [...warnings, ...found.warnings] };
  if (reading.problems) return cluster;
  if (problems.all.length > 0) problems.throwAny(hintsOn(cluster, cluster.unclassed, options));
  return { ...cluster, problems: undefined };
}

/**
 * Adds the faults of validation to a cluster's warnings, and the quotas that would refuse the added
 * objects.
 * @param {Cluster} cluster
 * @param {Host} host
 * @returns {Promise<Cluster>}
 */
async function withWarnings(cluster, host) {
  const faults = await validationWarnings(cluster.validation, () => cluster, host);
  const overQuota = quotaWarnings(cluster.read, cluster.added, cluster);
  return { ...cluster, warnings: [...faults, ...cluster.warnings, ...overQuota] };
}

/**
 * Rejects sources without any object, because the result would answer nothing.
 * @param {string[]} names
 * @param {Source[]} sources the sources read
 * @param {Cluster} cluster the cluster that they became part of
 * @param {ClusterOptions} options
 * @throws {BadInputError} unless the cluster's `problems` collect it
 */
function requireObjects(names, sources, { empty, problems }, { allowEmpty = true }) {
  const found = problems ?? new Problems();
  const isEmpty = sources.every((source) => empty.has(source));
  if (allowEmpty || names.length === 0 || !isEmpty || found.all.length > 0) return;
  const message = 'there is no object in it; --allow-empty takes that';
  for (const name of names) found.add({ source: shown(name), code: 'NoObject', message });
  if (!problems) found.throwAny();
}

/**
 * Returns a function that announces large sources.
 * @param {Progress} progress
 * @returns {{ onSource: (source: import('../input/inputs.js').Source) => void }}
 */
export function announcing(progress) {
  return {
    onSource: ({ name, bytes }) => {
      if (bytes.byteLength > LARGE_SOURCE) progress.announce(`reading ${name}`);
    },
  };
}

/**
 * @param {{ config?: string, schedulerName?: string }} options
 * @param {Host} host
 * @returns {Promise<Configuration>}
 * @throws {BadInputError}
 */
export async function readConfiguration({ config, schedulerName }, host) {
  if (config !== undefined) {
    const { bytes, document } = await readConfigurationFile(config, host);
    return { name: config, bytes, document, schedulerNames: schedulerNamesIn(document) };
  }
  const profiles = schedulerName === undefined ? undefined : [{ schedulerName }];
  const document = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles,
  };
  return {
    name: undefined,
    bytes: profiles ? JSON.stringify(document) : '',
    document,
    schedulerNames: new Set([schedulerName ?? DEFAULT_SCHEDULER]),
  };
}

/**
 * @param {Cluster} cluster
 * @param {Configuration} configuration
 * @param {PlacingOptions} options
 * @returns {SchedulerOptions}
 */
export function schedulerOptionsOf(cluster, configuration, options) {
  return {
    configuration: configuration.bytes,
    kubernetesVersion: options.kubernetesVersion,
    featureGates: schedulerGates(options.featureGates, options.kubernetesVersion),
    tieBreak: options.tieBreak,
    seed: options.seed,
    simulate: { volumes: options.volumes === 'simulate' },
    startTime: cluster.startTime,
    keepObjects: false,
  };
}

/**
 * @param {Engine} engine
 * @param {SchedulerOptions} schedulerOptions
 * @param {Configuration} configuration
 * @returns {Scheduler}
 * @throws {BadInputError} with the name of the configuration's file
 */
export function createScheduler(engine, schedulerOptions, { name }) {
  try {
    return engine.createScheduler(schedulerOptions);
  } catch (error) {
    throw configurationFault(error, name);
  }
}

/**
 * Decides on the pending pods of a cluster, and passes the result on while the scheduler exists.
 * @template T
 * @param {{ engine: Engine, cluster: Cluster, configuration: Configuration, options:
 *   PlacingOptions, progress: Progress, log?: SchedulerOptions['log'], keepObjects?: boolean }}
 *   parts `keepObjects`: whether the scheduler keeps objects; default false
 * @param {(simulation: Simulation) => T | Promise<T>} use
 * @returns {Promise<T>}
 * @throws {BadInputError}
 */
export async function placePods(parts, use) {
  const { engine, cluster, configuration, options, progress, log, keepObjects = false } = parts;
  const { schedulerNames } = configuration;
  const schedulerOptions = {
    ...schedulerOptionsOf(cluster, configuration, options),
    keepObjects,
  };
  const scheduler = createScheduler(engine, { ...schedulerOptions, log }, configuration);
  try {
    const waiting = sortPods(cluster.pods, schedulerNames).pending.length;
    const times = { start: performance.now(), applied: 0, end: 0 };
    applyCluster(scheduler, cluster, (done, total) => progress.update('reading', done, total));
    times.applied = performance.now();
    /** @type {Decision[]} */
    const decisions = [];
    await runAll(scheduler, cluster, (decision) => {
      decisions.push(decision);
      progress.update('placing', decisions.length, waiting);
    });
    times.end = performance.now();
    return await use({
      scheduler,
      decisions,
      cluster,
      schedulerNames,
      engine,
      schedulerOptions,
      times,
    });
  } finally {
    scheduler.dispose();
  }
}

/**
 * Runs the scheduler until no pod moves any more.
 * @param {Scheduler} scheduler with the cluster
 * @param {Cluster} cluster
 * @param {(decision: Decision) => void} each
 */
export async function runAll(scheduler, { startTime }, each) {
  const until = startTime + SETTLING;
  for (;;) {
    const some = await scheduler.schedule({ maxAttempts: CYCLES, until });
    if (some.length === 0) return;
    some.forEach(each);
  }
}
