import { oneOf, parsed, requireValues } from '../arguments/arguments.js';
import { CONNECTION, EMPTY, HELP, INPUT, QUIET } from '../arguments/flags.js';
import { GET_ALL_KINDS } from '../../kubernetes/needed_kinds.js';
import { UsageError } from '../terminal/problems.js';

const FLAGS = /** @type {const} */ ({
  ...INPUT,
  ...EMPTY,
  ...CONNECTION,
  'in-cluster': {
    type: 'boolean',
    default: false,
    help: 'connect with the service account of the pod in which it runs',
  },
  anonymize: {
    type: 'boolean',
    default: false,
    help: 'replace all names without changing any decision',
  },
  names: {
    type: 'string',
    value: 'FILE',
    help: 'with --anonymize: write the true names to a file, as JSON',
  },
  config: {
    type: 'string',
    value: 'FILE',
    help: 'with --anonymize: the KubeSchedulerConfiguration of the cluster',
  },
  'config-output': {
    type: 'string',
    value: 'FILE',
    help: 'write that configuration with the same names, as JSON',
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

/** @type {import('../arguments/manual.js').Manual} */
export const SNAPSHOT = {
  name: 'snapshot',
  takes: '[FILE...] [flags]',
  summary: 'write only what the scheduler reads of a cluster, as a List',
  description: `\
Writes the objects of a cluster to standard output, reduced to the fields that kube-scheduler and
the other commands read: no secrets, no environment, no commands, no managed fields, and only the
few annotations that affect decisions. Volumes that are only compared, and may contain passwords,
become numbers. The results of all commands are the same as for the cluster, except that "check"
cannot compare the dropped fields of templates, and treats a template with them as changed. The List
names the release of the cluster: commands that decide as another one warn.

Without a FILE it reads the cluster of --kubeconfig and --context, that of the pod in which it runs,
or that of the default kubeconfig. Kinds that may not be listed are left out with a warning, except
nodes and pods. It lists one kind after another, so that a busy cluster may change in between. A
FILE is the output of kubectl get -o json, or - for standard input.

With --anonymize all names are replaced: namespaces, objects, labels and their values, taints,
images, extended resources, classes, volumes, schedulers, addresses. Numbers, times, quantities, and
names defined by Kubernetes, such as topology.kubernetes.io/zone, stay. The new names sort as the
true ones do, and compared integers stay integers in their order: every decision is the same. Names
are replaced by parts, between hyphens; ordinals of StatefulSets and similar numbers stay. Pods that
workloads lack are created first. Attributes and expressions of devices (resource.k8s.io) stay as
they are.`,
  examples: [
    { why: 'For checks in CI.', command: 'stowage snapshot > snapshot.json' },
    {
      why: 'From the output of kubectl.',
      command: `${GET_ALL_KINDS} | stowage snapshot -`,
    },
    {
      why: 'For a bug report; the true names stay on this machine.',
      command: 'stowage snapshot --anonymize --names names.json > report.json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'the snapshot is written',
    2: 'the input, the cluster or the command line cannot be used',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `snapshot`
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
