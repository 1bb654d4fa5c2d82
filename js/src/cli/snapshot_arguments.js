import { oneOf, parsed, requireValues } from './arguments.js';
import { CONNECTION, EMPTY, HELP, INPUT, QUIET } from './flags.js';
import { GET_ALL_KINDS } from './needed_kinds.js';
import { UsageError } from './problems.js';

const FLAGS = /** @type {const} */ ({
  ...INPUT,
  ...EMPTY,
  ...CONNECTION,
  'in-cluster': {
    type: 'boolean',
    default: false,
    help: 'by the service account of the pod that this runs in',
  },
  anonymize: {
    type: 'boolean',
    default: false,
    help: 'give everything other names, without changing any decision',
  },
  names: {
    type: 'string',
    value: 'FILE',
    help: 'with --anonymize: write the true names into a file, as JSON, to keep',
  },
  config: {
    type: 'string',
    value: 'FILE',
    help: 'with --anonymize: a KubeSchedulerConfiguration that goes with the cluster',
  },
  'config-output': {
    type: 'string',
    value: 'FILE',
    help: 'where it is written under the same names, as JSON',
  },
  output: {
    type: 'string',
    short: 'o',
    default: 'json',
    value: 'FORMAT',
    words: ['json', 'yaml'],
    help: 'json (default) or yaml',
  },
  ...QUIET,
  ...HELP,
});

/** @type {import('./manual.js').Manual} */
export const SNAPSHOT = {
  name: 'snapshot',
  takes: '[FILE...] [flags]',
  summary: 'what the scheduler reads of a cluster, and no more, as a List',
  description: `\
Writes the objects of a cluster to standard output, down to what kube-scheduler v1.36 reads of them:
no secrets, no environment, no commands, no managed fields, and of annotations the few that decide.
Volumes that are only compared, and may hold passwords, become numbers. What "stowage simulate",
"check" and "capacity" say of the snapshot they say of the cluster.

Without a FILE it asks the cluster of --kubeconfig and --context, that of the pod that this runs in,
or that of the usual kubeconfig; what may not be listed is left out, with a warning, but nodes and
pods. Lists come one after another, so that a busy cluster goes on between them. A FILE is what
kubectl get -o json prints, or - for standard input.

With --anonymize everything has another name: namespaces, objects, labels and their values, taints,
images, extended resources, classes, volumes, schedulers, addresses. Left are numbers, times,
quantities, and names that Kubernetes itself gives, such as topology.kubernetes.io/zone. Names sort
as the true ones do, integers that are compared stay integers in their order: every decision is the
same. Pods that workloads lack are made first. Of devices (resource.k8s.io) attributes and
expressions stay as they are.`,
  examples: [
    { why: 'For a check in CI.', command: 'stowage snapshot > snapshot.json' },
    {
      why: 'Of what kubectl says.',
      command: `${GET_ALL_KINDS} | stowage snapshot -`,
    },
    {
      why: 'For a report to somebody else; the names stay here.',
      command: 'stowage snapshot --anonymize --names names.json > report.json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'it is written',
    2: 'the input, the cluster or the command line cannot be used',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv what follows `snapshot`
 * @throws {UsageError}
 */
export function parseSnapshotArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  requireValues(values);
  const { kubeconfig, context, names, anonymize } = values;
  const inCluster = values['in-cluster'];
  const files = [...positionals, ...values.filename];
  const isNamed = kubeconfig !== undefined || context !== undefined;
  if (inCluster && isNamed)
    throw new UsageError('--in-cluster does not go with --kubeconfig and --context');
  if (files.length > 0 && (isNamed || inCluster))
    throw new UsageError('a FILE does not go with --kubeconfig, --context and --in-cluster');
  if (names !== undefined && !anonymize) throw new UsageError('--names goes with --anonymize');
  const { config, 'config-output': configOutput } = values;
  if (config !== undefined && !anonymize) throw new UsageError('--config goes with --anonymize');
  if ((config === undefined) !== (configOutput === undefined))
    throw new UsageError('--config and --config-output go together');
  return {
    files,
    config,
    configOutput,
    recursive: values.recursive,
    skipInvalid: values['skip-invalid'],
    allowEmpty: values['allow-empty'],
    kubeconfig,
    context,
    inCluster,
    anonymize,
    names,
    output: oneOf('output', values.output, ['json', 'yaml']),
    quiet: values.quiet,
    help: values.help,
  };
}

/** @typedef {ReturnType<typeof parseSnapshotArguments>} SnapshotOptions */
