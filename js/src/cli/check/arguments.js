import {
  SOURCES,
  connectionOf,
  oneOf,
  parsed,
  placingOptions,
  requireValues,
  validationMode,
} from '../arguments/arguments.js';
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
} from '../arguments/flags.js';
import { isLive } from '../input/live_cluster.js';
import { UsageError } from '../terminal/problems.js';

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
    help: 'table (default), json, junit, sarif, or github (workflow annotations)',
  },
  gang: {
    type: 'boolean',
    default: false,
    help: 'ask Jobs, JobSets, LeaderWorkerSets and pod groups as gangs: all pods or none',
  },
  ...PLACING,
  ...TABLES,
  ...QUIET,
  ...HELP,
});

/** @type {import('../arguments/manual.js').Manual} */
export const CHECK = {
  name: 'check',
  takes: '-f FILE --cluster FILE [flags]',
  summary: 'check whether all replicas of manifests fit into a cluster',
  description: `\
Reports for each workload of the manifests whether all of its replicas would find a node in a
cluster, and if not, why, with the message of kube-scheduler. Nothing is written.

A FILE is YAML or JSON, a directory (with -R including its subdirectories), or - for standard input,
as in "stowage help simulate". The cluster is a file written by "stowage snapshot" or by kubectl get
-o json; with --kubeconfig or --context it is the current state of that cluster.

The cluster's pending pods are placed first, by priority. Deployments, ReplicaSets, StatefulSets,
DaemonSets, Jobs and Pods of the manifests replace those of the same name in the cluster: the old
pods are removed, and all replicas are placed again; only the running pods below a StatefulSet's
partition stay, and missing ones have the former template. A manifest without replicas keeps the
cluster's count, as with kubectl apply, and manifests of other kinds change the cluster's object as
that does: a claim stays bound. A manifest in a version that no supported release serves is an
error. A CronJob is checked as one run, next to its running Jobs if it allows that, and JobSets,
LeaderWorkerSets and the Jobs of Volcano as what their controllers create; a topology that these or
Kueue demand is named as not modelled. For a pod that names its node, the kubelet's admission is
checked: resources, ports, node affinity and NoExecute taints; it does not fit if it waits there for
claims that only a scheduler binds or allocates. A pod that needs to evict pods of a lower priority
fits, with a warning. A DaemonSet that no node suits and a suspended Job request no pods: they are
NotChecked, as are objects of unknown kinds with a pod template. A note names the others that only
their own controllers read, such as autoscalers.

If a template changes, the rollout is simulated step by step with the update strategy (maxSurge,
maxUnavailable, partition): the engine places each new pod while the old ones still run. If one
never finds a node, the result is RolloutWouldHang, with that pod and the reason.

With --gang, the pods of a Job, of a JobSet, of each group of a LeaderWorkerSet and of a PodGroup
are asked as one gang, also for a cluster without pod groups: minCount of them find nodes, or none
counts as placed. The reason names the pod that blocks the gang, and the nearest topology domain.
PodGroups of Kubernetes, Volcano (minMember) and KAI (minMember, subGroups), minAvailable of
Volcano's Jobs, and Kueue's podset-required-topology are read; queues, quotas and the like are
named as not modelled. The gangs are asked in the order of the manifests, after all other pods;
rollouts of their workloads are not simulated.`,
  examples: [
    {
      why: 'Would this application fit into the cluster as it was this morning?',
      command: 'stowage check -f manifests/ --cluster snapshot.json',
    },
    {
      why: 'Would this training start as a whole, even if the cluster has no pod groups?',
      command: 'stowage check --gang -f job.yaml --cluster snapshot.json',
    },
    {
      why: 'In a GitHub workflow: annotations at the lines of the manifests.',
      command: 'stowage check -f manifests/ --cluster snapshot.json -o github',
    },
    {
      why: 'For code scanning.',
      command: 'stowage check -f manifests/ --cluster snapshot.json -o sarif > check.sarif',
    },
    {
      why: 'The output of a chart, in the current state of a cluster.',
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
 * @param {string[]} argv the arguments after `check`
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
    gang: values.gang,
    ...placingOptions(values),
    headers: !values['no-headers'],
    color: oneOf('color', values.color, ['auto', 'always', 'never']),
    quiet: values.quiet,
    help,
  };
}

/** @typedef {ReturnType<typeof parseCheckArguments>} CheckOptions */
