/**
 * Reads the parts of a KubeSchedulerConfiguration that concern a live scheduler itself. The engine
 * gets the configuration unchanged; it reads and validates everything else. Counterpart:
 * cmd/kube-scheduler/app/options, v1.36.
 */
import { ConfigurationError } from '../kubernetes/errors.js';
import { schedulerNameOf } from '../kubernetes/pod_defaults.js';
import { withoutLastSlashes } from '../io/url_text.js';
import { isRecord, itemsIn } from '../kubernetes/values.js';
import { parseDuration } from '../kubernetes/duration.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/**
 * Overrides of the configuration's `leaderElection`. Durations are milliseconds or Go's text
 * (`15s`).
 * @typedef {object} LeaderElectionOptions
 * @property {boolean} [leaderElect]
 * @property {number | string} [leaseDuration]
 * @property {number | string} [renewDeadline]
 * @property {number | string} [retryPeriod]
 * @property {string} [resourceName]
 * @property {string} [resourceNamespace]
 */

/**
 * @typedef {object} LiveConfiguration
 * @property {KubernetesObject | string | Uint8Array} configuration for the engine
 * @property {string} firstScheduler the name of the first profile, under which election events are
 *   recorded
 * @property {{ lock: { namespace: string, name: string }, leaseDuration: number, renewDeadline:
 *   number, retryPeriod: number } | undefined} election undefined if there is none. Milliseconds
 * @property {boolean} delayCacheUntilActive whether the informers start only when this candidate
 *   leads
 * @property {{ qps: number, burst: number } | undefined} rate of calls, if the configuration has
 *   one
 * @property {string[]} extenderBindUrls URLs of extenders that bind pods
 */

const HEAD = Object.freeze({
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
});

const LOCK_NAMESPACE = 'kube-system';
const LOCK_NAME = 'kube-scheduler';
const DEFAULT_BURST = 100;

/**
 * @param {{ configuration?: KubernetesObject | string | Uint8Array, schedulerName?: string,
 *   leaderElection?: boolean | LeaderElectionOptions, dryRun?: boolean }} options
 * @returns {LiveConfiguration}
 * @throws {ConfigurationError}
 */
export function liveConfiguration({
  configuration = '',
  schedulerName,
  leaderElection = {},
  dryRun = false,
}) {
  const document = documentOf(configuration);
  const given =
    typeof leaderElection === 'boolean' ? { leaderElect: leaderElection } : leaderElection;
  if (dryRun && given.leaderElect === true)
    throw badOption('leaderElection', 'a dry run writes nothing, and so holds no lease');
  const isElected = !dryRun && (given.leaderElect ?? document.leaderElection?.leaderElect ?? true);
  const profiles = itemsIn(document.profiles);
  return {
    configuration:
      schedulerName === undefined ? configuration : renamed(document, profiles, schedulerName),
    firstScheduler: schedulerName ?? schedulerNameOf(profiles[0]),
    election: isElected ? electionOf(given, document.leaderElection, schedulerName) : undefined,
    delayCacheUntilActive: isElected && document.delayCacheUntilActive === true,
    rate: rateOf(document.clientConnection),
    extenderBindUrls: itemsIn(document.extenders).filter(bindsPods).map(bindUrl),
  };
}

/**
 * Returns an empty document for what cannot be parsed: the engine reports that error.
 * @param {KubernetesObject | string | Uint8Array} configuration
 * @returns {Record<string, any>}
 */
function documentOf(configuration) {
  const isText = typeof configuration === 'string';
  if (!isText && !(configuration instanceof Uint8Array)) return configuration;
  try {
    const document = JSON.parse(isText ? configuration : new TextDecoder().decode(configuration));
    return isRecord(document) ? document : {};
  } catch {
    return {};
  }
}

/**
 * @param {Record<string, any>} document
 * @param {any[]} profiles
 * @param {string} schedulerName
 */
function renamed(document, profiles, schedulerName) {
  if (profiles.length > 1) {
    const detail = `the configuration has ${profiles.length} profiles, and one is to be renamed`;
    throw badOption('schedulerName', detail);
  }
  return { ...HEAD, ...document, profiles: [{ ...profiles[0], schedulerName }] };
}

/**
 * A scheduler with another name needs another lock as well: with kube-scheduler's it would keep
 * kube-scheduler from working, or wait for it forever.
 * @param {LeaderElectionOptions} given
 * @param {Record<string, any>} configured
 * @param {string | undefined} schedulerName
 */
function electionOf(given, configured = {}, schedulerName) {
  const merged = { ...configured, ...withoutUndefined(given) };
  const duration = (/** @type {string} */ name, /** @type {string} */ usual) => {
    const value = merged[name] || usual;
    return typeof value === 'number' ? value : parseDuration(value, `leaderElection.${name}`);
  };
  return {
    lock: {
      namespace: merged.resourceNamespace || LOCK_NAMESPACE,
      name: merged.resourceName || (schedulerName ?? LOCK_NAME),
    },
    leaseDuration: duration('leaseDuration', '15s'),
    renewDeadline: duration('renewDeadline', '10s'),
    retryPeriod: duration('retryPeriod', '2s'),
  };
}

/** @param {object} fields */
function withoutUndefined(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** @param {{ qps?: number, burst?: number }} [connection] */
function rateOf({ qps, burst } = {}) {
  if (typeof qps !== 'number' || !(qps > 0)) return undefined;
  return { qps, burst: typeof burst === 'number' && burst > 0 ? burst : DEFAULT_BURST };
}

/** @param {any} extender */
function bindsPods(extender) {
  return isRecord(extender) && Boolean(extender.bindVerb);
}

/** Joins the URL as the engine does. @param {any} extender */
function bindUrl({ urlPrefix = '', bindVerb }) {
  return `${withoutLastSlashes(String(urlPrefix))}/${bindVerb}`;
}

/**
 * @param {string} field
 * @param {string} detail
 */
function badOption(field, detail) {
  return new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
}
