/** How bad it is in a seed: faults and their odds, and the options of its scheduler. */
import { CALL_FAULTS } from './flaky_api.js';
import { randomFor } from './random.js';

export const START_US = 1_770_000_000_000_000;
export const SCHEDULERS = ['default-scheduler', 'second'];

/** What can go wrong, by name. */
export const FAULTS = [...CALL_FAULTS, 'slowWatch', 'gap', 'resync', 'jump'];

/** From fair weather to storm: how often each fault happens. */
const SEVERITIES = [0.004, 0.03, 0.08];

const CONFIGURATION = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: SCHEDULERS.map((schedulerName) => ({ schedulerName })),
};
const LISTED_DEFAULTS = {
  pluginConfig: [{ name: 'PodTopologySpread', args: { defaultingType: 'List' } }],
};
const CONFIGURATIONS = [
  CONFIGURATION,
  CONFIGURATION,
  { ...CONFIGURATION, podInitialBackoffSeconds: 3, podMaxBackoffSeconds: 30 },
  // Pods are signed, so that OpportunisticBatching takes part.
  {
    ...CONFIGURATION,
    profiles: CONFIGURATION.profiles.map((profile) => ({ ...profile, ...LISTED_DEFAULTS })),
  },
];

/**
 * @param {number} seed @param {string[]} without  faults that do not happen
 * @returns {(fault: string) => number}
 */
export function oddsOf(seed, without) {
  const severity = randomFor(seed, 'weather').pick(SEVERITIES);
  const odds = new Map(FAULTS.map((fault) => [fault, severity]));
  odds.set('slowWatch', severity * 4);
  for (const fault of without) odds.set(fault, 0);
  return (fault) => odds.get(fault) ?? 0;
}

/** @param {number} seed */
export function selectsUnfinished(seed) {
  return randomFor(seed, 'selection').chance(0.6);
}

/** @param {number} seed @returns {import('../support/raw_engine.js').SchedulerOptions} */
export function optionsOf(seed) {
  const random = randomFor(seed, 'options');
  return {
    configuration: random.pick(CONFIGURATIONS),
    seed,
    api: 'host',
    apiCallTimeout: random.pick([1000, 5000, 30_000]),
    events: random.chance(0.5),
    startTimeUs: START_US,
  };
}
