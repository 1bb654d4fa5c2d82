import { ConfigurationError } from '../../kubernetes/errors.js';
import { parseDuration } from '../../kubernetes/duration.js';
import { gates, kubernetesVersionOf, oneOf, parsed, wholeNumber } from '../arguments/arguments.js';
import {
  CONFIG,
  CONNECTION,
  FEATURE_GATES,
  KUBERNETES_VERSION,
  RECORD,
} from '../arguments/flags.js';
import { UsageError } from '../terminal/problems.js';

const DEFAULT_PORT = '10259';
const DEFAULT_VERBOSITY = '2';

/** Boolean flags; `--dry-run` means `--dry-run=true`. */
const SWITCHES = ['leader-elect', 'dry-run', 'in-cluster', 'quiet', 'help'];
const SHORT_SWITCHES = { '-q': 'quiet', '-h': 'help' };

const FLAGS = /** @type {const} */ ({
  ...CONNECTION,
  'in-cluster': {
    type: 'string',
    default: 'false',
    help: 'connect with the service account of the pod in which it runs',
  },
  'scheduler-name': {
    type: 'string',
    value: 'NAME',
    help:
      'schedule the pods of this scheduler (default that of the configuration, or ' +
      'default-scheduler); also the name of its lease',
  },
  ...CONFIG,
  ...KUBERNETES_VERSION,
  ...FEATURE_GATES,
  'leader-elect': {
    type: 'string',
    help:
      'wait for the lease; --leader-elect=false does not (default that of the configuration, or ' +
      'true). These flags override the configuration:',
  },
  'leader-elect-lease-duration': {
    type: 'string',
    value: 'TIME',
    help: 'how long other candidates wait for a silent leader (default 15s)',
  },
  'leader-elect-renew-deadline': {
    type: 'string',
    value: 'TIME',
    help: 'how long the leader tries to renew before it gives up (default 10s)',
  },
  'leader-elect-retry-period': {
    type: 'string',
    value: 'TIME',
    help: 'time between two attempts (default 2s)',
  },
  'leader-elect-resource-lock': {
    type: 'string',
    default: 'leases',
    value: 'KIND',
    words: ['leases'],
    help: 'must be leases',
  },
  'leader-elect-resource-namespace': {
    type: 'string',
    value: 'NAME',
    help: 'namespace of the lease (default kube-system)',
  },
  'leader-elect-resource-name': {
    type: 'string',
    value: 'NAME',
    help: 'name of the lease (default kube-scheduler, or that of --scheduler-name)',
  },
  'dry-run': {
    type: 'string',
    default: 'false',
    help:
      'decide without writing: no bindings, no events, no lease; each line of the log has ' +
      'dryRun=true',
  },
  ...RECORD,
  'bind-address': {
    type: 'string',
    default: '127.0.0.1',
    value: 'ADDRESS',
    help: 'address for health and metrics (default 127.0.0.1)',
  },
  port: {
    type: 'string',
    value: 'N',
    help:
      'the port of /healthz, /livez, /readyz, /metrics and /metrics/resources (default 10259; 0: ' +
      'none)',
  },
  'secure-port': { type: 'string', value: 'N', help: 'the same over TLS, with the next two flags' },
  'tls-cert-file': { type: 'string', value: 'FILE', help: 'the certificate, PEM' },
  'tls-private-key-file': { type: 'string', value: 'FILE', help: 'its key, PEM' },
  'logging-format': {
    type: 'string',
    default: 'text',
    value: 'FORMAT',
    words: ['text', 'json'],
    help: 'text (default, as klog writes it) or json',
  },
  v: {
    type: 'string',
    short: 'v',
    default: DEFAULT_VERBOSITY,
    value: 'N',
    help: 'log verbosity (default 2; 0 little, 5 much)',
  },
  quiet: { type: 'string', short: 'q', default: 'false', help: 'log errors only' },
  help: { type: 'string', short: 'h', default: 'false', help: 'print this' },
});

/** @type {import('../arguments/manual.js').Manual} */
export const RUN = {
  name: 'run',
  takes: '[flags]',
  summary: 'schedule the pods of a cluster, as a second scheduler',
  description: `\
Schedules the pods of a cluster as kube-scheduler would, next to it or instead of it, until SIGINT
or SIGTERM. If several run, only the one that holds the lease decides. If the API server is of
another release than --kubernetes-version, the log says so.

The cluster is that of --kubeconfig or --context, or of --in-cluster; without these flags that of
the pod in which it runs, or else of the default kubeconfig (KUBECONFIG, ~/.kube/config).`,
  examples: [
    {
      why: 'What would it decide? It writes nothing.',
      command: 'stowage run --scheduler-name stowage --dry-run',
    },
    {
      why: 'The scheduler of all pods with schedulerName: stowage.',
      command: 'stowage run --kubeconfig ~/.kube/config --scheduler-name stowage',
    },
    {
      why: 'The same with a configuration, and a log for "stowage replay".',
      command: 'stowage run --config scheduler.yaml --record run.ndjson.gz',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'it was stopped',
    1: 'the lease was lost: another candidate leads',
    2: 'the cluster, the configuration or the command line cannot be used',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `run`
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
    kubernetesVersion: kubernetesVersionOf(values),
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
 * Adds the implied value to a switch.
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

/** @typedef {ReturnType<typeof parseRunArguments>} RunCommand */
