import { virtualClock } from '../clock.js';
import { ConfigurationError } from '../errors.js';
import { attemptsIn } from '../turn.js';
import { applyCluster, readCluster } from './cluster.js';
import { readConfigurationFile } from './configuration.js';
import { formatMatrix } from './explain.js';
import { readSources } from './inputs.js';
import { isSettled, outcomeOf, podsNamed, sortPods } from './outcome.js';
import { BadInputError, EXIT, UsageError } from './problems.js';
import { openRecording } from './recording.js';
import { formatOutcome, leftAloneLines, summaryLine, warningLines } from './report.js';
import { painter, Progress } from './terminal.js';

/**
 * @import { Engine } from '../engine.js'
 * @import { Scheduler } from '../scheduler.js'
 * @import { Decision, Evaluation, SchedulerOptions } from '../types.js'
 * @import { SimulateOptions } from './arguments.js'
 * @import { Cluster } from './cluster.js'
 * @import { Host } from './main.js'
 * @import { Outcome } from './outcome.js'
 */

/** How many cycles run before the progress is shown. */
const CYCLES = 200;

/**
 * How long the simulated time goes on, so that pods which wait out a backoff are tried again; less
 * than the five minutes after which kube-scheduler tries every pod again. Milliseconds.
 */
const SETTLING = 240_000;

/** Sources of more bytes are announced, as reading them takes a while. */
const LARGE_SOURCE = 1 << 20;

/**
 * `stowage simulate`: places the pending pods of a cluster and reports on each.
 * @param {SimulateOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function simulate(options, host) {
  const progress = new Progress(host.stderr, options);
  try {
    return await placeAndReport(options, host, progress);
  } finally {
    progress.clear();
  }
}

/**
 * @param {SimulateOptions} options
 * @param {Host} host
 * @param {Progress} progress
 */
async function placeAndReport(options, host, progress) {
  const configuration = await readConfiguration(options, host);
  const cluster = readCluster(await readSources(options.files, options, host), {
    onSource: ({ name, bytes }) => {
      if (bytes.byteLength > LARGE_SOURCE) progress.announce(`reading ${name}`);
    },
  });
  const { schedulerNames } = configuration;
  const { explain, namespace } = options;
  const explained = explain && podToExplain(explain, { cluster, namespace, schedulerNames });
  const engine = await host.loadEngine();
  const schedulerOptions = {
    configuration: configuration.bytes,
    featureGates: options.featureGates,
    tieBreak: options.tieBreak,
    seed: options.seed,
    simulate: { volumes: options.volumes === 'simulate' },
    startTime: cluster.startTime,
  };
  const recording = options.record === undefined ? undefined : openRecording(options.record);
  const logged = { ...schedulerOptions, log: recording?.log };
  const scheduler = createScheduler(engine, logged, options);
  try {
    const waiting = sortPods(cluster.pods, schedulerNames).pending.length;
    const times = { start: performance.now(), applied: 0, end: 0 };
    applyCluster(scheduler, cluster, (done, total) => progress.update('reading', done, total));
    times.applied = performance.now();
    const decisions = await runAll(scheduler, cluster, (done) =>
      progress.update('placing', done, waiting),
    );
    times.end = performance.now();
    const { assumed } = scheduler.inspect();
    const outcome = outcomeOf(cluster, decisions, { schedulerNames, namespace, assumed });
    const run = {
      scheduler,
      decisions,
      cluster,
      engine,
      schedulerOptions,
      allPlugins: options.allPlugins,
    };
    const evaluation = explained ? await explainPod(explained, run) : undefined;
    progress.clear();
    const { kubernetesVersion } = engine;
    print({ outcome, decisions, evaluation, cluster, kubernetesVersion, times }, options, host);
    return isSettled(outcome) ? EXIT.yes : EXIT.no;
  } finally {
    scheduler.dispose();
    recording?.close();
  }
}

/**
 * @param {SimulateOptions} options
 * @param {Host} host
 * @returns {Promise<{ bytes: Uint8Array | string, schedulerNames: Set<string> }>}
 */
async function readConfiguration({ config, schedulerName }, host) {
  if (config === undefined) {
    const profiles = schedulerName === undefined ? undefined : [{ schedulerName }];
    const document = {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      profiles,
    };
    return {
      bytes: profiles ? JSON.stringify(document) : '',
      schedulerNames: new Set([schedulerName ?? 'default-scheduler']),
    };
  }
  const { bytes, document } = await readConfigurationFile(config, host);
  return { bytes, schedulerNames: schedulerNamesIn(document) };
}

/** @param {any} configuration */
function schedulerNamesIn(configuration) {
  const profiles =
    Array.isArray(configuration?.profiles) && configuration.profiles.length > 0
      ? configuration.profiles
      : [{}];
  return new Set(
    profiles.map((/** @type {any} */ profile) =>
      String(profile?.schedulerName ?? 'default-scheduler'),
    ),
  );
}

/**
 * @param {Engine} engine
 * @param {SchedulerOptions} schedulerOptions
 * @param {SimulateOptions} options
 */
function createScheduler(engine, schedulerOptions, { config }) {
  try {
    return engine.createScheduler(schedulerOptions);
  } catch (error) {
    if (error instanceof ConfigurationError && config !== undefined)
      throw new BadInputError([`${config}: ${error.message}`]);
    throw error;
  }
}

/**
 * @param {Scheduler} scheduler
 * @param {Cluster} cluster
 * @param {(done: number) => void} progress
 * @returns {Promise<Decision[]>}
 */
async function runAll(scheduler, { startTime }, progress) {
  const until = startTime + SETTLING;
  /** @type {Decision[]} */
  const decisions = [];
  for (;;) {
    const some = await scheduler.schedule({ maxAttempts: CYCLES, until });
    if (some.length === 0) return decisions;
    for (const decision of some) decisions.push(decision);
    progress(decisions.length);
  }
}

/**
 * The pod that is to be explained.
 * @param {string} text as the user named it
 * @param {{ cluster: Cluster, namespace?: string, schedulerNames: Set<string> }} simulation
 * @returns {string}
 * @throws {UsageError} when it is not there, or cannot be explained
 */
function podToExplain(text, { cluster, namespace, schedulerNames }) {
  const found = podsNamed(text, cluster, namespace);
  if (found.length === 0) {
    const where = namespace === undefined ? 'the input' : `namespace ${namespace}`;
    throw new UsageError(`--explain: there is no pod ${text} in ${where}`);
  }
  if (found.length > 1) throw new UsageError(`--explain: ${text} may be ${found.join(' or ')}`);
  const [pod] = found;
  if (namespace !== undefined && !pod.startsWith(`${namespace}/`))
    throw new UsageError(`--explain: pod ${pod} is not in namespace ${namespace}`);
  const { schedulerName = 'default-scheduler' } = cluster.pods.get(pod)?.spec ?? {};
  if (schedulerNames.has(schedulerName)) return pod;
  const ours = [...schedulerNames].join(', ');
  throw new UsageError(
    `--explain: pod ${pod} is for the scheduler ${schedulerName}, this one is ${ours}`,
  );
}

/**
 * The evaluation of a pod in the cluster as it was when its last decision was made: a second
 * scheduler goes the same way up to there, with all that happened besides. A pod that was evicted
 * without one is asked about before it had to go, others without one at the end.
 * @param {string} pod
 * @param {{ scheduler: Scheduler, decisions: Decision[], cluster: Cluster, engine: Engine,
 *   schedulerOptions: SchedulerOptions, allPlugins: boolean }} run
 * @returns {Promise<Evaluation>}
 */
async function explainPod(
  pod,
  { scheduler, decisions, cluster, engine, schedulerOptions, allPlugins },
) {
  const question = /** @type {const} */ ({ detail: 'table', everyNode: true, allPlugins });
  const decided = decisions.findLastIndex((decision) => decision.pod === pod);
  const evicted = decisions.findIndex(({ preemption }) => preemption?.victims?.includes(pod));
  const before = decided < 0 ? evicted : decided;
  if (before < 0) return scheduler.evaluateAsync(pod, question);
  const clock = virtualClock(cluster.startTime);
  const second = engine.createScheduler({ ...schedulerOptions, clock });
  try {
    applyCluster(second, { ...cluster, ignoredKinds: new Map() });
    const maxAttempts = attemptsIn(decisions.slice(0, before));
    await second.schedule({ maxAttempts, until: cluster.startTime + SETTLING });
    passTime(second, clock, Date.parse(decisions[before].at));
    return await second.evaluateAsync(pod, question);
  } finally {
    second.dispose();
  }
}

/**
 * Lets volumes be bound and timers fire, without a further decision.
 * @param {Scheduler} scheduler
 * @param {ReturnType<typeof virtualClock>} clock
 * @param {number} until
 */
function passTime(scheduler, clock, until) {
  for (;;) {
    const { nextDeadline } = scheduler.run({ maxCycles: 0 });
    if (nextDeadline === null || !(nextDeadline <= until)) return;
    clock.advanceTo(nextDeadline);
  }
}

/**
 * Results go to standard output, all about them to standard error.
 * @param {{ outcome: Outcome, decisions: Decision[], evaluation?: Evaluation, cluster: Cluster,
 *   kubernetesVersion: string, times: { start: number, applied: number, end: number } }} run
 * @param {SimulateOptions} options
 * @param {Host} host
 */
function print(run, options, host) {
  const { outcome, decisions, evaluation, cluster, kubernetesVersion, times } = run;
  const paint = painter(options.color, host);
  const say = (/** @type {string} */ line) => host.stderr.write(`${line}\n`);
  const isTable = options.output === 'table' || options.output === 'wide';
  if (evaluation && isTable) printExplanation(evaluation, run, options, host);
  else
    host.stdout.write(
      formatOutcome(outcome, { decisions, kubernetesVersion, evaluation }, { ...options, paint }),
    );
  warningLines(outcome).forEach(say);
  if (options.quiet) return;
  ignoredLines(cluster.ignoredKinds, options.verbose).forEach(say);
  leftAloneLines(outcome.leftAlone).forEach(say);
  if (options.speed) say(speedLine(run));
  if (outcome.pods.length === 0)
    say(
      options.namespace === undefined
        ? 'no pending pods'
        : `no pending pods in namespace ${options.namespace}`,
    );
  say(summaryLine(outcome.summary, { kubernetesVersion, elapsedMs: times.end - times.start }));
}

/**
 * @param {Evaluation} evaluation
 * @param {{ outcome: Outcome, cluster: Cluster }} run
 * @param {SimulateOptions} options
 * @param {Host} host
 */
function printExplanation(evaluation, { outcome, cluster }, options, host) {
  const paint = painter(options.color, host);
  const nodes = cluster.batches.flatMap(({ objects }) =>
    objects.filter(({ kind }) => kind === 'Node').map(({ metadata }) => metadata.name),
  );
  const { text, omitted } = formatMatrix(evaluation, [...new Set(nodes)], { ...options, paint });
  const fate = outcome.pods.find(({ pod }) => pod === evaluation.pod);
  const node = fate?.node ?? evaluation.node;
  const where = fate?.result === 'Evicted' ? 'from' : 'on';
  const title = fate
    ? `${fate.result}${node ? ` ${where} ${node}` : ''}`
    : `would be on ${node ?? 'no node'}`;
  host.stdout.write(`${paint(evaluation.pod, 'bold')}: ${title}\n`);
  if (fate?.message) host.stdout.write(`${fate.message}\n`);
  host.stdout.write(`\n${text}`);
  if (omitted > 0) host.stderr.write(`${omitted} more nodes; --limit 0 shows all\n`);
}

/**
 * @param {Map<string, number>} types how many objects of each
 * @param {boolean} isEach whether each type has a line
 */
function ignoredLines(types, isEach) {
  const lines = [...types].map(
    ([type, count]) => `ignored: ${count} ${type}, which the scheduler does not read`,
  );
  if (isEach || types.size === 0) return lines;
  const count = [...types.values()].reduce((sum, number) => sum + number, 0);
  const objects = count === 1 ? '1 object' : `${count} objects`;
  const kinds = types.size === 1 ? '1 kind' : `${types.size} kinds`;
  return [`ignored: ${objects} of ${kinds} that the scheduler does not read (-v names them)`];
}

/**
 * @param {{ decisions: Decision[], cluster: Cluster, times: { start: number, applied: number, end:
 *   number } }} run
 */
function speedLine({ decisions, cluster, times }) {
  const objects = cluster.batches.reduce((sum, batch) => sum + batch.objects.length, 0);
  const placing = Math.max(0.001, times.end - times.applied);
  const perSecond = Math.round((decisions.length / placing) * 1000).toLocaleString('en-US');
  const placed = `${decisions.length} decisions in ${placing.toFixed(1)} ms, ${perSecond}/s`;
  return `${placed}; ${objects} objects decoded in ${(times.applied - times.start).toFixed(1)} ms`;
}
