/** The faults of a seed with their odds, and the options of its scheduler. */
import { CALL_FAULTS } from './flaky_api.js';
import { BASE_KINDS, DEVICE_KINDS, GANG_KINDS, STORAGE_KINDS } from './kinds.js';
import { randomFor } from './random.js';

export const START_US = 1_770_000_000_000_000;
export const SCHEDULERS = ['default-scheduler', 'second'];

/** Faults of the controllers of volumes and claims. */
const CONTROLLER_FAULTS = [
  'slowController',
  'idleController',
  'wrongController',
  'eagerController',
];
/** Faults of the drivers of devices. */
const DRIVER_FAULTS = ['slowDriver', 'wrongDriver', 'failingDevice', 'idleDevice'];
/** The faults by name. */
export const FAULTS = [
  ...CALL_FAULTS,
  ...['slowWatch', 'staleList', 'gap', 'resync', 'jump', 'restored'],
  ...CONTROLLER_FAULTS,
  ...DRIVER_FAULTS,
];
/** With such delays all the time, many pods with claims would never be bound. */
const BIND_TIMEOUTS_S = [5, 20, 60, 600];

/** How often each fault happens, from rarely to always. */
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
  // Pods have signatures, so that OpportunisticBatching takes part.
  {
    ...CONFIGURATION,
    profiles: CONFIGURATION.profiles.map((profile) => ({ ...profile, ...LISTED_DEFAULTS })),
  },
];

/**
 * @param {number} seed @param {string[]} without  faults to leave out
 * @returns {(fault: string) => number}
 */
export function oddsOf(seed, without) {
  const severity = randomFor(seed, 'weather').pick(SEVERITIES);
  const odds = new Map(FAULTS.map((fault) => [fault, severity]));
  odds.set('slowWatch', severity * 4);
  odds.set('staleList', severity * 4);
  odds.set('slowController', severity * 4);
  odds.set('wrongController', severity * 3);
  odds.set('slowDriver', severity * 4);
  odds.set('wrongDriver', severity * 3);
  odds.set('failingDevice', severity * 3);
  for (const fault of without) odds.set(fault, 0);
  return (fault) => odds.get(fault) ?? 0;
}

/** @param {number} seed */
export function selectsUnfinished(seed) {
  return randomFor(seed, 'selection').chance(0.6);
}

/**
 * Whether the seed's world has volumes, and pods that wait for them. One in three has, because such
 * a world costs half as much again.
 * @param {number} seed
 */
export function hasVolumes(seed) {
  return seed % 3 === 1;
}

/**
 * Whether the seed's world has devices, and pods that claim them.
 * @param {number} seed
 */
export function hasDevices(seed) {
  return seed % 6 === 2;
}

/**
 * Whether the seed's world has pod groups, of which a part may not start alone: one in three
 * without volumes and devices, and every second one with devices.
 * @param {number} seed
 */
export function hasGangs(seed) {
  return seed % 6 === 5 || seed % 12 === 8;
}

/** The watched kinds. @param {number} seed @returns {string[]} */
export function kindsOf(seed) {
  return [
    ...BASE_KINDS,
    ...(hasVolumes(seed) ? STORAGE_KINDS : []),
    ...(hasDevices(seed) ? DEVICE_KINDS : []),
    ...(hasGangs(seed) ? GANG_KINDS : []),
  ];
}

/** The gates of pod groups, which are off by default. @param {number} seed */
function gatesOf(seed) {
  const WorkloadAwarePreemption = randomFor(seed, 'gates').chance(0.5);
  return { GenericWorkload: true, GangScheduling: true, WorkloadAwarePreemption };
}

/** The longest time for binding the claims, and the devices, of a pod. @param {number} seed */
export function bindTimeoutOf(seed) {
  return randomFor(seed, 'bind timeout').pick(BIND_TIMEOUTS_S);
}

/** @param {any} configuration @param {number} seed */
function withBindTimeout(configuration, seed) {
  const seconds = bindTimeoutOf(seed);
  const own = [
    { name: 'VolumeBinding', args: { bindTimeoutSeconds: seconds } },
    { name: 'DynamicResources', args: { bindingTimeout: `${seconds}s` } },
  ];
  const profiles = configuration.profiles.map((/** @type {any} */ profile) => ({
    ...profile,
    pluginConfig: [...(profile.pluginConfig ?? []), ...own],
  }));
  return { ...configuration, profiles };
}

/** @param {number} seed @returns {import('../support/raw_engine.js').SchedulerOptions} */
export function optionsOf(seed) {
  const random = randomFor(seed, 'options');
  return {
    configuration: withBindTimeout(random.pick(CONFIGURATIONS), seed),
    seed,
    api: 'host',
    apiCallTimeout: random.pick([1000, 5000, 30_000]),
    events: random.chance(0.3),
    startTimeUs: START_US,
    ...(hasGangs(seed) && { featureGates: gatesOf(seed) }),
  };
}
