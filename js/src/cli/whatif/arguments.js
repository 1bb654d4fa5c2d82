import { CHANGES, changesOfFlags } from './change_flags.js';
import {
  ANSWER,
  parsedPresent,
  PRESENT,
  presentOptions,
  requireCluster,
} from '../arguments/present.js';
import { UsageError } from '../terminal/problems.js';

const FLAGS = /** @type {const} */ ({
  ...CHANGES,
  ...PRESENT,
  filename: {
    ...PRESENT.filename,
    help: 'a document of kind Changes, whose changes come first; can be repeated',
  },
  namespace: { ...PRESENT.namespace, help: 'the namespace of names and manifests without one' },
  ...ANSWER,
});

/** @type {import('../arguments/manual.js').Manual} */
export const WHATIF = {
  name: 'whatif',
  takes: '[FILE...] --cluster FILE [changes] [flags]',
  summary: 'try changes of a cluster: which pods move, wait, are preempted or end',
  description: `\
Applies changes to a copy of a cluster, lets kube-scheduler place the pods that they displace,
and reports what becomes of each pod, with the message before and after. Nothing is written.

The cluster is a file written by "stowage snapshot" or by kubectl get -o json; with --kubeconfig or
--context it is the current state of that cluster. With --cluster, each FILE is a manifest that is
applied before the changes; without it, the files are the cluster. Its pending pods are tried first.

Changes of -f come first, in their order, then those of flags, in the order in which they are
listed below. A document of changes is: apiVersion: stowage/v1, kind: Changes, changes: a list such
as {type: cordon, node: a}, {type: scale, kind: Deployment, name: web, replicas: 5}.

Displaced pods are created again, as their controllers would; pods of DaemonSets and static pods end
with their node.`,
  examples: [
    {
      why: 'Can two nodes go?',
      command: 'stowage whatif --cluster snapshot.json --without-node n1 --without-node n2',
    },
    {
      why: 'Do ten replicas fit with three more nodes?',
      command:
        'stowage whatif --cluster snapshot.json --scale deploy/web=10 --add-nodes 3 --like n1',
    },
    {
      why: 'A taint, on the cluster as it is now.',
      command: 'stowage whatif --context prod --taint n1=gpu=true:NoExecute',
    },
    {
      why: 'Changes from a file, as JSON.',
      command: 'stowage whatif --cluster snapshot.json -f changes.yaml -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'every pod that had a node, or that a change creates, has one afterwards',
    1: 'one of them waits',
    2: 'the input or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `whatif`
 * @throws {UsageError}
 */
export function parseWhatIfArguments(argv) {
  const { values, positionals } = parsedPresent(argv, FLAGS);
  const { help, filename, apply } = values;
  requireCluster('whatif', values, positionals);
  const given = changesOfFlags(values, values.namespace ?? 'default');
  if (!help && given.length + filename.length + apply.length === 0)
    throw new UsageError('whatif needs a change: -f with a file, or a flag such as --without-node');
  return {
    ...presentOptions(values, positionals),
    changeFiles: filename,
    applied: apply,
    given,
  };
}

/** @typedef {ReturnType<typeof parseWhatIfArguments>} WhatIfOptions */
