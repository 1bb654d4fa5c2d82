/** Evaluates the pod group of the pods under review as a whole. */
import { inTime } from '../io/in_time.js';
import { namespaceOf } from '../kubernetes/keys.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { AdmissionSettings, Cluster } from './admission_options.js'
 */

/** Results with which a group does not start, although enough of its pods are known. */
const STUCK = ['unschedulable', 'waitsForPreemption', 'error'];

/**
 * Returns a hint that the verdict does not depend on: why the pod group cannot start with these
 * pods, in half of the remaining time. Undefined if it can, if too few of its pods exist yet, if
 * the pods are in no group, or without the option `evaluateGroup`.
 * @param {KubernetesObject[]} pods of one template
 * @param {{ cluster: Cluster, settings: AdmissionSettings, bounds: { signal: AbortSignal, msLeft:
 *   () => number } }} parts
 * @returns {Promise<string | undefined>}
 */
export async function groupHint(pods, { cluster, settings, bounds }) {
  const { evaluateGroup, clock, onError } = settings;
  const name = pods[0]?.spec?.schedulingGroup?.podGroupName;
  if (!evaluateGroup || !name || !cluster.fork) return undefined;
  const podGroup = `${namespaceOf(pods[0])}/${name}`;
  try {
    const fork = cluster.fork();
    const until = clock.now() + bounds.msLeft() / 2;
    return await inTime({ clock, until, signal: bounds.signal }, async (signal) => {
      try {
        fork.apply(pods);
        const { result, message } = await evaluateGroup(fork, { podGroup }, { signal });
        return STUCK.includes(result) ? `pod group "${podGroup}": ${message}` : undefined;
      } finally {
        fork.dispose();
      }
    });
  } catch (cause) {
    bounds.signal.throwIfAborted();
    onError(cause);
    return undefined;
  }
}
