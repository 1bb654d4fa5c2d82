import {
  SOURCES,
  connectionOf,
  oneOf,
  parsed,
  placingOptions,
  requireValues,
  validationMode,
} from './arguments.js';
import {
  CLUSTER,
  CONNECTION,
  EMPTY,
  HELP,
  INPUT,
  NAMESPACE,
  PLACING,
  QUIET,
  TABLES,
  validation,
} from './flags.js';
import { isLive } from './live_cluster.js';
import { UsageError } from './problems.js';

/** @typedef {'table' | 'json' | 'junit' | 'sarif' | 'github'} CheckFormat */

const FLAGS = /** @type {const} */ ({
  ...INPUT,
  ...EMPTY,
  ...CLUSTER,
  ...CONNECTION,
  ...NAMESPACE,
  ...validation('strict'),
  output: {
    type: 'string',
    short: 'o',
    default: 'table',
    value: 'FORMAT',
    words: ['table', 'json', 'junit', 'sarif', 'github'],
    help: 'table (default), json, junit, sarif, or github: annotations of a workflow',
  },
  ...PLACING,
  ...TABLES,
  ...QUIET,
  ...HELP,
});

/** @type {import('./manual.js').Manual} */
export const CHECK = {
  name: 'check',
  takes: '-f FILE --cluster FILE [flags]',
  summary: 'will all replicas of these manifests fit into that cluster?',
  description: `\
Says whether all replicas of manifests would find a node in a cluster, workload by workload, and why
not in the words of kube-scheduler v1.36. Nothing outside is changed.

A FILE is YAML or JSON, a directory (with -R those inside of it too), or - for standard input, as
"stowage help simulate" says. The cluster is what "stowage snapshot" writes, or kubectl get -o json;
with --kubeconfig or --context it is that one, as it is now.

Its pending pods come first, by their priority. Deployments, ReplicaSets, StatefulSets,
DaemonSets, Jobs and Pods of the manifests take the place of those that the cluster has under the
same name: the pods of these go, and all replicas are placed anew; only the running pods below a
StatefulSet's partition stay. A manifest without replicas keeps the cluster's count, as with
kubectl apply. A CronJob is checked as one run of it. Of a pod that names its node the kubelet there
is asked: resources, ports, node affinity and NoExecute taints. What takes its place by evicting
pods of a lower priority fits, with a warning. A DaemonSet that no node suits and a Job that is
suspended ask for no pods: they are NotChecked.

Where a template changes, the rollout is gone through step by step, as the update strategy has it
(maxSurge, maxUnavailable, partition): the engine places each new pod while the old ones still run.
When one never finds a node, the result is RolloutWouldHang, with that pod and the reason.`,
  examples: [
    {
      why: 'Would this application fit into the cluster as it was this morning?',
      command: 'stowage check -f manifests/ --cluster snapshot.json',
    },
    {
      why: 'In a workflow of GitHub: annotations beside the lines of the manifests.',
      command: 'stowage check -f manifests/ --cluster snapshot.json -o github',
    },
    {
      why: 'For code scanning, and for whatever shows test results.',
      command: 'stowage check -f manifests/ --cluster snapshot.json -o sarif > check.sarif',
    },
    {
      why: 'What a chart makes, into the cluster as it is now.',
      command: 'helm template web | stowage check - --context prod',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'all replicas fit',
    1: 'some do not, or a rollout would hang',
    2: 'the command line is wrong, or not all of the input can be read; the rest was checked',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv what follows `check`
 * @throws {UsageError}
 */
export function parseCheckArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  requireValues(values);
  const files = [...positionals, ...values.filename];
  const { cluster, help } = values;
  if (!help && files.length === 0)
    throw new UsageError('check needs manifests: -f with a file, a directory, or -');
  if (!help && cluster.length === 0 && !isLive(values))
    throw new UsageError(`check needs a cluster: ${SOURCES}`);
  return {
    files,
    cluster,
    ...connectionOf(values, cluster),
    recursive: values.recursive,
    namespace: values.namespace,
    validate: validationMode(values),
    skipInvalid: values['skip-invalid'],
    allowEmpty: values['allow-empty'],
    output: oneOf('output', values.output, ['table', 'json', 'junit', 'sarif', 'github']),
    ...placingOptions(values),
    headers: !values['no-headers'],
    color: oneOf('color', values.color, ['auto', 'always', 'never']),
    quiet: values.quiet,
    help,
  };
}

/** @typedef {ReturnType<typeof parseCheckArguments>} CheckOptions */
