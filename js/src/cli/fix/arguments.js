import { countFrom1 } from '../arguments/arguments.js';
import { isLive } from '../input/live_cluster.js';
import { ANSWER, parsedPresent, PRESENT, presentOptions } from '../arguments/present.js';
import { UsageError } from '../terminal/problems.js';
import { actionIn, sharedWorkOptions, SHARDS } from '../shards/arguments.js';

const FLAGS = /** @type {const} */ ({
  ...PRESENT,
  namespace: {
    ...PRESENT.namespace,
    help: 'the namespace of the pod, and of manifests without one',
  },
  all: {
    type: 'boolean',
    default: false,
    help: 'find ways for all pods that find no node; all arguments are files',
  },
  pool: {
    type: 'string',
    multiple: true,
    default: /** @type {string[]} */ ([]),
    value: 'FILE',
    help:
      'a Node as a pool would add one, with its ResourceSlices (default: those of the node of ' +
      'its name); can be repeated',
  },
  limit: {
    type: 'string',
    default: '5',
    value: 'N',
    help: 'show at most N ways (default 5)',
  },
  ...SHARDS,
  ...ANSWER,
});

/** @type {import('../arguments/manual.js').Manual} */
export const FIX = {
  name: 'fix',
  takes: 'KIND/NAME FILE... [flags] | --all FILE... [flags] | merge DIR...',
  summary: 'find the smallest changes with which a pod gets a node',
  description: `\
Proposes changes for a pod that fits nowhere: a lower request, a relaxed constraint, another claim
or host port, a toleration, a higher priority, a label, a taint or a cordon of a node, a node of a
pool, or the removal of pods as their PodDisruptionBudgets allow. Each has one to three parts. The
scheduler has placed the pod with all of them, and has refused it with fewer. Nothing is written.

Fewer changes come first, then those that ask for less privilege and concern the pod rather than
the cluster, then the smaller ones. Patches are addressed to the workload that made the pod, if
there is one; a bare pod has to be created again. A FILE is one of those that "stowage help
simulate" describes; with --cluster the files are manifests, applied to that cluster first. The pod
is NAME, pod/NAME or NAMESPACE/NAME; for deployment/NAME, job/NAME and so on it is the first that
finds no node.

With --all it looks for ways for every pod that finds no node, each asked about by itself; the first
pod of a workload is asked about for all of them. Pods with the same reason and the same ways are
shown together, with their number and the first commands; -o json has all pods and their changes. It
runs in threads (--workers), or on many machines: with --results DIR the result of each shard is
written to a file, when it is complete. A shard that is there already is skipped. Shards end with
code 0. "stowage fix merge DIR" checks that all shards of one question are there, and prints what a
single run prints, with its exit code. For a pod named merge write pod/merge.`,
  examples: [
    {
      why: 'What has to change for this pod to run?',
      command: 'stowage fix pod/web-0 cluster.json',
    },
    {
      why: 'Also consider a new node.',
      command: 'stowage fix deployment/web -f web.yaml --cluster snapshot.json --pool node.yaml',
    },
    {
      why: 'The best way, as JSON, for the cluster as it is now.',
      command: 'stowage fix pod/web-0 --context prod --limit 1 -o json',
    },
    {
      why: 'The best way for everything that waits, in two threads.',
      command: 'stowage fix --all snapshot.json --limit 1 --workers 2',
    },
    {
      why: 'The second of eight shards. Run it again if it is killed.',
      command: 'stowage fix --all snapshot.json --results out --shard 2/8',
    },
    {
      why: 'Put the shards together.',
      command: 'stowage fix merge out -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0:
      'the pod fits, or there is a way to make it fit; with --all: the same holds for every pod; ' +
      'with --results: the shards are finished',
    1: 'no way was found',
    2: 'the input or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `fix`
 * @throws {UsageError}
 */
export function parseFixArguments(argv) {
  const { values, positionals } = parsedPresent(argv, FLAGS);
  const { cluster, help, all } = values;
  const { action, named } = actionIn(positionals, all ? [] : ['merge']);
  const isMany = all || action === 'merge';
  const pod = isMany ? undefined : named[0];
  const files = [...(isMany ? named : named.slice(1)), ...values.filename];
  if (!help && !isMany && !pod)
    throw new UsageError(
      'fix needs a pod: its name, or a workload as deployment/NAME; or --all for all that wait',
    );
  if (!help && action === 'merge' && files.length === 0)
    throw new UsageError('merge needs the folder of the results');
  const shared = sharedWorkOptions(values);
  if (!help && !isMany && (shared.workers > 1 || shared.results !== undefined))
    throw new UsageError('--workers and --results belong to --all');
  if (!help && files.length + cluster.length === 0 && !isLive(values))
    throw new UsageError('fix needs a cluster: a file, a directory, or - for standard input');
  return {
    action,
    pod,
    ...shared,
    ...presentOptions(values, files),
    pool: values.pool,
    limit: countFrom1('limit', values.limit),
  };
}

/** @typedef {ReturnType<typeof parseFixArguments>} FixArguments */
