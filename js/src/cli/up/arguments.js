import { gates, kubernetesVersionOf, parsed, wholeNumber } from '../arguments/arguments.js';
import {
  CONFIG,
  FEATURE_GATES,
  HELP,
  INPUT,
  KUBERNETES_VERSION,
  RECORD,
  SCHEDULER_NAME,
} from '../arguments/flags.js';
import { GET_ALL_KINDS } from '../../kubernetes/needed_kinds.js';
import { UsageError } from '../terminal/problems.js';

/** Larger clusters exceed what Kubernetes supports. */
const MOST_NODES = 15_000;

const FLAGS = /** @type {const} */ ({
  ...INPUT,
  host: {
    type: 'string',
    default: '127.0.0.1',
    value: 'ADDRESS',
    help: 'the address to serve at (default 127.0.0.1); there is no authentication',
  },
  port: {
    type: 'string',
    default: '8001',
    value: 'N',
    help: 'the port to serve at (default 8001; 0: any free port)',
  },
  nodes: {
    type: 'string',
    value: 'N',
    help: 'how many nodes the sample has, or how many are added to those of the files',
  },
  ...CONFIG,
  ...KUBERNETES_VERSION,
  ...FEATURE_GATES,
  ...SCHEDULER_NAME,
  'no-kubelet': {
    type: 'boolean',
    default: false,
    help: 'pods stay as the scheduler leaves them: bound, not running',
  },
  history: {
    type: 'string',
    default: '10000',
    value: 'N',
    help: 'changes per resource from which watches can resume (default 10000)',
  },
  ...RECORD,
  for: { type: 'string', value: 'SECONDS', help: 'end after this time' },
  open: { type: 'boolean', default: false, help: 'open its page in the browser' },
  quiet: { type: 'boolean', short: 'q', default: false, help: 'print only the address' },
  ...HELP,
});

/** @type {import('../arguments/manual.js').Manual} */
export const UP = {
  name: 'up',
  takes: '[FILE...] [flags]',
  summary: 'serve an in-memory cluster for kubectl, scheduled live',
  description: `\
Serves an in-memory cluster over the Kubernetes API v1.36 for kubectl, and schedules it live, with
all controllers: Deployments, StatefulSets, DaemonSets, Jobs and CronJobs create their pods, owned
objects are deleted with their owners, namespaces terminate, volumes are provisioned and bound, and
pods report that they run, although there are no containers. Decisions are printed as they are made.
Nothing is kept when it ends.

A page at /playground/ shows the same cluster, and why each pod is where it is; kubectl sees changes
made there. Requests from pages of other sites are refused.

Without a FILE it serves a sample: six nodes in three zones, a few applications, and one that fits
nowhere. A FILE is YAML or JSON, with one or more documents, or Lists as kubectl prints them; a
directory (with -R including its subdirectories); or - for standard input. Objects of a real cluster
are loaded unchanged; those without a uid count as just created.`,
  examples: [
    {
      why: 'A cluster to try things on with: kubectl --server http://127.0.0.1:8001 get pods',
      command: 'stowage up',
    },
    {
      why: 'The cluster of a dump, with its pods on their nodes',
      command: `${GET_ALL_KINDS} > cluster.json\n` + '  stowage up -f cluster.json',
    },
    { why: 'A hundred nodes and nothing else', command: 'stowage up -f empty.yaml --nodes 100' },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'it was stopped',
    2: 'the input or the command line is wrong, or the port is in use',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `up`
 * @throws {UsageError}
 */
export function parseUpArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  for (const flag of /** @type {const} */ (['host', 'config', 'scheduler-name', 'record']))
    if (values[flag] === '') throw new UsageError(`--${flag} needs a value`);
  const port = wholeNumber('port', values.port);
  if (port > 65_535) throw new UsageError(`--port is at most 65535, not ${port}`);
  const history = wholeNumber('history', values.history);
  if (history === 0) throw new UsageError('--history is at least 1');
  const nodes = values.nodes === undefined ? undefined : wholeNumber('nodes', values.nodes);
  if (nodes !== undefined && nodes > MOST_NODES)
    throw new UsageError(`--nodes is at most ${MOST_NODES}, not ${nodes}`);
  return {
    files: [...positionals, ...values.filename],
    recursive: values.recursive,
    skipInvalid: values['skip-invalid'],
    host: values.host,
    port,
    nodes,
    schedulerName: values['scheduler-name'],
    config: values.config,
    kubernetesVersion: kubernetesVersionOf(values),
    featureGates: gates(values['feature-gates']),
    kubelet: !values['no-kubelet'],
    history,
    record: values.record,
    seconds: values.for === undefined ? undefined : wholeNumber('for', values.for),
    open: values.open,
    quiet: values.quiet,
    help: values.help,
  };
}

/** @typedef {ReturnType<typeof parseUpArguments>} UpCommand */
