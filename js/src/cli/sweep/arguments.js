import { parseFailures } from '../../whatif/sweep/failures.js';
import { InputError } from '../../kubernetes/errors.js';
import { SELECTOR } from '../arguments/flags.js';
import {
  ANSWER,
  parsedPresent,
  PRESENT,
  presentOptions,
  requireCluster,
} from '../arguments/present.js';
import { UsageError } from '../terminal/problems.js';
import { selectorOf } from '../outcome/selection.js';
import { actionIn, countOf, sharedWorkOptions, SHARDS } from '../shards/arguments.js';

/** The part of a sweep that a command line asks for, by its first word. */
const ACTIONS = ['merge', 'job'];

const FLAGS = /** @type {const} */ ({
  failures: {
    type: 'string',
    value: 'LIST',
    help:
      'what fails, with commas in between: nodes:1 each node, zones:1 each zone, racks:1 all ' +
      'nodes with the same value of --topology-key, pairs (or nodes:2) each two nodes at once, ' +
      'zones:2, racks:2',
  },
  'topology-key': { type: 'string', value: 'KEY', help: 'the label of nodes that names racks' },
  'by-label': {
    type: 'string',
    value: 'KEY',
    help: 'also group the pods that wait by the value of this label',
  },
  ...SELECTOR,
  plan: {
    type: 'string',
    value: 'FILE',
    help: 'read the question from a document of kind SweepPlan, instead of the flags above',
  },
  ...SHARDS,
  ...PRESENT,
  image: { type: 'string', value: 'IMAGE', help: 'job: the image of stowage' },
  claim: {
    type: 'string',
    value: 'NAME',
    help: 'job: the PersistentVolumeClaim for snapshot and results; it is mounted at /data',
  },
  name: { type: 'string', default: 'sweep', value: 'NAME', help: 'job: its name (default sweep)' },
  parallelism: {
    type: 'string',
    value: 'N',
    help: 'job: how many shards run at once (default all)',
  },
  ...ANSWER,
});

/** @type {import('../arguments/manual.js').Manual} */
export const SWEEP = {
  name: 'sweep',
  takes: '--failures LIST FILE... [flags] | merge DIR... | job [flags]',
  summary: 'let nodes, zones and racks fail in turn, and report the pods that wait',
  description: `\
Lets parts of a cluster fail, one failure after another, schedules their pods again as
kube-scheduler would, and reports the failures after which pods wait that had a node: those
that find no other node, and those that are evicted for them. Pods that were pending before do not
count, neither do pods of other schedulers. Nothing is written to the cluster.

FILE is a snapshot or the output of kubectl, a path or a URL; with --cluster or a live cluster,
FILEs are manifests that are applied to it first. Pods of DaemonSets and static pods end with their
node.

A large sweep runs in threads (--workers), or on many machines: with --results DIR the result of
each shard is written to a file, when it is complete. A shard that is there already is skipped.
Shards end with code 0, whatever they find. "stowage sweep merge DIR" checks that all shards of one
question and one cluster are there, and prints what a single run prints, with its exit code.

"stowage sweep job" prints an Indexed Job for Kubernetes that runs --shards N. The cluster's path is
below /data, or a URL; the results are in /data/results.`,
  examples: [
    {
      why: 'Which nodes or zones must not fail?',
      command: 'stowage sweep snapshot.json --failures nodes:1,zones:1',
    },
    {
      why: 'Any two nodes of a live cluster, in four threads, by the label "tier".',
      command: 'stowage sweep --context prod --failures pairs --by-label tier --workers 4',
    },
    {
      why: 'The second of eight shards. Run it again if it is killed.',
      command: 'stowage sweep snapshot.json --failures pairs --results out --shard 2/8',
    },
    {
      why: 'Put the shards together.',
      command: 'stowage sweep merge out -o json',
    },
    {
      why: 'Run the shards in Kubernetes.',
      command:
        'stowage sweep job --failures pairs --shards 50 --cluster /data/snapshot.json \\\n' +
        '    --image registry.example.com/stowage --claim sweep | kubectl apply -f -',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'no failure leaves pods pending; with --results: the shards are finished',
    1: 'a failure leaves pods pending',
    2: 'the input or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `sweep`
 * @throws {UsageError}
 */
export function parseSweepArguments(argv) {
  const { values, positionals } = parsedPresent(argv, FLAGS);
  const { help } = values;
  const { action, named } = actionIn(positionals, ACTIONS);
  const files = [...named, ...values.filename];
  if (!help) requireInput(action, values, files);
  return {
    action,
    ...presentOptions(values, files),
    question: questionIn(values),
    plan: values.plan,
    ...sharedWorkOptions(values, { isJob: action === 'job' }),
    job: jobOptions(action, values),
  };
}

/** @typedef {ReturnType<typeof parseSweepArguments>} SweepOptions */

/**
 * @param {string} action
 * @param {{ cluster: string[], help: boolean, failures?: string, plan?: string,
 *   kubeconfig?: string, context?: string }} values
 * @param {string[]} files
 * @throws {UsageError}
 */
function requireInput(action, values, files) {
  const { failures, plan } = values;
  if (action === 'merge') {
    if (files.length === 0) throw new UsageError('merge needs the folder of the results');
    return;
  }
  if (failures !== undefined && plan !== undefined)
    throw new UsageError('--failures does not go with --plan: the plan has its own');
  if (failures === undefined && plan === undefined)
    throw new UsageError('sweep needs --failures with a list such as nodes:1,zones:1, or --plan');
  if (action === 'job') {
    if (files.length > 0) throw new UsageError(`job takes no file: ${files[0]}`);
  } else requireCluster('sweep', values, files);
}

/**
 * @param {{ failures?: string, 'topology-key'?: string, 'by-label'?: string, selector?: string,
 *   plan?: string }} values
 * @returns {import('./plan.js').PlannedQuestion | undefined} undefined if the plan has it
 * @throws {UsageError}
 */
function questionIn({ failures, 'topology-key': topologyKey, 'by-label': byLabel, ...values }) {
  const { selector, plan } = values;
  if (failures === undefined) {
    const given = { 'topology-key': topologyKey, 'by-label': byLabel, selector };
    const [flag] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
    if (flag && plan !== undefined)
      throw new UsageError(`--${flag} does not go with --plan: the plan has its own`);
    return undefined;
  }
  selectorOf(selector);
  try {
    parseFailures(failures, { topologyKey });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const flag = error.field === 'topologyKey' ? 'topology-key' : 'failures';
    throw new UsageError(`--${flag}: ${error.detail}`);
  }
  return { failures, topologyKey, byLabel, selector };
}

/**
 * @param {string} action
 * @param {{ image?: string, claim?: string, name: string, parallelism?: string, shards?: string,
 *   shard?: string, cluster: string[], help: boolean }} values
 * @throws {UsageError}
 */
function jobOptions(action, { image, claim, name, parallelism, shards, cluster, help }) {
  if (action !== 'job') {
    const [flag] = Object.entries({ image, claim, parallelism }).find(([, value]) => value) ?? [];
    if (flag) throw new UsageError(`--${flag} belongs to "stowage sweep job"`);
    return undefined;
  }
  if (help) return undefined;
  if (image === undefined || claim === undefined || shards === undefined)
    throw new UsageError('job needs --shards, --image and --claim');
  const [source] = cluster;
  if (cluster.length !== 1 || !/^(\/data\/|https?:\/\/)/.test(source))
    throw new UsageError('job needs one --cluster: a path below /data in the claim, or a URL');
  const count = countOf('shards', shards);
  const most = parallelism === undefined ? count : countOf('parallelism', parallelism);
  return { image, claim, name, shards: count, parallelism: Math.min(most, count), source };
}
