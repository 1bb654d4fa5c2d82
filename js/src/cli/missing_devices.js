/** Finds objects that device claims need and the input lacks. */
import { keyFor, namespaceOf } from '../kubernetes/keys.js';
import { claimNameOf } from '../kubernetes/pod_claims.js';
import { itemsIn } from '../kubernetes/values.js';

/** @import { Lack, Question } from './missing_kinds.js' */

/**
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
export function* missingForDevices({ dump, pending }) {
  for (const pod of pending) {
    const uses = itemsIn(pod.spec?.resourceClaims);
    if (uses.length === 0) continue;
    if (dump.lacksAll('ResourceSlice')) yield { kind: 'ResourceSlice', pod };
    const namespace = namespaceOf(pod);
    for (const use of uses) {
      const name = claimNameOf(pod, use);
      const template = use?.resourceClaimTemplateName;
      const [kind, wanted] = name ? ['ResourceClaim', name] : ['ResourceClaimTemplate', template];
      if (!wanted) continue;
      const found = dump.get(kind, wanted, namespace);
      if (dump.lacks(kind, wanted, namespace)) yield { kind, name: keyFor(namespace, wanted), pod };
      for (const each of classesOf(name ? found?.spec : found?.spec?.spec))
        if (dump.lacks('DeviceClass', each)) yield { kind: 'DeviceClass', name: each, pod };
    }
  }
}

/**
 * @param {any} spec of a ResourceClaim
 * @returns {string[]}
 */
function classesOf(spec) {
  const requests = itemsIn(spec?.devices?.requests).flatMap((request) => [
    request?.exactly,
    ...itemsIn(request?.firstAvailable),
  ]);
  return requests.flatMap((request) => request?.deviceClassName || []);
}
