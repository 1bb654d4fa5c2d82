import {
  connectionOf,
  oneOf,
  parsed,
  placingOptions,
  requireValues,
  wholeNumber,
  validationMode,
} from './arguments.js';
import {
  CLUSTER,
  CONNECTION,
  HELP,
  INPUT,
  OUTPUT,
  PLACING,
  QUIET,
  TABLES,
  validation,
} from './flags.js';
import { isLive } from './live_cluster.js';
import { UsageError } from './problems.js';

const FLAGS = /** @type {const} */ ({
  ...INPUT,
  ...CLUSTER,
  ...CONNECTION,
  ...validation('warn'),
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    help: 'of the pod, and of manifests that name none',
  },
  node: { type: 'string', value: 'NAME', help: 'only why it is not on this node, in one sentence' },
  'all-plugins': {
    type: 'boolean',
    default: false,
    help: 'every plugin that refuses a node, not only the first',
  },
  limit: {
    type: 'string',
    default: '50',
    value: 'N',
    help: 'at most N nodes (default 50, 0 for all)',
  },
  ...OUTPUT,
  ...PLACING,
  ...TABLES,
  ...QUIET,
  ...HELP,
});

/** @type {import('./manual.js').Manual} */
export const EXPLAIN = {
  name: 'explain',
  takes: 'KIND/NAME FILE... [flags]',
  summary: 'why a pod is on its node, or on none: each node with each plugin',
  description: `\
Says what each plugin says of each node for one pod, in the cluster as it is when the pod's turn
comes: pods that are pending before it go first. A cell is the plugin's reason where it refuses the
node, its weighted score where the node fits, "ok" where it let the node pass, and a dot where it
was not asked. Below, each node that refuses the pod says who is in the way and how much is missing,
the nearest node first.

A FILE is one of those that "stowage help simulate" describes; with --cluster the files are
manifests, applied to that cluster first, as "stowage check" does it. With --kubeconfig or --context
the cluster is that one, as it is now. The pod is NAME, pod/NAME or NAMESPACE/NAME; of
deployment/NAME, job/NAME and so on it is the first one that finds no node, else the first that was
pending, else the first. One that is bound is asked about as if it had just been taken off its node.
Of one in the manifests that names its node the kubelet is asked.`,
  examples: [
    {
      why: 'Why does this pod stay pending, node by node?',
      command: 'stowage explain pod/web-0 cluster.json --all-plugins',
    },
    {
      why: 'Why is it not on that node?',
      command: 'stowage explain shop/web-0 -f cluster.json --node node-3',
    },
    {
      why: 'Where would it go, if it were applied to that cluster?',
      command: 'stowage explain deployment/web -f web.yaml --cluster snapshot.json',
    },
    {
      why: 'The ten best nodes of the cluster as it is now.',
      command: 'stowage explain pod/web-0 --context prod --limit 10',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'there is a node that it fits on; with --node: it fits on that one',
    1: 'there is none; with --node: it does not',
    2: 'the input or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv what follows `explain`
 * @throws {UsageError}
 */
export function parseExplainArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  requireValues(values);
  const [pod, ...named] = positionals;
  const files = [...named, ...values.filename];
  const { cluster, help } = values;
  if (!help && !pod)
    throw new UsageError('explain needs a pod: its name, or a workload as deployment/NAME');
  if (!help && files.length + cluster.length === 0 && !isLive(values))
    throw new UsageError('explain needs a cluster: a file, a directory, or - for standard input');
  return {
    pod,
    files,
    cluster,
    ...connectionOf(values, cluster),
    recursive: values.recursive,
    validate: validationMode(values),
    skipInvalid: values['skip-invalid'],
    namespace: values.namespace,
    node: values.node,
    allPlugins: values['all-plugins'],
    limit: wholeNumber('limit', values.limit),
    output: oneOf('output', values.output, ['table', 'json', 'yaml']),
    ...placingOptions(values),
    headers: !values['no-headers'],
    color: oneOf('color', values.color, ['auto', 'always', 'never']),
    quiet: values.quiet,
    help,
  };
}

/** @typedef {ReturnType<typeof parseExplainArguments>} ExplainOptions */
