/**
 * Bun: clients push snapshots, and this process keeps them in memory. After a restart it answers
 * 503 until they are pushed again.
 */
import { env } from 'node:process';
import { createEdgeHandler, memorySnapshots } from 'stowage/edge';

const { fetch } = createEdgeHandler({
  snapshots: memorySnapshots({ maxBytes: 256 << 20 }),
  secret: env.PUSH_SECRET,
  // Score all nodes that fit instead of a sample.
  configuration: {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    percentageOfNodesToScore: 100,
  },
});

export default { port: Number(env.PORT ?? 8080), fetch };
