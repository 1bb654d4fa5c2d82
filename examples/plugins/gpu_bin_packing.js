/**
 * GPU bin packing by label: a pod that requests GPUs goes to the fullest node of the pool in its
 * label, so that whole nodes stay free for large jobs.
 */
import { fileURLToPath } from 'node:url';
import { createScheduler, skip, unresolvable } from 'stowage';

const GPU = 'nvidia.com/gpu';

/** @param {any} pod @returns {number} GPUs that its containers request */
function gpusOf(pod) {
  return pod.spec.containers.reduce(
    (/** @type {number} */ sum, /** @type {any} */ { resources }) =>
      sum + Number(resources?.requests?.[GPU] ?? 0),
    0,
  );
}

/** @type {import('stowage').Plugin} */
export const gpuBinPacking = {
  name: 'GpuBinPacking',
  // Its pluginConfig: { "poolLabel": "gpu-pool" }.
  create: ({ poolLabel = 'gpu-pool' } = {}) => ({
    preFilter: (state, pod) => (gpusOf(pod) === 0 ? skip() : undefined),
    filter(state, pod, { node }) {
      const pool = pod.metadata.labels?.[poolLabel];
      const isOfPool = pool === undefined || node.metadata.labels?.[poolLabel] === pool;
      return isOfPool ? undefined : unresolvable(`node(s) were not of GPU pool ${pool}`);
    },
    preScore: (state, pod) => (gpusOf(pod) === 0 ? skip() : undefined),
    score: (state, pod, { allocatable, requested }) =>
      Math.floor((100 * ((requested[GPU] ?? 0) + gpusOf(pod))) / allocatable[GPU]),
  }),
};

export const configuration = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'GpuBinPacking', weight: 10 }] } } }],
};

/** @param {string} name @param {string} pool */
const node = (name, pool) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'gpu-pool': pool } },
  status: { allocatable: { cpu: '64', memory: '512Gi', pods: '110', [GPU]: '8' } },
});

/** @param {string} name @param {number} gpus @param {string} pool */
const pod = (name, gpus, pool) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { 'gpu-pool': pool } },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1', [GPU]: `${gpus}` } } }] },
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const scheduler = await createScheduler({ configuration, plugins: [gpuBinPacking] });
  scheduler.apply([node('a1', 'a100'), node('a2', 'a100'), node('h1', 'h100'), node('h2', 'h100')]);
  for (const [index, gpus] of [2, 1, 4, 8, 1].entries()) {
    scheduler.apply(pod(`train-${index}`, gpus, index === 1 ? 'h100' : 'a100'));
    const [decision] = await scheduler.schedule();
    console.log(`${decision.pod}  ${gpus} GPUs  ${decision.node ?? decision.message}`);
  }
  scheduler.dispose();
}
