import { countFrom1, wholeNumber } from '../arguments/arguments.js';
import { isLive } from '../input/live_cluster.js';
import { ANSWER, parsedPresent, PRESENT, presentOptions } from '../arguments/present.js';
import { UsageError } from '../terminal/problems.js';

const FLAGS = /** @type {const} */ ({
  pool: {
    type: 'string',
    multiple: true,
    default: /** @type {string[]} */ ([]),
    value: 'NODE[:PRICE]',
    help:
      'a pool: a file with one of its nodes, or node/NAME for nodes like that of the cluster; ' +
      'its price is a number above 0 (default 1); can be repeated',
  },
  ...PRESENT,
  'max-nodes': {
    type: 'string',
    default: '1000',
    value: 'N',
    help: 'the most new nodes, of all pools together (default 1000)',
  },
  'max-trials': {
    type: 'string',
    default: '200',
    value: 'N',
    help: 'the most mixes that are tried (default 200)',
  },
  ...ANSWER,
});

/** @type {import('../arguments/manual.js').Manual} */
export const PLAN = {
  name: 'plan',
  takes: '--pool NODE[:PRICE]... [-f FILE] --cluster FILE [flags]',
  summary: 'find the cheapest new nodes with which no pod waits',
  description: `\
Finds the cheapest number of nodes per pool with which no pod of the cluster waits. Each mix is
tried: kube-scheduler places the pods in queue order, and evicts none; placed pods keep their
places. The plan is then replayed from scratch. Nothing is written.

Next to the price stands a lower bound, which follows from what the pods request and from which
nodes can take them: no mix costs less. "No mix is cheaper" means that every cheaper mix was tried,
or is excluded by the bound. Pods that no node of any pool can take are named first, and left out.
DaemonSets that have pods, placed or waiting, get one on each new node that they select.

The files of -f are manifests whose pods are planned for as well; without a cluster there are no
other nodes. A pool's file has one Node, as of kubectl get node -o yaml, and if needed its CSINode,
ResourceSlices and CSIStorageCapacities, but no other objects of Kubernetes; nodes like that of the
cluster have those that it has, and its static pods. Storage of their own has the room that the
model's has left: a new node has more if volumes are in use there, so the plan may name more nodes
than are needed. New nodes are ready and not cordoned, whatever state their model is in.`,
  examples: [
    {
      why: 'How many nodes are missing in this cluster?',
      command: 'stowage plan --pool large.yaml --cluster snapshot.json',
    },
    {
      why: 'Two pools with prices, for manifests that are not applied yet.',
      command:
        'stowage plan --pool small.yaml:0.1 --pool gpu.yaml:2.5 -f app.yaml --cluster dump.json',
    },
    {
      why: 'More nodes like one that a live cluster has.',
      command: 'stowage plan --pool node/worker-3 --context prod -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'with the nodes of the plan no pod waits',
    1: 'a pod waits with every mix that was tried, no pool can take it, or it is refused',
    2: 'the input or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * A pool of the command line: a file, or the name of a node in the cluster.
 * @typedef {{ text: string, price: number } & ({ file: string } | { like: string })} PoolFlag
 */

/**
 * @param {string[]} argv the arguments after `plan`
 * @throws {UsageError}
 */
export function parsePlanArguments(argv) {
  const { values, positionals } = parsedPresent(argv, FLAGS);
  const files = [...positionals, ...values.filename];
  const { cluster, help } = values;
  if (!help && values.pool.length === 0)
    throw new UsageError('plan needs a pool: --pool with a file that has one of its nodes');
  if (!help && files.length + cluster.length === 0 && !isLive(values))
    throw new UsageError('plan needs pods: -f, --cluster, --kubeconfig or --context');
  return {
    ...presentOptions(values, files),
    pools: values.pool.map(poolOf),
    maxNodes: wholeNumber('max-nodes', values['max-nodes']),
    maxTrials: countFrom1('max-trials', values['max-trials']),
  };
}

/**
 * @param {string} text
 * @returns {PoolFlag}
 * @throws {UsageError}
 */
function poolOf(text) {
  const [, what = text, amount = '1'] = /^(.+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const price = Number(amount);
  if (!(price > 0)) throw new UsageError(`--pool ${text}: the price is a number above 0`);
  const name = /^node\/([^/]+)$/.exec(what)?.[1];
  return name ? { text, price, like: name } : { text, price, file: what };
}

/** @typedef {ReturnType<typeof parsePlanArguments>} PlanOptions */
