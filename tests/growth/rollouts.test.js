// Goal: what a check of rollouts costs grows little with the number of workloads, and with the
// nodes of one. Method: clusters of growing size, in which a new template finds room.
import { test } from 'node:test';

import { makeFolder } from '../js/support/folder.js';
import { makeList, makeNode } from '../js/support/objects.js';
import { startWasm } from '../js/support/real_engine.js';
import { runCli } from '../js/support/run_cli.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../js/support/workloads.js';
import { assertGrowsLittle } from './growth.js';

const { file } = await makeFolder();
const { engine } = await startWasm();
const loadEngine = async () => engine;
const SIZE = 1200;

/** @param {number} size @param {(at: number) => object[]} make */
const each = (size, make) => Array.from({ length: size }, (_, at) => make(at)).flat();

/** @param {string} kind @param {number} at @param {string} [cpu] */
const workload = (kind, at, cpu = '2m') => makeWorkload(kind, `w-${at}`, { cpu });

/** The objects of a cluster and the manifests. @type {Record<string, (size: number) => any[][]>} */
const ROLLOUTS = {
  Deployments: (size) => [
    each(size, (at) => {
      const stored = owned(workload('Deployment', at, '1m'));
      const set = replicaSetOf(stored, '7d4b');
      return [stored, set, podOf(`w-${at}-7d4b-0`, set, { node: `n-${at}`, cpu: '1m' })];
    }),
    each(size, (at) => [workload('Deployment', at)]),
  ],
  StatefulSets: (size) => [
    each(size, (at) => {
      const stored = owned(workload('StatefulSet', at, '1m'));
      return [stored, podOf(`w-${at}-0`, stored, { node: `n-${at}`, cpu: '1m' })];
    }),
    each(size, (at) => [workload('StatefulSet', at)]),
  ],
  'nodes of a DaemonSet': (size) => {
    const stored = owned(workload('DaemonSet', 0, '1m'));
    const labels = { 'controller-revision-hash': '5f' };
    const pods = each(size, (at) => [
      podOf(`w-0-${at}`, stored, { node: `n-${at}`, cpu: '1m', labels }),
    ]);
    return [[stored, ...pods], [workload('DaemonSet', 0)]];
  },
};

for (const [name, make] of Object.entries(ROLLOUTS))
  test(name, async () => {
    const paths = new Map();
    for (const size of [SIZE / 4, SIZE]) {
      const [objects, manifests] = make(size);
      const nodes = each(size, (at) => [makeNode(`n-${at}`)]);
      const slug = `${name.replaceAll(' ', '-')}-${size}`;
      const cluster = await file(`${slug}.json`, makeList(...nodes, ...objects));
      const manifest = await file(`${slug}-new.json`, makeList(...manifests));
      paths.set(size, ['check', '-f', manifest, '--cluster', cluster, '-q']);
    }
    await assertGrowsLittle((size) => () => runCli(paths.get(size), { loadEngine }), SIZE);
  });
