/** Tunes a configuration: weights and strategies against a recorded trace, with hold-out. */
import { InputError } from '../kubernetes/errors.js';
import { podKeyOf } from '../kubernetes/keys.js';
import { isRecord, itemsIn } from '../kubernetes/values.js';
import { documentOf } from './document.js';
import { amountsOf, roomOn } from './plan/shapes.js';
import { Population } from './population.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Amounts } from './plan/shapes.js'
 */

/**
 * A KubeSchedulerConfiguration to try.
 * @typedef {{ name: string, configuration: any }} TuneTrial
 */

/**
 * How a configuration did. `fragmentation`: the share of the free room that is on nodes without
 * room for a pod, as a mean over the pods.
 * @typedef {{ pods: number, placed: number, fragmentation: number }} TuneScore
 */

/**
 * @typedef {object} TuneQuestion
 * @property {KubernetesObject[]} trace pods in the order of their arrival
 * @property {TuneTrial[]} trials the first one is the configuration to improve
 */

/**
 * @typedef {object} TuneOptions
 * @property {(configuration: any) => Scheduler} createScheduler returns an empty scheduler with a
 *   configuration
 * @property {number} [holdOut] the share of the trace, its end, that chooses nothing; default 0.3
 * @property {(done: number, total: number) => void} [progress] in configurations
 * @property {AbortSignal} [signal]
 */

const HOLD_OUT = 0.3;

/** The number of configurations. */
const MOST_TRIALS = 10_000;

/** Strategies of NodeResourcesFit that need no shape. */
const STRATEGIES = ['LeastAllocated', 'MostAllocated'];

/**
 * Tries configurations on the first part of a trace, and the best one and the first one also on the
 * rest. Both parts begin with the cluster as it is. Pods arrive one by one, and none is evicted. A
 * configuration is better that places more pods, then the one with less fragmentation, then the
 * earlier one.
 * @param {Scheduler} scheduler with the cluster
 * @param {TuneQuestion} question
 * @param {TuneOptions} options
 * @throws {InputError} if the trace or an option is invalid
 * @throws {import('../kubernetes/errors.js').ConfigurationError} if a configuration is
 * @throws the signal's reason
 */
export async function tune(scheduler, { trace, trials }, options) {
  const { holdOut = HOLD_OUT, progress } = options;
  checkQuestion(trace, trials, holdOut);
  const count = trace.length - Math.max(1, Math.round(trace.length * holdOut));
  const parts = { train: trace.slice(0, count), holdOut: trace.slice(count) };
  const snapshot = scheduler.snapshot();
  /** @type {{ name: string, train: TuneScore }[]} */
  const tried = [];
  for (const [index, trial] of trials.entries()) {
    const train = await scoreOf(trial, parts.train, { ...options, snapshot });
    tried.push({ name: trial.name, train });
    progress?.(index + 1, trials.length);
  }
  const order = tried.map((_, index) => index);
  order.sort((left, right) => byScore(tried[left].train, tried[right].train) || left - right);
  const [best] = order;
  const held = async (/** @type {number} */ index) => ({
    ...tried[index],
    holdOut: await scoreOf(trials[index], parts.holdOut, { ...options, snapshot }),
  });
  const baseline = await held(0);
  const winner = best === 0 ? baseline : await held(best);
  return documentOf('Tune', scheduler, {
    isBetter: byScore(winner.holdOut, baseline.holdOut) < 0,
    baseline,
    best: { ...winner, configuration: trials[best].configuration },
    trials: order.map((index) => tried[index]),
  });
}

/** @typedef {Awaited<ReturnType<typeof tune>>} Tune */

/**
 * Returns a configuration and its variants: every combination of the weights and strategies, in all
 * profiles.
 * @param {any} configuration a KubeSchedulerConfiguration
 * @param {{ weights?: Record<string, number[]>, strategies?: string[] }} choices `weights`: by the
 *   name of the plugin; `strategies`: types of the scoringStrategy of NodeResourcesFit
 * @returns {TuneTrial[]}
 * @throws {InputError}
 */
export function tuningTrials(configuration, { weights = {}, strategies = [] }) {
  const bad = strategies.find((strategy) => !STRATEGIES.includes(strategy));
  if (bad !== undefined) throw fault('strategies', bad, `must be one of ${STRATEGIES.join(', ')}`);
  /** @type {{ text: string, change: (profile: any) => any }[][]} */
  const choices = Object.entries(weights).map(([name, values]) =>
    values.map((weight) => ({
      text: `${name}=${weight}`,
      change: (profile) => withWeight(profile, name, weight),
    })),
  );
  if (strategies.length > 0)
    choices.push(
      strategies.map((type) => ({ text: type, change: (profile) => withStrategy(profile, type) })),
    );
  const total = choices.reduce((product, { length }) => product * length, 1);
  if (total > MOST_TRIALS)
    throw fault('weights', total, `must have at most ${MOST_TRIALS} combinations`);
  /** @type {{ texts: string[], profiles: any[] }[]} */
  let variants = [{ texts: [], profiles: profilesOf(configuration) }];
  for (const choice of choices)
    variants = variants.flatMap(({ texts, profiles }) =>
      choice.map(({ text, change }) => ({
        texts: [...texts, text],
        profiles: profiles.map(change),
      })),
    );
  const changed = choices.length === 0 ? [] : variants;
  return [
    { name: 'as it is', configuration },
    ...changed.map(({ texts, profiles }) => ({
      name: texts.join(' '),
      configuration: { ...configuration, profiles },
    })),
  ];
}

/** @param {any} configuration @returns {any[]} */
function profilesOf(configuration) {
  const profiles = itemsIn(configuration?.profiles);
  return profiles.length > 0 ? profiles : [{ schedulerName: 'default-scheduler' }];
}

/**
 * @param {any} profile
 * @param {string} name of a plugin
 * @param {number} weight
 */
function withWeight(profile, name, weight) {
  const { score } = profile.plugins ?? {};
  const others = itemsIn(score?.enabled).filter((plugin) => plugin?.name !== name);
  const enabled = [...others, { name, weight }];
  return { ...profile, plugins: { ...profile.plugins, score: { ...score, enabled } } };
}

/**
 * @param {any} profile
 * @param {string} type
 */
function withStrategy(profile, type) {
  const name = 'NodeResourcesFit';
  const configs = itemsIn(profile.pluginConfig);
  const { args } = configs.find((one) => one?.name === name) ?? {};
  const { shape, requestedToCapacityRatio, ...strategy } = args?.scoringStrategy ?? {};
  const changed = { ...args, scoringStrategy: { ...strategy, type } };
  const others = configs.filter((one) => one?.name !== name);
  return { ...profile, pluginConfig: [...others, { name, args: changed }] };
}

/**
 * @param {TuneTrial} trial
 * @param {KubernetesObject[]} pods
 * @param {TuneOptions & { snapshot: KubernetesObject }} options
 * @returns {Promise<TuneScore>}
 */
async function scoreOf({ configuration }, pods, { createScheduler, snapshot, signal }) {
  const fresh = createScheduler(configuration);
  try {
    fresh.apply(snapshot);
    let placed = 0;
    for (const pod of pods) {
      signal?.throwIfAborted();
      fresh.apply({ ...pod, spec: { ...pod.spec, preemptionPolicy: 'Never' } });
      const { node } = await fresh.scheduleOne(podKeyOf(pod));
      if (node) placed += 1;
    }
    return { pods: pods.length, placed, fragmentation: fragmentationFor(fresh, pods) };
  } finally {
    fresh.dispose();
  }
}

/**
 * @param {Scheduler} scheduler
 * @param {KubernetesObject[]} pods
 */
function fragmentationFor(scheduler, pods) {
  const room = [...roomOn(scheduler, new Population(scheduler).nodes).values()];
  /** @type {Map<string, { amounts: Amounts, count: number }>} */
  const shapes = new Map();
  for (const { spec } of pods) {
    const amounts = amountsOf(spec);
    const key = JSON.stringify([...amounts].sort());
    shapes.set(key, { amounts, count: (shapes.get(key)?.count ?? 0) + 1 });
  }
  let sum = 0;
  for (const { amounts, count } of shapes.values()) sum += count * strandedFor(amounts, room);
  return Math.round((1e6 * sum) / pods.length) / 1e6;
}

/**
 * Returns the share of the free room that is on nodes without room for a pod: the mean of its
 * resources.
 * @param {Amounts} amounts
 * @param {Amounts[]} room by node
 */
function strandedFor(amounts, room) {
  const names = [...amounts.keys()].filter((name) => name !== 'pods');
  const free = (/** @type {Amounts} */ node, /** @type {string} */ name) =>
    Math.max(0, node.get(name) ?? 0);
  const isFull = (/** @type {Amounts} */ node) =>
    [...amounts].some(([name, amount]) => free(node, name) < amount);
  const full = room.filter(isFull);
  const shares = names.flatMap((name) => {
    const total = room.reduce((sum, node) => sum + free(node, name), 0);
    const stranded = full.reduce((sum, node) => sum + free(node, name), 0);
    return total > 0 ? [stranded / total] : [];
  });
  return shares.length > 0 ? shares.reduce((sum, share) => sum + share, 0) / shares.length : 0;
}

/**
 * @param {TuneScore} left
 * @param {TuneScore} right
 */
function byScore(left, right) {
  return right.placed - left.placed || left.fragmentation - right.fragmentation;
}

/**
 * @param {KubernetesObject[]} trace
 * @param {TuneTrial[]} trials
 * @param {number} holdOut
 */
function checkQuestion(trace, trials, holdOut) {
  if (!Array.isArray(trace) || trace.length < 2)
    throw fault('trace', trace?.length, 'must have two pods at least: one of them is held out');
  const names = new Set();
  for (const [index, pod] of trace.entries()) {
    const field = `trace[${index}]`;
    if (pod?.kind !== 'Pod' || !pod.metadata?.name)
      throw fault(field, pod?.kind, 'must be a Pod with a name');
    if (pod.spec?.nodeName) throw fault(`${field}.spec.nodeName`, '', 'has a node already');
    if (names.has(podKeyOf(pod))) throw fault(`${field}.metadata.name`, '', 'is there twice');
    names.add(podKeyOf(pod));
  }
  if (!Array.isArray(trials) || trials.length === 0 || !trials.every(isTrial))
    throw fault('trials', '', 'must be configurations with names, one at least');
  if (trials.length > MOST_TRIALS + 1)
    throw fault('trials', trials.length, `must be at most ${MOST_TRIALS + 1}`);
  if (!(holdOut > 0 && holdOut < 1) || Math.round(trace.length * holdOut) >= trace.length)
    throw fault('holdOut', holdOut, 'must be a share of the trace, above 0 and below 1');
}

/** @param {unknown} trial */
function isTrial(trial) {
  return isRecord(trial) && typeof trial.name === 'string' && isRecord(trial.configuration);
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} detail
 */
function fault(field, value, detail) {
  return new InputError({ code: 'FieldValueInvalid', field, value, detail });
}
