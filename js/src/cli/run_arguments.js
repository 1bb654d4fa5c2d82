import { ConfigurationError } from '../errors.js';
import { parseDuration } from '../live/duration.js';
import { gates, oneOf, parsed, wholeNumber } from './arguments.js';
import { UsageError } from './problems.js';

/**
 * The flags of `run`, checked.
 * @typedef {object} RunCommand
 * @property {string | undefined} kubeconfig
 * @property {string | undefined} context
 * @property {boolean} inCluster
 * @property {string | undefined} schedulerName
 * @property {string | undefined} config a file
 * @property {Record<string, boolean>} featureGates
 * @property {import('../live/live_configuration.js').LeaderElectionOptions} leaderElection
 * @property {boolean} dryRun
 * @property {string | undefined} record a file for the log
 * @property {string} bindAddress
 * @property {number} port 0: nothing is served
 * @property {{ certFile: string, keyFile: string } | undefined} tls
 * @property {'text' | 'json'} loggingFormat
 * @property {number} verbosity -1: errors only
 * @property {boolean} help
 */

const DEFAULT_PORT = '10259';
const DEFAULT_VERBOSITY = '2';

/** Flags that are on or off; `--dry-run` is `--dry-run=true`. */
const SWITCHES = ['leader-elect', 'dry-run', 'in-cluster', 'quiet', 'help'];
const SHORT_SWITCHES = { '-q': 'quiet', '-h': 'help' };

const FLAGS = /** @type {const} */ ({
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  'in-cluster': { type: 'string', default: 'false' },
  'scheduler-name': { type: 'string' },
  config: { type: 'string' },
  'feature-gates': { type: 'string', multiple: true, default: /** @type {string[]} */ ([]) },
  'leader-elect': { type: 'string' },
  'leader-elect-lease-duration': { type: 'string' },
  'leader-elect-renew-deadline': { type: 'string' },
  'leader-elect-retry-period': { type: 'string' },
  'leader-elect-resource-lock': { type: 'string', default: 'leases' },
  'leader-elect-resource-name': { type: 'string' },
  'leader-elect-resource-namespace': { type: 'string' },
  'dry-run': { type: 'string', default: 'false' },
  record: { type: 'string' },
  'bind-address': { type: 'string', default: '127.0.0.1' },
  port: { type: 'string' },
  'secure-port': { type: 'string' },
  'tls-cert-file': { type: 'string' },
  'tls-private-key-file': { type: 'string' },
  'logging-format': { type: 'string', default: 'text' },
  v: { type: 'string', short: 'v', default: DEFAULT_VERBOSITY },
  quiet: { type: 'string', default: 'false' },
  help: { type: 'string', default: 'false' },
});

/**
 * @param {string[]} argv what follows `run`
 * @returns {RunCommand}
 * @throws {UsageError}
 */
export function parseRunArguments(argv) {
  const { values, positionals } = parsed(argv.map(spelledOut), FLAGS);
  const help = isOn('help', values.help);
  if (!help && positionals.length > 0)
    throw new UsageError(`run takes no arguments, and there is "${positionals[0]}"`);
  for (const [flag, value] of Object.entries(values))
    if (value === '') throw new UsageError(`--${flag} needs a value`);
  const inCluster = isOn('in-cluster', values['in-cluster']);
  if (inCluster && (values.kubeconfig !== undefined || values.context !== undefined))
    throw new UsageError('--in-cluster does not go with --kubeconfig and --context');
  oneOf('leader-elect-resource-lock', values['leader-elect-resource-lock'], ['leases']);
  const quiet = isOn('quiet', values.quiet);
  const dryRun = isOn('dry-run', values['dry-run']);
  const leaderElection = leaderElectionOf(values);
  if (dryRun && leaderElection.leaderElect)
    throw new UsageError('--leader-elect does not go with --dry-run, which writes no lease');
  return {
    kubeconfig: values.kubeconfig,
    context: values.context,
    inCluster,
    schedulerName: values['scheduler-name'],
    config: values.config,
    featureGates: gates(values['feature-gates']),
    leaderElection,
    dryRun,
    record: values.record,
    ...addressOf(values),
    loggingFormat: oneOf('logging-format', values['logging-format'], ['text', 'json']),
    verbosity: quiet ? -1 : wholeNumber('v', values.v),
    help,
  };
}

/** @param {{ [flag: string]: any }} values */
function leaderElectionOf(values) {
  const leaderElect = values['leader-elect'];
  return {
    leaderElect: leaderElect === undefined ? undefined : isOn('leader-elect', leaderElect),
    leaseDuration: duration('leader-elect-lease-duration', values),
    renewDeadline: duration('leader-elect-renew-deadline', values),
    retryPeriod: duration('leader-elect-retry-period', values),
    resourceName: values['leader-elect-resource-name'],
    resourceNamespace: values['leader-elect-resource-namespace'],
  };
}

/**
 * @param {string} flag
 * @param {{ [flag: string]: any }} values
 */
function duration(flag, { [flag]: value }) {
  if (value === undefined) return undefined;
  try {
    return parseDuration(value, `--${flag}`);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new UsageError(error.message);
  }
}

/** @param {{ [flag: string]: any }} values */
function addressOf(values) {
  const { port, 'secure-port': securePort, 'bind-address': bindAddress } = values;
  const { 'tls-cert-file': certFile, 'tls-private-key-file': keyFile } = values;
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UsageError('--tls-cert-file and --tls-private-key-file go together');
  const isSecure = certFile !== undefined;
  if (securePort !== undefined && !isSecure && securePort !== '0')
    throw new UsageError('--secure-port needs --tls-cert-file and --tls-private-key-file');
  if (port !== undefined && isSecure)
    throw new UsageError('--port is without TLS; with --tls-cert-file it is --secure-port');
  const flag = isSecure ? 'secure-port' : 'port';
  const number = wholeNumber(flag, values[flag] ?? DEFAULT_PORT);
  if (number > 65_535) throw new UsageError(`--${flag} is at most 65535, not ${number}`);
  return { bindAddress, port: number, tls: isSecure ? { certFile, keyFile } : undefined };
}

/**
 * A switch without a value has one all the same.
 * @param {string} word
 */
function spelledOut(word) {
  const short = SHORT_SWITCHES[/** @type {keyof SHORT_SWITCHES} */ (word)];
  if (short) return `--${short}=true`;
  return word.startsWith('--') && SWITCHES.includes(word.slice(2)) ? `${word}=true` : word;
}

/**
 * @param {string} flag
 * @param {string} value
 */
function isOn(flag, value) {
  return oneOf(flag, value.toLowerCase(), ['true', 'false']) === 'true';
}
