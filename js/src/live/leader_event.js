/**
 * Creates the event of a Lease that a candidate became its leader or stopped leading. Counterpart:
 * client-go tools/record, as kube-scheduler v1.36 uses it for its election.
 */

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { JsonClient } from './lease_lock.js'
 */

/**
 * @param {{ lease: KubernetesObject, message: string, component: string, now: number }} parts `now`
 *   in milliseconds since the epoch; `component` is the name of a scheduler
 */
export function leaderEvent({ lease, message, component, now }) {
  const { name, namespace, uid, resourceVersion } = lease.metadata;
  const nanoseconds = BigInt(Math.round(now * 1000)) * 1000n;
  const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: `${name}.${nanoseconds.toString(16)}`, namespace },
    involvedObject: {
      kind: 'Lease',
      namespace,
      name,
      uid,
      apiVersion: 'coordination.k8s.io/v1',
      resourceVersion,
    },
    reason: 'LeaderElection',
    message,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Normal',
    eventTime: null,
    reportingComponent: component,
    reportingInstance: '',
  };
}

/**
 * @param {JsonClient} client
 * @param {ReturnType<typeof leaderEvent>} event
 * @param {AbortSignal} signal
 * @returns {Promise<unknown>}
 */
export function sendEvent(client, event, signal) {
  return client.json(`/api/v1/namespaces/${event.metadata.namespace}/events`, {
    method: 'POST',
    body: JSON.stringify(event),
    signal,
  });
}
