import { countFrom1 } from '../arguments/arguments.js';
import {
  ANSWER,
  parsedPresent,
  PRESENT,
  presentOptions,
  requireCluster,
} from '../arguments/present.js';

const FLAGS = /** @type {const} */ ({
  ...PRESENT,
  empty: {
    type: 'string',
    value: 'N',
    help: 'how many nodes are to be empty; default as many as possible',
  },
  keep: {
    type: 'string',
    multiple: true,
    default: /** @type {string[]} */ ([]),
    value: 'NODE',
    help: 'a node that is not emptied; can be repeated',
  },
  price: {
    type: 'string',
    value: 'LABEL',
    help: 'the label whose value is the price of a node: the most expensive are emptied first',
  },
  'delete-emptydir-data': {
    type: 'boolean',
    default: false,
    help: 'also move pods with emptyDir volumes',
  },
  'max-trials': {
    type: 'string',
    default: '10000',
    value: 'N',
    help: 'the most nodes that are tried (default 10000)',
  },
  ...ANSWER,
});

/** @type {import('../arguments/manual.js').Manual} */
export const REPACK = {
  name: 'repack',
  takes: '--cluster FILE [--empty N] [flags]',
  summary: 'find the moves that empty nodes, within PodDisruptionBudgets',
  description: `\
Finds the moves that empty nodes of a cluster, and where kube-scheduler puts the moved pods.
Nothing is written. All emptied nodes are cordoned first. Then pods are evicted in steps, as many at
once as the PodDisruptionBudgets grant; a step begins when the pods of the one before are ready. The
moves are replayed from scratch.

A node stays if a pod of it would wait, would preempt another one, or has no controller, if a budget
forbids an eviction, or if it belongs to the control plane. Nodes with little to move are tried
first, each in addition to those that can be emptied already. Another order may empty more nodes.

The cluster is a file written by "stowage snapshot" or by kubectl get -o json, also with -f; with
--kubeconfig or --context it is the current state of that cluster.`,
  examples: [
    {
      why: 'How many nodes can be emptied, and how?',
      command: 'stowage repack --cluster snapshot.json',
    },
    {
      why: 'Empty two nodes, the most expensive first, but never n1.',
      command:
        'stowage repack --cluster snapshot.json --empty 2 --price example.com/hourly --keep n1',
    },
    {
      why: 'The moves in a live cluster, as JSON.',
      command: 'stowage repack --context prod -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'as many nodes as --empty says can be emptied; without it, at least one',
    1: 'fewer can',
    2: 'the input or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `repack`
 * @throws {import('../terminal/problems.js').UsageError}
 */
export function parseRepackArguments(argv) {
  const { values, positionals } = parsedPresent(argv, FLAGS);
  const files = [...positionals, ...values.filename];
  const { empty } = values;
  requireCluster('repack', values, files);
  return {
    ...presentOptions(values, files),
    empty: empty === undefined ? undefined : countFrom1('empty', empty),
    keep: values.keep,
    price: values.price,
    deleteEmptyDirData: values['delete-emptydir-data'],
    maxTrials: countFrom1('max-trials', values['max-trials']),
  };
}

/** @typedef {ReturnType<typeof parseRepackArguments>} RepackOptions */
