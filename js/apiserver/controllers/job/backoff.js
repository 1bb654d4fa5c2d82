import { conditionOf } from '../../../src/kubernetes/conditions.js';
import { timeOf } from '../../../src/kubernetes/workloads/objects.js';

/**
 * The delay before a Job replaces failed pods: ten seconds, doubled with each further failure, at
 * most ten minutes; a success resets it. Counterpart: pkg/controller/job/backoff_utils.go, v1.36.
 */

/** @import { KubernetesObject } from '../../../src/kubernetes/types.js' */

const FIRST = 10_000;
const LONGEST = 600_000;

/** The failures of each Job since its last success. */
export class PodBackoff {
  /** @type {Map<string, { failures: number, last: number }>} */
  #records = new Map();

  /**
   * Records finished pods. Must be called once per pod.
   * @param {string} key
   * @param {{ succeeded: KubernetesObject[], failed: KubernetesObject[], now: number }} finished
   */
  record(key, { succeeded, failed, now }) {
    const ends = [
      ...succeeded.map((pod) => ({ at: finishTimeOf(pod, now), isFailure: false })),
      ...failed.map((pod) => ({ at: finishTimeOf(pod, now), isFailure: true })),
    ].sort((a, b) => a.at - b.at || Number(a.isFailure) - Number(b.isFailure));
    for (const { at, isFailure } of ends) {
      const { failures } = this.#records.get(key) ?? { failures: 0 };
      if (isFailure) this.#records.set(key, { failures: failures + 1, last: at });
      else this.#records.delete(key);
    }
  }

  /**
   * @param {string} key
   * @param {number} now
   * @returns {number} milliseconds until pods may be created
   */
  remaining(key, now) {
    const record = this.#records.get(key);
    if (!record) return 0;
    const delay = Math.min(FIRST * 2 ** (record.failures - 1), LONGEST);
    return Math.max(0, record.last + delay - now);
  }

  /** @param {string} key */
  forget(key) {
    this.#records.delete(key);
  }
}

/**
 * Returns when the last container ended; if unknown, when the pod stopped being ready, or was
 * deleted.
 * @param {KubernetesObject} pod
 * @param {number} now
 */
function finishTimeOf({ metadata, status }, now) {
  const ends = (status?.containerStatuses ?? []).map((/** @type {any} */ { state }) =>
    timeOf(state?.terminated?.finishedAt),
  );
  if (ends.length > 0 && !ends.includes(null)) return Math.max(...ends);
  const ready = conditionOf(status, 'Ready');
  const unready = ready?.status === 'False' ? timeOf(ready.lastTransitionTime) : null;
  if (unready !== null) return unready;
  const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0 } = metadata;
  return deletionTimestamp ? Date.parse(deletionTimestamp) - grace * 1000 : now;
}
