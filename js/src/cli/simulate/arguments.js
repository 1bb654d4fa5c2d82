import {
  connectionOf,
  oneOf,
  parsed,
  placingOptions,
  wholeNumber,
  validationMode,
} from '../arguments/arguments.js';
import {
  CONNECTION,
  EMPTY,
  HELP,
  INPUT,
  PLACING,
  QUIET,
  RECORD,
  SELECTOR,
  TABLES,
  validation,
} from '../arguments/flags.js';
import { isLive } from '../input/live_cluster.js';
import { GET_ALL_KINDS } from '../../kubernetes/needed_kinds.js';
import { UsageError } from '../terminal/problems.js';
import { selectorOf } from '../outcome/selection.js';

const FLAGS = /** @type {const} */ ({
  ...INPUT,
  ...EMPTY,
  ...CONNECTION,
  ...validation('warn'),
  output: {
    type: 'string',
    short: 'o',
    default: 'table',
    value: 'FORMAT',
    words: ['table', 'wide', 'json', 'yaml', 'name'],
    help: 'table (default), wide, json, yaml or name',
  },
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    help: 'report only the pods of this namespace; also the namespace of manifests without one',
  },
  ...SELECTOR,
  'all-namespaces': {
    type: 'boolean',
    short: 'A',
    default: false,
    help: 'report the pods of all namespaces (default)',
  },
  explain: {
    type: 'string',
    value: 'POD',
    help: "show one pod in detail: each node with each plugin's verdict and score",
  },
  'all-plugins': {
    type: 'boolean',
    default: false,
    help: 'with --explain: show every plugin that refuses a node, not only the first',
  },
  limit: {
    type: 'string',
    default: '50',
    value: 'N',
    help: 'with --explain: show at most N nodes (default 50, 0 for all)',
  },
  ...PLACING,
  ...RECORD,
  ...TABLES,
  speed: { type: 'boolean', default: false, help: 'report the speed' },
  ...QUIET,
  verbose: {
    type: 'boolean',
    short: 'v',
    default: false,
    help: 'also list the ignored kinds',
  },
  ...HELP,
});

/** @type {import('../arguments/manual.js').Manual} */
export const SIMULATE = {
  name: 'simulate',
  takes: '[FILE...] [flags]',
  summary: 'place the pending pods of a cluster, and report why others stay pending',
  description: `\
Places the pending pods of a cluster as kube-scheduler would, one by one, and reports with its
message why others stay pending. Below the table, pods that wait for the same reason are grouped;
each reason has the node that is nearest to accepting such a pod, and what is missing there. Nothing
is written.

A FILE is YAML or JSON, with one or more documents, or Lists as kubectl prints them; the output of
"kubectl cluster-info dump"; a directory (its .yaml, .yml, .json, .ndjson and .jsonl files; with -R,
and for a directory written by that dump, those of its subdirectories too); or - for standard input.
Each may be compressed with gzip. The others are read even if one cannot be. Deployments,
ReplicaSets, StatefulSets, DaemonSets and Jobs are expanded into the pods that they still lack, and
their claims. Pods are ordered by priority, then by the order of the files. Pods that are being
deleted, or belong to another scheduler, stay as they are. With --kubeconfig or --context the
cluster is the current state of that cluster, and FILEs are added to it.

Kinds that decisions read and the input lacks are reported: owners and Services for the default
spreading, Namespaces for selectors, PodDisruptionBudgets for evictions, the kinds that volumes and
devices need, classes. The first example gets all of them; a cluster older than v1.34 does not serve
the last four kinds. With --strict missing kinds are an error, also those of which the cluster may
have none, such as LimitRanges.`,
  examples: [
    {
      why: 'Where would the pods that are pending now go?',
      command: `${GET_ALL_KINDS} | stowage simulate -`,
    },
    {
      why: 'Would this application fit into that cluster?',
      command: 'stowage simulate cluster.json -f app/',
    },
    {
      why: 'Why does this pod stay pending, node by node?',
      command: 'stowage simulate cluster.json --explain default/web-0 --all-plugins',
    },
    {
      why: 'The same with another configuration, as JSON.',
      command: 'stowage simulate cluster.json --config scheduler.yaml -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'every pod of this scheduler has a node',
    1: 'some pods stay pending, or wait for their volumes',
    2: 'the command line is wrong, or not all of the input can be read; the rest was placed',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `simulate`
 * @throws {UsageError}
 */
export function parseArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  const files = [...positionals, ...values.filename];
  if (!values.help && files.length === 0 && !isLive(values))
    throw new UsageError('simulate needs a file, a directory, or - for standard input');
  if (values.namespace === '') throw new UsageError('--namespace needs a name; -A is all of them');
  if (values.explain === '') throw new UsageError('--explain needs the name of a pod');
  if (values.record === '') throw new UsageError('--record needs a file');
  return {
    files,
    ...connectionOf(values, []),
    recursive: values.recursive,
    validate: validationMode(values),
    skipInvalid: values['skip-invalid'],
    allowEmpty: values['allow-empty'],
    output: oneOf('output', values.output, ['table', 'wide', 'json', 'yaml', 'name']),
    namespace: values['all-namespaces'] ? undefined : values.namespace,
    explain: values.explain,
    allPlugins: values['all-plugins'],
    limit: wholeNumber('limit', values.limit),
    ...placingOptions(values),
    record: values.record,
    selector: selectorOf(values.selector),
    headers: !values['no-headers'],
    color: oneOf('color', values.color, ['auto', 'always', 'never']),
    speed: values.speed,
    quiet: values.quiet,
    verbose: values.verbose,
    help: values.help,
  };
}

/** @typedef {ReturnType<typeof parseArguments>} SimulateOptions */
