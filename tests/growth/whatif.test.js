// Goal: what a question about the future costs grows little with the cluster. Method: clusters of
// doubling size, and as many pods or nodes to ask about as there are nodes.
import { test } from 'node:test';

import { evaluateAll } from '../../js/src/whatif/gang.js';
import { repack } from '../../js/src/whatif/repack.js';
import { makeNode, storedPod } from '../js/support/objects.js';
import { startNative } from '../js/support/real_engine.js';
import { assertGrowsLittle } from './growth.js';

const { engine } = await startNative();

/** On each node, when the cluster is loaded. */
const PODS = 4;

const HOSTNAME = 'kubernetes.io/hostname';

/** The terms of pods that share no node. @param {string} app */
const apart = (app) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: HOSTNAME, labelSelector: { matchLabels: { app } } },
    ],
  },
});

/** @param {number} index @param {{ app: string, nodeName?: string }} parts */
function appPod(index, { app, ...spec }) {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: app, uid: app };
  const metadata = { labels: { app }, ownerReferences: [{ ...owner, controller: true }] };
  return storedPod(`${app}-${index}`, {
    cpu: '100m',
    metadata,
    spec: { affinity: apart(app), ...spec },
  });
}

/** Each app has a pod on each of four nodes. @param {number} size */
function clusterOf(size) {
  const scheduler = engine.createScheduler();
  const nodes = Array.from({ length: size }, (_, at) => `node-${at}`);
  scheduler.apply([
    ...nodes.map((name) => makeNode(name, { labels: { [HOSTNAME]: name } })),
    ...nodes.flatMap((nodeName, at) =>
      Array.from({ length: PODS }, (_, pod) =>
        appPod(at, { app: `app-${Math.floor(at / PODS) * PODS + pod}`, nodeName }),
      ),
    ),
  ]);
  return { scheduler, nodes };
}

/** @typedef {ReturnType<typeof clusterOf>} Cluster */

/** @type {Record<string, { size: number, ask: (cluster: Cluster) => unknown }>} */
const QUESTIONS = {
  'as many new pods as nodes, jointly': {
    size: 800,
    ask: ({ scheduler, nodes }) =>
      evaluateAll(
        scheduler,
        nodes.map((_, at) => appPod(at, { app: 'new' })),
        { detail: 'summary' },
      ),
  },
  'as few nodes as possible': {
    size: 240,
    ask: ({ scheduler }) => repack(scheduler, { maximum: true }),
  },
};

for (const [name, { size, ask }] of Object.entries(QUESTIONS)) {
  test(name, () =>
    assertGrowsLittle((nodes) => {
      const cluster = clusterOf(nodes);
      return () => ask(cluster);
    }, size),
  );
}
