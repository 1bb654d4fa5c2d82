import { controllerGroup } from './controller_context.js';
import { startNodeMonitor } from './nodelifecycle/node_monitor.js';
import { startNodeTaints } from './nodelifecycle/node_taints.js';
import { startTaintEviction } from './nodelifecycle/taint_eviction.js';
import { startPodGarbageCollector } from './podgc/pod_gc.js';

/**
 * Taints unhealthy nodes and evicts their pods.
 * @param {{ onError?: (error: unknown, key: string) => void }} [options]
 */
export function nodelifecycle(options) {
  const starts = [startNodeTaints, startNodeMonitor, startTaintEviction, startPodGarbageCollector];
  return controllerGroup('nodelifecycle', starts, options);
}
