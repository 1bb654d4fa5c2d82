/**
 * Goal: on a cluster of real machines, every kind of workload is placed exactly as often as its
 * machines have devices for it. Method: a workload alone fills the 200 nodes of the table; the
 * expected number follows from the table (workloads/*.js), and the allocations are checked by rules
 * that do not use the engine (allocation_rules.js).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TARGETS } from '../js/support/real_engine.js';
import { randomFor } from '../sim/random.js';
import { brokenRules, Inventory, resultsOf } from './allocation_rules.js';
import {
  lastDecisions,
  MACHINE_LABEL,
  makeCluster,
  podOf,
  shuffled as shuffledBy,
  templatesOf,
} from './cluster.js';
import { MACHINES } from './machines.js';
import { WORKLOADS } from './workloads.js';

/** @import { Workload } from './workloads/types.js' */

const NODES = 200;
const cluster = makeCluster();
const inventory = new Inventory(cluster);
const countOf = Object.fromEntries(MACHINES.map(({ name, nodes }) => [name, nodes]));

/** How many pods fit in the whole cluster. @param {Workload} workload */
function fitting({ fits }) {
  return Object.entries(fits).reduce((sum, [name, pods]) => sum + pods * countOf[name], 0);
}

/** What a pod's decision says if no node has devices left. @param {Workload} workload */
function refusal({ onMachine }) {
  const asked = onMachine ? countOf[onMachine] : NODES;
  const reasons = [
    `${asked} cannot allocate all claims`,
    ...(onMachine ? [`${NODES - asked} node(s) didn't match Pod's node affinity/selector`] : []),
  ];
  return (
    `0/${NODES} nodes are available: ${reasons.sort().join(', ')}. still not schedulable, ` +
    `preemption: 0/${NODES} nodes are available: ` +
    `${NODES} Preemption is not helpful for scheduling.`
  );
}

/** @param {any[]} decisions */
function placedByMachine(decisions) {
  /** @type {Record<string, Record<string, number>>} */
  const counts = {};
  for (const { node } of decisions) {
    if (node === null) continue;
    const machine = node.replace(/-\d+$/, '');
    counts[machine] ??= {};
    counts[machine][node] = (counts[machine][node] ?? 0) + 1;
  }
  return counts;
}

/** @param {readonly Workload[]} workloads */
function shuffled(workloads) {
  return shuffledBy(workloads, randomFor('workloads', 1));
}

/** @param {any[]} decisions */
function orderOfMachines(decisions) {
  return decisions.flatMap(({ node }) => (node === null ? [] : node.replace(/-\d+$/, '')));
}

/**
 * The objects of workloads' pods, as many of each as are asked for.
 *
 * @param {readonly Workload[]} workloads
 * @param {(workload: Workload) => number} count
 */
function podsOf(workloads, count) {
  return workloads.flatMap((workload) =>
    Array.from({ length: count(workload) }, (_, index) => podOf(workload, index)),
  );
}

/** Of the decisions about one pod of every workload, by target. @type {Map<string, string>} */
const hashes = new Map();

for (const [target, start] of Object.entries(TARGETS)) {
  test(`${target}: every workload fills its machines`, async (t) => {
    const { engine } = await start();
    for (const workload of WORKLOADS.filter(({ error }) => !error)) {
      await t.test(workload.name, async () => {
        const scheduler = engine.createScheduler();
        const pods = podsOf([workload], () => workload.pods ?? fitting(workload) + 1);
        scheduler.apply([...cluster, ...templatesOf(workload), ...pods]);
        const decisions = lastDecisions(await scheduler.schedule());
        const claims = scheduler.list('ResourceClaim');
        scheduler.dispose();
        assert.equal(decisions.length, pods.length);
        const unplaced = decisions.filter(({ node }) => node === null);
        const expected = workload.pods ? [] : [refusal(workload)];
        assert.deepEqual(
          unplaced.map(({ message }) => message),
          expected,
        );
        assert.equal(claims.filter(isAllocated).length, pods.length - unplaced.length);
        assert.deepEqual(brokenRules(inventory, claims), []);
        for (const [machine, nodes] of Object.entries(placedByMachine(decisions))) {
          if (workload.pods) assert.ok(machine in workload.fits, machine);
          else assert.deepEqual([...new Set(Object.values(nodes))], [workload.fits[machine]]);
        }
        if (workload.chooses) {
          const chosen = claims.flatMap(resultsOf).map(({ request }) => request);
          assert.deepEqual([...new Set(chosen)], [workload.chooses]);
        }
      });
    }
  });

  test(`${target}: the second alternative comes after all devices of the first`, async () => {
    const { engine } = await start();
    const scheduler = engine.createScheduler();
    const workload = workloadNamed('gpu-or-gaudi');
    scheduler.apply([...cluster, ...templatesOf(workload)]);
    scheduler.apply(podsOf([workload], fitting));
    const machines = orderOfMachines(await scheduler.schedule());
    scheduler.dispose();
    const gpus = 4 * countOf.flex + 2 * countOf.arc;
    const isGpu = (/** @type {string} */ machine) => ['flex', 'arc'].includes(machine);
    assert.equal(machines.filter(isGpu).length, gpus);
    assert.ok(machines.slice(0, gpus).every(isGpu));
  });

  test(`${target}: one pod of every workload runs, then its devices are free`, async () => {
    const { engine } = await start();
    const scheduler = engine.createScheduler();
    const workloads = shuffled(WORKLOADS.filter(({ error }) => !error));
    const pods = podsOf(workloads, () => 1);
    scheduler.apply([...cluster, ...workloads.flatMap(templatesOf)]);
    for (const round of [1, 2]) {
      scheduler.apply(pods);
      const decisions = lastDecisions(await scheduler.schedule());
      const unplaced = decisions.filter(({ node }) => node === null).map(({ pod }) => pod);
      // Fewer workloads use a kind of machine than there are such machines, so that one is free.
      const hopeless = workloads.filter(({ fits }) => Object.keys(fits).length === 0);
      const expected = hopeless.map(({ name }) => `default/${name}-0`);
      assert.deepEqual(unplaced.sort(), expected.sort(), `round ${round}`);
      for (const { pod, node } of decisions) {
        const fits = workloadNamed(pod.replace(/^default\/|-0$/g, '')).fits;
        if (node !== null) assert.ok(node.replace(/-\d+$/, '') in fits, `${pod} on ${node}`);
      }
      assert.deepEqual(brokenRules(inventory, scheduler.list('ResourceClaim')), []);
      for (const pod of scheduler.list('Pod')) scheduler.remove(pod);
      await scheduler.schedule();
      assert.deepEqual(scheduler.list('ResourceClaim'), []);
    }
    hashes.set(target, scheduler.hash);
    scheduler.dispose();
  });
}

test('all targets have decided alike', () => {
  assert.deepEqual([...hashes.keys()], Object.keys(TARGETS));
  assert.equal(new Set(hashes.values()).size, 1);
});

/** @param {any} claim */
function isAllocated({ status }) {
  return status?.allocation !== undefined;
}

/** @param {string} name @returns {Workload} */
function workloadNamed(name) {
  const found = WORKLOADS.find((each) => each.name === name);
  assert.ok(found, name);
  return found;
}

test('fewer workloads use a kind of machine than there are such machines', () => {
  const used = WORKLOADS.flatMap(({ fits }) => Object.keys(fits));
  for (const { name, nodes } of MACHINES) {
    const users = used.filter((each) => each === name).length;
    assert.ok(users <= nodes, `${users} workloads on ${nodes} ${name}`);
  }
});

test('the table has 200 nodes, and every kind of machine with devices has a workload', () => {
  const nodes = cluster.filter(({ kind }) => kind === 'Node');
  assert.equal(nodes.length, NODES);
  const kinds = new Set(nodes.map(({ metadata }) => metadata?.labels?.[MACHINE_LABEL]));
  assert.equal(kinds.size, MACHINES.length);
  const used = new Set(WORKLOADS.flatMap(({ fits }) => Object.keys(fits)));
  const unused = MACHINES.map(({ name }) => name).filter((name) => !used.has(name));
  assert.deepEqual(unused, ['example-fabric', 'plain']);
});

test('equal seeds give equal clusters, other seeds other orders and serial numbers', () => {
  const other = makeCluster({ seed: 2 });
  assert.deepEqual(makeCluster({ seed: 1 }), cluster);
  assert.equal(other.length, cluster.length);
  assert.notDeepEqual(other, cluster);
});
