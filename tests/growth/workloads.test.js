// Goal: the pods of a workload cost little more than their number, whatever names are taken.
// Method: each kind with a count, or nodes, of doubling size, in a namespace where other pods have
// the first names.
import { test } from 'node:test';

import { expand } from '../../js/src/manifests/expand.js';
import { makeNode, storedPod } from '../js/support/objects.js';
import { makeWorkload } from '../js/support/workloads.js';
import { assertGrowsLittle } from './growth.js';

const SIZE = 2_000;

/** Specs in which a kind has so many pods. @type {Record<string, (size: number) => object>} */
const COUNTED = {
  Deployment: (replicas) => ({ replicas }),
  ReplicaSet: (replicas) => ({ replicas }),
  StatefulSet: (replicas) => ({ replicas }),
  Job: (completions) => ({ completions, parallelism: completions }),
  'Indexed Job': (completions) => ({
    completions,
    parallelism: completions,
    completionMode: 'Indexed',
  }),
  DaemonSet: () => ({}),
};

/** @param {number} size @param {(at: number) => any} make */
const times = (size, make) => Array.from({ length: size }, (_, at) => make(at));

for (const [name, specOf] of Object.entries(COUNTED))
  for (const [where, makeTaken] of Object.entries({
    'in an empty namespace': () => [],
    'beside pods with such names': (/** @type {number} */ size) =>
      times(size / 2, (at) => storedPod(`w-${at}`)),
  }))
    test(`many pods of one ${name} ${where}`, () =>
      assertGrowsLittle((size) => {
        const kind = name.replace('Indexed ', '');
        const workload = makeWorkload(kind, 'w', { spec: specOf(size) });
        const nodes = times(size, (at) => makeNode(`${at}`));
        const taken = makeTaken(size);
        return () => expand(workload, { nodes, existing: taken });
      }, SIZE));
