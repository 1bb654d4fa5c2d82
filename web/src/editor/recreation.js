/** Replaces a pod whose spec cannot be changed with a new pod. */
import { parse } from '../../../js/src/manifests.js';
import { recreationOfPod } from './recreated_pod.js';

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
 * As `recreationOfPod`, of a pod in YAML.
 * @param {string} text
 */
export function recreationOf(text) {
  return recreationOfPod(parse(text)[0]);
}
