/** Measures what another release decides otherwise in a large cluster: objects to answer. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { upgradeDiff } from '../../js/src/whatif.js';
import { runCli } from '../js/support/run_cli.js';
import { bound, nodeOf, podOf, realisticPod } from './objects.js';
import { elapsedMs, startTime } from './stopwatch.js';

/** @typedef {import('../../js/src/index.js').Engine} Engine */

/** Each has its own requests, and many pods. */
const CONTROLLERS = 1000;

/** Pods that fit on no node; each second one is a class of its own. */
const WAITING = 200;

/** @typedef {{ nodes: number, pods: number, from: string, to: string }} Load */

/** @typedef {{ asked: number, differ: number, rows: number }} Answered */

/** The ways to ask. @type {Record<string, (engine: Engine, load: Load) => Promise<object>>} */
export const UPGRADES = {
  upgrade: async (engine, { from, to, ...sizes }) => {
    const objects = [...clusterOf(sizes)];
    return timed(async () => answeredIn(await upgradeDiff(objects, { from, to }, { engine })));
  },
  'upgrade-command': async (engine, { from, to, ...sizes }) => {
    const folder = await mkdtemp(join(tmpdir(), 'stowage-bench-'));
    const dump = join(folder, 'dump.json');
    const releases = [from, to].flatMap((one) => ['--kubernetes-version', one]);
    const argv = ['diff', ...releases, dump, '-o', 'json', '--quiet'];
    try {
      await writeFile(dump, textOf(clusterOf(sizes)));
      return await timed(async () => {
        const { stdout } = await runCli(argv, { loadEngine: async () => engine });
        return answeredIn(JSON.parse(stdout));
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/**
 * Returns what was answered, and `seconds`, the time of the answer, and `cpuSeconds`, the
 * processor's time, which includes threads that collect garbage.
 * @param {() => Promise<Answered>} ask
 */
async function timed(ask) {
  const before = process.cpuUsage();
  const start = startTime();
  const answered = await ask();
  const seconds = elapsedMs(start) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { seconds, cpuSeconds: (user + system) / 1e6, ...answered };
}

/**
 * @param {Pick<import('../../js/src/whatif.js').UpgradeDiff, 'summary' | 'rows'>} answer
 * @returns {Answered}
 */
function answeredIn({ summary, rows }) {
  return { asked: summary.asked, differ: summary.differ, rows: rows.length };
}

/** @param {{ nodes: number, pods: number }} sizes */
function* clusterOf({ nodes, pods }) {
  for (let at = 0; at < nodes; at += 1) yield nodeOfShape(at);
  for (let at = 0; at < pods; at += 1) yield bound(podOfController(at), at % nodes);
  for (let at = 0; at < WAITING; at += 1) yield waitingPod(at);
}

/**
 * Yields the text of a List, item by item.
 * @param {Iterable<object>} objects
 */
function* textOf(objects) {
  let start = '{"apiVersion":"v1","kind":"List","items":[';
  for (const object of objects) {
    yield start + JSON.stringify(object);
    start = ',';
  }
  yield ']}\n';
}

/** Nodes of several shapes: then the balance of resources matters. @param {number} at */
function nodeOfShape(at) {
  const node = nodeOf(at);
  const cpu = String(8 + ((at * 37) % 48));
  const allocatable = { cpu, memory: `${32 + ((at * 53) % 200)}Gi`, pods: '110' };
  return { ...node, status: { ...node.status, allocatable, capacity: allocatable } };
}

/** @param {number} at */
function podOfController(at) {
  const pod = realisticPod(at);
  const controller = (at * 7919) % CONTROLLERS;
  const requests = {
    cpu: `${50 + (controller % 17) * 10}m`,
    memory: `${100 + (controller % 13) * 40}Mi`,
  };
  const [owner] = pod.metadata.ownerReferences;
  const [container] = pod.spec.containers;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, app: `app-${controller}` },
      ownerReferences: [{ ...owner, uid: `replicaset-${controller}` }],
    },
    spec: { ...pod.spec, containers: [{ ...container, resources: { requests } }] },
  };
}

/** @param {number} at */
function waitingPod(at) {
  const pod = podOf(at, { nodeSelector: { disk: 'none' } });
  const name = `waiting-${at}`;
  const labels = at % 2 === 0 ? {} : { app: name };
  return { ...pod, metadata: { ...pod.metadata, name, uid: name, labels } };
}
