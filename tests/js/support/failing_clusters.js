/** Small clusters by seed, in which failures leave some pods pending and others not. */
import { Random } from '../../sim/random.js';
import { makeNode, storedPod } from './objects.js';

export const RACK = 'example.com/rack';
export const ZONE = 'topology.kubernetes.io/zone';
export const HOSTNAME = 'kubernetes.io/hostname';

const APPS = 5;
const OWNER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', uid: 'u', controller: true };
const DAEMON = { ...OWNER, kind: 'DaemonSet', name: 'agents' };

/**
 * @param {number} seed
 * @param {{ nodes?: number, pods?: number, plain?: boolean }} [options] at most 60 pods;
 *   `plain`: pods ask for resources alone, and have no priority
 * @returns {object[]} nodes, and pods of which some have nodes
 */
export function failingCluster(seed, { nodes = 6, pods = 14, plain = false } = {}) {
  const random = new Random(seed);
  const names = Array.from({ length: nodes }, (_, at) => `n${at}`);
  const objects = names.map((name, at) =>
    makeNode(name, {
      cpu: String(2 + random.below(4)),
      labels: { [ZONE]: `z${at % 3}`, ...(at > 0 && { [RACK]: `r${at % 2}` }) },
    }),
  );
  const daemons = names.map((name) =>
    storedPod(`agent-${name}`, {
      cpu: '100m',
      metadata: { ownerReferences: [DAEMON] },
      spec: { nodeName: name },
    }),
  );
  const replicas = Array.from({ length: pods }, (_, at) => replica(at, { random, plain, names }));
  return [...objects, ...daemons, ...replicas];
}

/**
 * @param {number} at
 * @param {{ random: Random, plain: boolean, names: string[] }} cluster
 */
function replica(at, { random, plain, names }) {
  const app = `app-${random.below(APPS)}`;
  const isPlaced = random.below(4) > 0;
  const spec = {
    ...(isPlaced && { nodeName: names[random.below(names.length)] }),
    ...(!plain && constraintsOf(app, random)),
  };
  // Among equal candidates, preemption evicts the youngest pod; without start times it draws lots.
  const startTime = `2025-12-01T00:00:${String(at).padStart(2, '0')}Z`;
  return storedPod(`pod-${at}`, {
    status: { startTime },
    cpu: `${(1 + random.below(4)) * 250}m`,
    metadata: {
      labels: { app, tier: random.below(2) === 0 ? 'gold' : 'base' },
      ownerReferences: [{ ...OWNER, name: app }],
    },
    spec,
  });
}

/** @param {string} app @param {Random} random */
function constraintsOf(app, random) {
  const labelSelector = { matchLabels: { app } };
  const anti = [{ topologyKey: HOSTNAME, labelSelector }];
  const spread = {
    maxSkew: 1,
    topologyKey: ZONE,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector,
  };
  return [
    { priority: random.below(3) * 100 },
    { priority: random.below(3) * 100 },
    { topologySpreadConstraints: [spread] },
    { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: anti } } },
  ][random.below(4)];
}
