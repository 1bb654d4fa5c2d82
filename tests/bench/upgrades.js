/** Measures what another release decides otherwise in a large cluster: objects to answer. */
import { upgradeDiff } from '../../js/src/whatif.js';
import { bound, nodeOf, podOf, realisticPod } from './objects.js';
import { elapsedMs, startTime } from './stopwatch.js';

/** @typedef {import('../../js/src/index.js').Engine} Engine */

/** Each has its own requests, and many pods. */
const CONTROLLERS = 1000;

/** Pods that fit on no node; each second one is a class of its own. */
const WAITING = 200;

/**
 * `seconds` is the time of one answer, `cpuSeconds` the processor's time, which includes threads
 * that collect garbage.
 * @param {Engine} engine
 * @param {{ nodes: number, pods: number, from: string, to: string }} load
 */
export async function measureUpgrade(engine, { nodes, pods, from, to }) {
  const objects = [
    ...Array.from({ length: nodes }, (_, at) => nodeOfShape(at)),
    ...Array.from({ length: pods }, (_, at) => bound(podOfController(at), at % nodes)),
    ...Array.from({ length: WAITING }, (_, at) => waitingPod(at)),
  ];
  const before = process.cpuUsage();
  const start = startTime();
  const { summary, rows } = await upgradeDiff(objects, { from, to }, { engine });
  const seconds = elapsedMs(start) / 1000;
  const { user, system } = process.cpuUsage(before);
  return {
    seconds,
    cpuSeconds: (user + system) / 1e6,
    asked: summary.asked,
    differ: summary.differ,
    rows: rows.length,
  };
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
