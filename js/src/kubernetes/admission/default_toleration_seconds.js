/**
 * DefaultTolerationSeconds: pods tolerate a node that is not ready or unreachable for five minutes.
 * Counterpart: plugin/pkg/admission/defaulttolerationseconds, v1.36.
 */

/** @import { KubernetesObject } from '../types.js' */

const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const SECONDS = 300;

/** @param {KubernetesObject} pod */
export function withDefaultTolerations(pod) {
  const { spec } = pod;
  const given = spec.tolerations ?? [];
  const missing = TAINTS.filter((key) => !given.some((/** @type {any} */ one) => is(one, key)));
  if (missing.length === 0) return pod;
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: SECONDS,
  }));
  return { ...pod, spec: { ...spec, tolerations: [...given, ...added] } };
}

/**
 * @param {{ key?: string, effect?: string }} toleration
 * @param {string} taint
 */
function is({ key, effect }, taint) {
  return (!key || key === taint) && (!effect || effect === 'NoExecute');
}
