// Goal: what a question about the future costs grows little with the cluster. Method: clusters of
// doubling size, and as many pods, nodes or changes to ask about as there are nodes.
import { test } from 'node:test';

import { evaluateAll } from '../../js/src/whatif/gang.js';
import { repack } from '../../js/src/whatif/repack.js';
import { whatIf } from '../../js/src/whatif/what_if.js';
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

/**
 * Changes of one workload, of a new one, and of one node.
 * @param {string} node
 * @param {number} at
 * @returns {import('../../js/src/whatif.js').Change[]}
 */
function changesOf(node, at) {
  const labels = { app: `new-${at}` };
  const { spec } = storedPod('template', { cpu: '100m' });
  const template = { metadata: { labels }, spec };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `new-${at}` },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  };
  return [
    { type: 'scale', kind: 'ReplicaSet', name: `app-${at}`, replicas: 3 },
    { type: 'apply', object: deployment },
    { type: 'taint', node, key: 'gone', effect: 'NoExecute' },
    { type: 'untaint', node, key: 'gone' },
  ];
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
  'as many changes as nodes': {
    size: 320,
    ask: ({ scheduler, nodes }) => whatIf(scheduler, nodes.flatMap(changesOf)),
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
