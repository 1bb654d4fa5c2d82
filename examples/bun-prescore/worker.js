/**
 * Bun: snapshots are pushed, and kept in this process. When it was started anew the answer is 503
 * until they are pushed again.
 */
import { env } from 'node:process';
import { createEdgeHandler, memorySnapshots } from 'stowage/edge';

const { fetch } = createEdgeHandler({
  snapshots: memorySnapshots({ maxBytes: 256 << 20 }),
  secret: env.PUSH_SECRET,
  // All nodes that fit are scored, not a sample of them.
  configuration: {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    percentageOfNodesToScore: 100,
  },
});

export default { port: Number(env.PORT ?? 8080), fetch };
