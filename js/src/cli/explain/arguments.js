import { wholeNumber } from '../arguments/arguments.js';
import { isLive } from '../input/live_cluster.js';
import { ANSWER, parsedPresent, PRESENT, presentOptions } from '../arguments/present.js';
import { UsageError } from '../terminal/problems.js';

const FLAGS = /** @type {const} */ ({
  ...PRESENT,
  namespace: {
    ...PRESENT.namespace,
    help: 'the namespace of the pod, and of manifests without one',
  },
  node: {
    type: 'string',
    value: 'NAME',
    help: 'print one sentence: why the pod is not on this node, and the devices that claims lack',
  },
  against: {
    type: 'string',
    value: 'NODE',
    help: 'compare the node that the pod gets with this one, and find what would change that',
  },
  'all-plugins': {
    type: 'boolean',
    default: false,
    help: 'show every plugin that refuses a node, not only the first',
  },
  limit: {
    type: 'string',
    default: '50',
    value: 'N',
    help: 'show at most N nodes, or pods of a group (default 50, 0 for all)',
  },
  ...ANSWER,
});

/** @type {import('../arguments/manual.js').Manual} */
export const EXPLAIN = {
  name: 'explain',
  takes: 'KIND/NAME FILE... [flags]',
  summary: 'explain why a pod is on its node, or on none: each node with each plugin',
  description: `\
Reports the verdict of each plugin on each node for one pod, in the cluster's state at the pod's
turn: pods that are pending before it are placed first. A cell is the plugin's reason if it refuses
the node, its weighted score if the node fits, "ok" if it passed the node, and a dot if it was not
called. Below, each node that refuses the pod has the pods, taints and so on that cause it and the
missing amounts, the nearest node first. If nodes lack devices for the pod's claims, a last table
has for each node and request how many devices are left after each rule.

A FILE is one of those that "stowage help simulate" describes; with --cluster the files are
manifests, applied to that cluster first, as in "stowage check". With --kubeconfig or --context the
cluster is the current state of that cluster. The pod is NAME, pod/NAME or NAMESPACE/NAME; for
deployment/NAME, job/NAME and so on it is the first pod that finds no node, else the first that was
pending, else the first. A bound pod is evaluated as if it had just been taken off its node. For a
pod in the manifests that names its node, the kubelet's admission and the pod's claims are checked.

podgroup/NAME explains a PodGroup at its turn: how many of its pods can run, the pod that blocks it
and what its nearest node lacks, whether another order of the pods would help, the largest minCount
that would pass, the pods that each topology domain takes, and what preemption would have to remove.
Without the feature gate GenericWorkload its pods are asked as a gang all the same.`,
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
      why: 'Why not on that node, and what would bring it there?',
      command: 'stowage explain pod/web-0 cluster.json --against node-3',
    },
    {
      why: 'Where would it go, if it were applied to that cluster?',
      command: 'stowage explain deployment/web -f web.yaml --cluster snapshot.json',
    },
    {
      why: 'Why does this gang not start, and which of its pods blocks it?',
      command: 'stowage explain podgroup/train cluster.json',
    },
    {
      why: 'The ten best nodes of the cluster as it is now.',
      command: 'stowage explain pod/web-0 --context prod --limit 10',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'it fits on a node, or the group starts; with --node, --against: that one fits',
    1: 'it fits on none, or the group does not start now; with --node, --against: it does not',
    2: 'the input or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `explain`
 * @throws {UsageError}
 */
export function parseExplainArguments(argv) {
  const { values, positionals } = parsedPresent(argv, FLAGS);
  const [pod, ...named] = positionals;
  const files = [...named, ...values.filename];
  const { cluster, help } = values;
  if (!help && !pod)
    throw new UsageError('explain needs a pod: its name, or a workload as deployment/NAME');
  if (values.node !== undefined && values.against !== undefined)
    throw new UsageError('--node does not go with --against');
  if (!help && files.length + cluster.length === 0 && !isLive(values))
    throw new UsageError('explain needs a cluster: a file, a directory, or - for standard input');
  return {
    pod,
    ...presentOptions(values, files),
    node: values.node,
    against: values.against,
    allPlugins: values['all-plugins'],
    limit: wholeNumber('limit', values.limit),
  };
}

/** @typedef {ReturnType<typeof parseExplainArguments>} ExplainOptions */
