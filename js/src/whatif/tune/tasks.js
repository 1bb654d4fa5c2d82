/** Tries configurations on a trace, each in a scheduler of its own. */
import { podKeyOf } from '../../kubernetes/keys.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';
import { pause } from '../../runtimes/pause.js';
import { badArgument } from '../arguments.js';
import { onFork } from '../on_fork.js';
import { amountsOf } from '../plan/shapes.js';
import { byScore, FreeRoom } from './score.js';
import { MOST_TRIALS } from './trials.js';

/**
 * @import { Engine } from '../../engine/engine.js'
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { SchedulerOptions } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Amounts } from '../plan/shapes.js'
 * @import { Requests, TuneScore } from './score.js'
 * @import { TuneTrial } from './trials.js'
 */

/**
 * @typedef {object} TuneQuestion
 * @property {KubernetesObject[]} trace pods in the order of their arrival
 * @property {TuneTrial[]} trials the first one is the configuration to improve
 */

/**
 * How a configuration did on the first part of the trace. `holdOut`, on the rest, and
 * `configuration` are there if it did better than the first configuration.
 * @typedef {{ task: number, name: string, train: TuneScore, holdOut?: TuneScore, configuration?:
 *   KubernetesObject }} TrialReport
 */

/**
 * What all trials have in common. `baseline`: the first configuration.
 * @typedef {{ kubernetesVersion: string, tasks: number, baseline: { name: string, train:
 *   TuneScore, holdOut: TuneScore, configuration: KubernetesObject } }} TuneHead
 */

/**
 * @typedef {object} TuneTasksOptions
 * @property {Engine} engine
 * @property {SchedulerOptions} [schedulerOptions] those that all trials have
 * @property {number} [holdOut] the share at the end of the trace that is kept for the last
 *   comparison; default 0.3
 * @property {AbortSignal} [signal]
 */

const HOLD_OUT = 0.3;

/** The number of cycles between two looks at the signal. */
const CYCLES = 256;

/**
 * A part of the trace. `objects`: the cluster and the pods. `commands`: JSON lines that try each
 * pod once. `amounts`: what each pod requests. `reader`: a scheduler that has read the objects for
 * all others.
 * @typedef {{ objects: KubernetesObject[], commands: Uint8Array, amounts: Map<string, Amounts>,
 *   requests: Requests[], reader?: Scheduler }} Part
 */

/** The trials as tasks, which depend on nothing but the cluster, the trace and their index. */
export class TuneTasks {
  #trials;
  #options;
  #room;
  #parts;
  /** @type {TuneHead | undefined} */
  #head;

  /**
   * @param {TuneTrial[]} trials
   * @param {TuneTasksOptions} options
   * @param {{ room: FreeRoom, train: Part, holdOut: Part }} input
   */
  constructor(trials, options, { room, ...parts }) {
    this.#trials = trials;
    this.#options = options;
    this.#room = room;
    this.#parts = parts;
  }

  /**
   * Tries the first configuration on both parts of the trace. The caller disposes of the tasks.
   * @param {Scheduler} scheduler with the cluster
   * @param {TuneQuestion} question
   * @param {TuneTasksOptions} options
   * @returns {Promise<TuneTasks>}
   * @throws {import('../../kubernetes/errors.js').InputError} if the question cannot be asked
   * @throws {import('../../kubernetes/errors.js').ConfigurationError}
   * @throws the signal's reason
   */
  static async open(scheduler, { trace, trials }, options) {
    const { holdOut = HOLD_OUT, signal } = options;
    checkQuestion(trace, trials, holdOut);
    const count = trace.length - Math.max(1, Math.round(trace.length * holdOut));
    const cluster = scheduler.snapshot().items;
    const room = FreeRoom.of(scheduler);
    const pods = await arriving(scheduler, trace);
    const train = partOf(cluster, pods.slice(0, count));
    const tasks = new TuneTasks(trials, options, {
      room,
      train,
      holdOut: partOf(cluster, pods.slice(count)),
    });
    try {
      await tasks.#begin(scheduler.kubernetesVersion, signal);
    } catch (error) {
      tasks.dispose();
      throw error;
    }
    return tasks;
  }

  /**
   * @param {string} kubernetesVersion
   * @param {AbortSignal} [signal]
   */
  async #begin(kubernetesVersion, signal) {
    const { train, holdOut } = this.#parts;
    const [{ name, configuration }] = this.#trials;
    if (this.#canShare) for (const part of [train, holdOut]) part.reader = this.#reader(part);
    const baseline = {
      name,
      train: await this.#score(configuration, train, signal),
      holdOut: await this.#score(configuration, holdOut, signal),
      configuration,
    };
    this.#head = { kubernetesVersion, tasks: this.#trials.length, baseline };
  }

  /** Whether the schedulers of all trials read the same of the cluster. */
  get #canShare() {
    const { log, plugins = [] } = this.#options.schedulerOptions ?? {};
    const hasExtenders = this.#trials.some(
      ({ configuration }) => itemsIn(configuration.extenders).length > 0,
    );
    return !log && plugins.length === 0 && !hasExtenders;
  }

  /** @param {Part} part */
  #reader({ objects }) {
    const [{ configuration }] = this.#trials;
    const reader = this.#createScheduler(configuration, { keepBatches: true });
    reader.apply(objects, { onError: rethrow });
    return reader;
  }

  /** @param {any} configuration @param {SchedulerOptions} [more] */
  #createScheduler(configuration, more) {
    const { engine, schedulerOptions } = this.#options;
    const text = JSON.stringify(configuration);
    return engine.createScheduler({
      ...schedulerOptions,
      ...more,
      keepObjects: false,
      configuration: text,
    });
  }

  dispose() {
    const { train, holdOut } = this.#parts;
    train.reader?.dispose();
    holdOut.reader?.dispose();
  }

  get head() {
    return /** @type {TuneHead} */ (this.#head);
  }

  get length() {
    return this.#trials.length;
  }

  /**
   * @param {number} task
   * @param {{ signal?: AbortSignal }} options
   * @returns {Promise<TrialReport>}
   */
  async run(task, { signal }) {
    const { baseline } = this.head;
    if (task === 0) return { task, name: baseline.name, train: baseline.train };
    const { name, configuration } = this.#trials[task];
    const { train, holdOut } = this.#parts;
    const report = { task, name, train: await this.#score(configuration, train, signal) };
    if (byScore(report.train, baseline.train) >= 0) return report;
    return { ...report, holdOut: await this.#score(configuration, holdOut, signal), configuration };
  }

  /**
   * @param {any} configuration
   * @param {Part} part
   * @param {AbortSignal} [signal]
   * @returns {Promise<TuneScore>}
   */
  async #score(configuration, { objects, reader, commands, amounts, requests }, signal) {
    signal?.throwIfAborted();
    const fresh = this.#createScheduler(configuration);
    try {
      fresh.apply(reader ?? objects, { onError: rethrow });
      fresh.apply(commands, { format: 'lines', onError: rethrow });
      await runCommands(fresh, { count: amounts.size, configuration, signal });
      const room = this.#room.copy();
      let placed = 0;
      for (const [node, pods] of Object.entries(fresh.inspect({ cache: true }).cache.nodes)) {
        for (const pod of pods) {
          const taken = amounts.get(pod);
          if (!taken) continue;
          placed += 1;
          room.take(node, taken);
        }
      }
      return { pods: amounts.size, placed, fragmentation: room.fragmentationFor(requests) };
    } finally {
      fresh.dispose();
    }
  }
}

/**
 * Runs the cycles of `count` commands. Nothing reads the decisions, which a turn parses when they
 * are read.
 * @param {Scheduler} scheduler
 * @param {{ count: number, configuration: any, signal?: AbortSignal }} options
 */
async function runCommands(scheduler, { count, configuration, signal }) {
  // Only `schedule` calls extenders.
  if (itemsIn(configuration.extenders).length > 0) {
    await scheduler.schedule({ maxAttempts: count, signal });
    return;
  }
  for (let left = count; left > 0; left -= CYCLES) {
    signal?.throwIfAborted();
    scheduler.run({ maxCycles: Math.min(CYCLES, left) });
    await pause();
  }
}

/** @param {Error} error */
function rethrow(error) {
  throw error;
}

/**
 * Returns the pods of a trace as the cluster completes them; they evict none.
 * @param {Scheduler} scheduler
 * @param {KubernetesObject[]} trace
 */
function arriving(scheduler, trace) {
  return onFork(scheduler, (fork) => {
    const pods = trace.map((pod) => ({
      ...pod,
      spec: { ...pod.spec, preemptionPolicy: 'Never' },
    }));
    fork.apply(pods, { onError: rethrow });
    return trace.map((pod) => /** @type {KubernetesObject} */ (fork.get('Pod', podKeyOf(pod))));
  });
}

/**
 * @param {KubernetesObject[]} cluster
 * @param {KubernetesObject[]} pods
 * @returns {Part}
 */
function partOf(cluster, pods) {
  /** @type {Map<string, Requests>} */
  const requests = new Map();
  /** @type {Part['amounts']} */
  const amounts = new Map();
  for (const pod of pods) {
    const own = amountsOf(pod.spec);
    const key = JSON.stringify([...own].sort());
    const known = requests.get(key) ?? { amounts: own, count: 0 };
    known.count += 1;
    requests.set(key, known);
    amounts.set(podKeyOf(pod), own);
  }
  const commands = pods.map((pod) => JSON.stringify({ type: 'SCHEDULE_ONE', pod: podKeyOf(pod) }));
  return {
    objects: [...cluster, ...pods],
    commands: new TextEncoder().encode(commands.join('\n')),
    amounts,
    requests: [...requests.values()],
  };
}

/**
 * @param {KubernetesObject[]} trace
 * @param {TuneTrial[]} trials
 * @param {number} holdOut
 */
function checkQuestion(trace, trials, holdOut) {
  if (!Array.isArray(trace) || trace.length < 2)
    throw badArgument(
      'trace',
      trace?.length,
      'must have two pods at least: one of them is held out',
    );
  const names = new Set();
  for (const [index, pod] of trace.entries()) {
    const field = `trace[${index}]`;
    if (pod?.kind !== 'Pod' || !pod.metadata?.name)
      throw badArgument(field, pod?.kind, 'must be a Pod with a name');
    if (pod.spec?.nodeName) throw badArgument(`${field}.spec.nodeName`, '', 'has a node already');
    if (names.has(podKeyOf(pod))) throw badArgument(`${field}.metadata.name`, '', 'is there twice');
    names.add(podKeyOf(pod));
  }
  if (!Array.isArray(trials) || trials.length === 0 || !trials.every(isTrial))
    throw badArgument('trials', '', 'must be configurations with names, one at least');
  if (trials.length > MOST_TRIALS + 1)
    throw badArgument('trials', trials.length, `must be at most ${MOST_TRIALS + 1}`);
  if (!(holdOut > 0 && holdOut < 1) || Math.round(trace.length * holdOut) >= trace.length)
    throw badArgument('holdOut', holdOut, 'must be a share of the trace, above 0 and below 1');
}

/** @param {unknown} trial */
function isTrial(trial) {
  return isRecord(trial) && typeof trial.name === 'string' && isRecord(trial.configuration);
}
