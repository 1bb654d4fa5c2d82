/** Variants of a configuration. */
import { DEFAULT_SCHEDULER } from '../../kubernetes/pod_defaults.js';
import { itemsIn } from '../../kubernetes/values.js';
import { badArgument } from '../arguments.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/**
 * A KubeSchedulerConfiguration to try.
 * @typedef {{ name: string, configuration: KubernetesObject }} TuneTrial
 */

/** The number of variants. */
export const MOST_TRIALS = 10_000;

/** Strategies of NodeResourcesFit that need no shape. */
const STRATEGIES = ['LeastAllocated', 'MostAllocated'];

/**
 * Returns a configuration and its variants: every combination of the weights and strategies, in all
 * profiles.
 * @param {KubernetesObject} configuration a KubeSchedulerConfiguration
 * @param {{ weights?: Record<string, number[]>, strategies?: string[] }} choices `weights`: by the
 *   name of the plugin; `strategies`: types of the scoringStrategy of NodeResourcesFit
 * @returns {TuneTrial[]}
 * @throws {import('../../kubernetes/errors.js').InputError}
 */
export function tuningTrials(configuration, { weights = {}, strategies = [] }) {
  const bad = strategies.find((strategy) => !STRATEGIES.includes(strategy));
  if (bad !== undefined)
    throw badArgument('strategies', bad, `must be one of ${STRATEGIES.join(', ')}`);
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
    throw badArgument('weights', total, `must have at most ${MOST_TRIALS} combinations`);
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
  const profiles = itemsIn(configuration?.profiles).map((profile) => profile ?? {});
  return profiles.length > 0 ? profiles : [{ schedulerName: DEFAULT_SCHEDULER }];
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
