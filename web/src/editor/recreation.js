/** A pod with another spec in the place of one whose spec cannot be changed. */
import { parse } from '../../../js/src/manifests.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Action } from '../world/world.js'
 */

/** What the API server gave it, or the scheduler. */
const GIVEN = /** @type {const} */ ([
  ...['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'],
]);

/** What kube-apiserver says of fields that are as they were made. */
const FORBIDDEN = /spec: Forbidden: pod updates may not change fields/;

/**
 * Whether a text can be applied only to a new pod: the API server refuses to change the one that is
 * there, and no controller would make another one in its place.
 * @param {string} text
 * @param {readonly string[]} refusals in the API server's words
 */
export function isForbiddenEdit(text, refusals) {
  if (!refusals.some((message) => FORBIDDEN.test(message))) return false;
  const [pod] = parse(text, { onError: () => {} });
  /** @type {{ controller?: boolean }[]} */
  const owners = pod?.metadata?.ownerReferences ?? [];
  return pod?.kind === 'Pod' && !owners.some(({ controller }) => controller);
}

/**
 * The pod goes at once, and the new one waits for a node, as with `kubectl replace --force`.
 * @param {string} text of the pod
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
