import { isPodAvailable, isPodReady } from '../../../src/kubernetes/workloads/pods.js';
import { withoutZeros } from '../../../src/kubernetes/workloads/objects.js';
import { byScheduledAndAge, wishOf } from '../../../src/kubernetes/workloads/daemon_plan.js';
import { REVISION_LABEL } from '../../../src/kubernetes/workloads/template_pods.js';

/**
 * The status of a DaemonSet.
 * Counterpart: pkg/controller/daemon/daemon_controller.go, v1.36 (updateDaemonSetStatus).
 */

/** @import { DaemonState } from '../../../src/kubernetes/workloads/daemon_plan.js' */

/** Counts that are written even if they are 0. */
const KEPT = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
];

/**
 * @param {DaemonState} state
 * @param {number | undefined} collisionCount
 */
export function statusOf({ set, hash, nodes, podsByNode, now }, collisionCount) {
  const { minReadySeconds = 0 } = set.spec;
  const wish = wishOf(set);
  const counts = { current: 0, misscheduled: 0, desired: 0, ready: 0, available: 0, updated: 0 };
  for (const node of nodes) {
    const [oldest] = (podsByNode.get(node.metadata.name) ?? []).toSorted(byScheduledAndAge);
    if (!wish(node).shouldRun) {
      counts.misscheduled += Number(oldest !== undefined);
      continue;
    }
    counts.desired += 1;
    if (!oldest) continue;
    const isUpdated = oldest.metadata.labels?.[REVISION_LABEL] === hash;
    counts.current += 1;
    counts.ready += Number(isPodReady(oldest));
    counts.available += Number(isPodAvailable(oldest, minReadySeconds, now));
    counts.updated += Number(isUpdated);
  }
  return withoutZeros(
    {
      currentNumberScheduled: counts.current,
      numberMisscheduled: counts.misscheduled,
      desiredNumberScheduled: counts.desired,
      numberReady: counts.ready,
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: counts.updated,
      numberAvailable: counts.available,
      numberUnavailable: Math.max(0, counts.desired - counts.available),
      collisionCount,
    },
    KEPT,
  );
}
