/** Replaces a pod whose spec cannot be changed with a new pod. */
import { parse } from '../../../js/src/manifests.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Action } from '../world/world.js'
 */

/** Fields that the API server or the scheduler set. */
const GIVEN = /** @type {const} */ ([
  ...['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'],
]);

/** kube-apiserver's messages about immutable fields. */
const FORBIDDEN = /spec: Forbidden: pod updates may not change fields/;

/**
 * True if a text can be applied only to a new pod: the API server refuses to change the existing
 * pod, and no controller would replace it.
 * @param {string} text
 * @param {readonly string[]} refusals the API server's messages
 */
export function isForbiddenEdit(text, refusals) {
  if (!refusals.some((message) => FORBIDDEN.test(message))) return false;
  const [pod] = parse(text, { onError: () => {} });
  /** @type {{ controller?: boolean }[]} */
  const owners = pod?.metadata?.ownerReferences ?? [];
  return pod?.kind === 'Pod' && !owners.some(({ controller }) => controller);
}

/**
 * Deletes the pod at once and creates the new one, which the scheduler then places, as `kubectl
 * replace --force` does.
 * @param {string} text the pod's YAML
 * @returns {Action[]}
 */
export function recreationOf(text) {
  const [{ status: _told, ...pod }] = parse(text);
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
