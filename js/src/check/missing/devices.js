/** Finds objects that device claims need and the input lacks. */
import { keyFor, namespaceOf } from '../../kubernetes/keys.js';
import { claimNameOf } from '../../kubernetes/pod_claims.js';
import { podRequests } from '../../kubernetes/pod_requests.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';

/**
 * @import { Lack, Question } from './kinds.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 */

/** The prefix of the resources by which pods request devices of a class. */
const OF_CLASS = 'deviceclass.resource.kubernetes.io/';

/**
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
export function* missingForDevices({ dump, pending }) {
  for (const pod of pending) {
    const uses = itemsIn(pod.spec?.resourceClaims);
    const classes = classesRequestedBy(pod);
    if (uses.length === 0 && classes.length === 0) continue;
    if (dump.lacksAll('ResourceSlice')) yield { kind: 'ResourceSlice', pod };
    for (const name of classes)
      if (dump.lacks('DeviceClass', name)) yield { kind: 'DeviceClass', name, pod };
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
 * Returns the classes whose devices the pod requests as resources. A resource of another name may
 * be one of devices too, if a class says so; that cannot be known without the class.
 * @param {KubernetesObject} pod
 * @returns {string[]}
 */
function classesRequestedBy({ spec }) {
  if (!isRecord(spec) || !requestsClass(spec)) return [];
  const names = [...podRequests(spec).keys()].filter((name) => name.startsWith(OF_CLASS));
  return names.map((name) => name.slice(OF_CLASS.length));
}

/**
 * Most pods request no class: their requests need not be added up.
 * @param {any} spec
 */
function requestsClass(spec) {
  const containers = [...itemsIn(spec.containers), ...itemsIn(spec.initContainers)];
  const lists = [...containers.map((container) => container?.resources?.requests), spec.overhead];
  return lists.some((list) => Object.keys(list ?? {}).some((name) => name.startsWith(OF_CLASS)));
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
