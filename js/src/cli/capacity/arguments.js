import { MOST_CLONES } from '../../whatif/capacity.js';
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
  ratio: {
    type: 'string',
    value: 'A:B',
    help: 'several pods together, in this ratio: whole numbers in the order of the files',
  },
  'in-order': {
    type: 'boolean',
    default: false,
    help: 'several pods together: as many as fit of the first, then of the second, and so on',
  },
  'at-least': {
    type: 'string',
    default: '1',
    value: 'N',
    help: 'how many must fit for exit code 0; of several pods, how many of each (default 1)',
  },
  'max-limit': {
    type: 'string',
    value: 'N',
    help: `stop counting at N (default ${MOST_CLONES}, or the value of --at-least)`,
  },
  ...ANSWER,
});

/** @type {import('../arguments/manual.js').Manual} */
export const CAPACITY = {
  name: 'capacity',
  takes: '-f POD --cluster FILE [flags]',
  summary: 'count how many more copies of a pod fit, and report what stops the next',
  description: `\
Schedules clones of a pod into a cluster, one after another as kube-scheduler would, until one
finds no node. Reports how many fit, on which nodes, and why the next one does not. Nothing is
written.

POD is a file with a Pod, or with a Deployment, ReplicaSet, ReplicationController, StatefulSet or
Job, whose pod is cloned; other objects in the file are applied. The cluster is a file written by
"stowage snapshot" or by kubectl get -o json; with --kubeconfig or --context it is the current state
of that cluster. Its pending pods stay pending, and no pod is evicted. All clones share the claims
that the pod names. If no plugin stops the count, --max-limit does: the result is LimitReached.

With --ratio or --in-order the files have several pods and workloads, which are counted together: in
rounds of that ratio until a pod finds no node, or one after the other.`,
  examples: [
    {
      why: 'How many more of these pods fit?',
      command: 'stowage capacity -f pod.yaml --cluster snapshot.json',
    },
    {
      why: 'Do twenty fit?',
      command: 'stowage capacity -f pod.yaml --cluster snapshot.json --at-least 20 -q',
    },
    {
      why: 'How many fit of two kinds together, two of the first for each of the second?',
      command: 'stowage capacity -f web.yaml -f db.yaml --ratio 2:1 --cluster snapshot.json',
    },
    {
      why: 'In the current state of a cluster, as JSON.',
      command: 'stowage capacity -f pod.yaml --context prod -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'at least as many as --at-least fit',
    1: 'fewer do',
    2: 'the input or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `capacity`
 * @throws {UsageError}
 */
export function parseCapacityArguments(argv) {
  const { values, positionals } = parsedPresent(argv, FLAGS);
  const files = [...positionals, ...values.filename];
  const { help } = values;
  if (!help && files.length === 0) throw new UsageError('capacity needs a pod: -f with its file');
  requireCluster('capacity', values);
  if (values.ratio !== undefined && values['in-order'])
    throw new UsageError('--ratio does not go with --in-order');
  const most = values['max-limit'];
  const atLeast = wholeNumber('at-least', values['at-least']);
  return {
    ...presentOptions(values, files),
    ratio: values.ratio === undefined ? undefined : ratioOf(values.ratio),
    inOrder: values['in-order'],
    atLeast,
    maxLimit: most === undefined ? Math.max(MOST_CLONES, atLeast) : wholeNumber('max-limit', most),
  };
}

/**
 * @param {string} text
 * @returns {number[]}
 * @throws {UsageError}
 */
function ratioOf(text) {
  const shares = text.split(':');
  const isRatio = shares.length > 1 && shares.every((share) => /^\d{1,4}$/.test(share));
  if (isRatio && shares.some((share) => Number(share) > 0)) return shares.map(Number);
  throw new UsageError(`--ratio is two or more whole numbers, such as 2:1, not "${text}"`);
}

/** @typedef {ReturnType<typeof parseCapacityArguments>} CapacityOptions */
