import { wholeNumber } from '../arguments/arguments.js';
import {
  ANSWER,
  parsedPresent,
  PRESENT,
  presentOptions,
  requireCluster,
} from '../arguments/present.js';
import { UsageError } from '../terminal/problems.js';

const FLAGS = /** @type {const} */ ({
  ...PRESENT,
  filename: {
    ...PRESENT.filename,
    help: 'a file of the cluster, or with --cluster a manifest; can be repeated',
  },
  force: {
    type: 'boolean',
    default: false,
    help: 'also evict pods without a controller, or of a DaemonSet that is gone: they end',
  },
  'delete-emptydir-data': {
    type: 'boolean',
    default: false,
    help: 'also evict pods with emptyDir volumes',
  },
  'ignore-daemonsets': {
    type: 'boolean',
    default: true,
    help: "kubectl's flag, always on: pods of DaemonSets stay",
  },
  'ready-seconds': {
    type: 'string',
    default: '0',
    value: 'N',
    help: 'how long a new pod takes to become ready (default 0)',
  },
  ...ANSWER,
});

/** @type {import('../arguments/manual.js').Manual} */
export const DRAIN = {
  name: 'drain',
  takes: 'NODE... --cluster FILE [flags]',
  summary: 'try to drain nodes: the order of evictions, where pods land, what blocks',
  description: `\
Reports how kubectl drain --ignore-daemonsets of the nodes would go, on a copy of a cluster. Nothing
is written. All nodes are cordoned. Then their pods are evicted node by node, in rounds: all that
the PodDisruptionBudgets grant; kube-scheduler places their successors, which count as ready
--ready-seconds after the grace period; then the next round. A successor that finds no node never
becomes ready, so it blocks its budget.

The cluster is a file written by "stowage snapshot" or by kubectl get -o json, also with -f; with
--kubeconfig or --context it is the current state of that cluster. With --cluster, the files of -f
are manifests that are applied first. Pods without a controller, pods of a DaemonSet that is gone
and pods with emptyDir volumes are refused, as by kubectl: then no pod of their node is evicted.
Where the cluster's DaemonSets are not in the input, each counts as there.`,
  examples: [
    {
      why: 'May this node be drained?',
      command: 'stowage drain node-3 --cluster snapshot.json',
    },
    {
      why: 'How long do two nodes take at most, if pods need a minute to start?',
      command: 'stowage drain n1 n2 --cluster snapshot.json --ready-seconds 60',
    },
    {
      why: 'On the cluster as it is now, with what kubectl would need flags for.',
      command: 'stowage drain n1 --context prod --force --delete-emptydir-data -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'the nodes can be drained, and all displaced pods have nodes',
    1: 'a pod cannot be evicted, or waits afterwards',
    2: 'the input or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `drain`
 * @throws {UsageError}
 */
export function parseDrainArguments(argv) {
  const { values, positionals } = parsedPresent(argv, FLAGS);
  const { help, filename } = values;
  if (!help && positionals.length === 0)
    throw new UsageError('drain needs the name of a node, or several');
  requireCluster('drain', values, filename);
  return {
    nodes: positionals,
    ...presentOptions(values, filename),
    force: values.force,
    deleteEmptyDirData: values['delete-emptydir-data'],
    readySeconds: wholeNumber('ready-seconds', values['ready-seconds']),
  };
}

/** @typedef {ReturnType<typeof parseDrainArguments>} DrainOptions */
