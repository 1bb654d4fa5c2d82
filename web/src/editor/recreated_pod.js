/** Creates a pod again whose spec cannot be changed. */

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Action } from '../world/world.js'
 */

/** Fields that the API server or the scheduler set. */
const GIVEN = /** @type {const} */ ([
  ...['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'],
]);

/**
 * Deletes the pod at once and creates the new one, which the scheduler then places, as `kubectl
 * replace --force` does.
 * @param {KubernetesObject} object the new pod
 * @returns {Action[]}
 */
export function recreationOfPod({ status: _told, ...pod }) {
  const { nodeName: _chosen, ...spec } = pod.spec;
  const metadata = Object.fromEntries(
    Object.entries(pod.metadata).filter(([name]) => !GIVEN.some((one) => one === name)),
  );
  const { namespace = 'default', name } = pod.metadata;
  const reference = { apiVersion: 'v1', kind: 'Pod', namespace, name };
  return [
    { do: 'delete', objects: [{ ...reference, gracePeriodSeconds: 0 }] },
    { do: 'apply', objects: [/** @type {KubernetesObject} */ ({ ...pod, metadata, spec })] },
  ];
}
