/** Gives a pod another ResourceClaim: with fewer devices, fewer conditions, or another class. */
import { claimNameOf } from '../../kubernetes/pod_claims.js';
import { itemsIn } from '../../kubernetes/values.js';
import { ASKS, withSpec } from './edit.js';
import { lowerTo } from './requests.js';
import { podAmounts } from '../../kubernetes/pod_requests.js';

/**
 * @import { Culprit, DeviceRequest } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 * @import { Question } from './question.js'
 */

const NANO = 1_000_000_000n;

/** The most other classes that are proposed. */
const CLASSES_MAX = 4;

/**
 * A change of one request of a claim, with the words for it.
 * @typedef {{ name: string, text: string, size: number, change: (spec: any) => any }} Relaxation
 */

/**
 * Returns the alternatives by which the pod's claims can be allocated on a node.
 * @param {Culprit} culprit of DynamicResources
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @returns {Edit[][]}
 */
export function relaxDevices({ deviceRequests = [], unavailableClaims = [] }, pod, question) {
  const lacking = deviceRequests.filter(({ missing }) => missing > 0);
  if (lacking.length === 0)
    return unavailableClaims.length > 0
      ? combined(unavailableClaims.map((claim) => [claimEdit(claim, pod, question, anew())]))
      : [];
  return combined(lacking.map((request) => alternatives(request, pod, question)));
}

/**
 * Returns the alternatives for claims that no node can be asked about: claims that do not exist,
 * and classes that do not.
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @returns {Edit[][]}
 */
export function otherDeviceClasses(pod, question) {
  const { namespace } = pod.metadata;
  const classes = question.list('DeviceClass').map(({ metadata }) => metadata.name);
  const known = new Set(classes);
  const entries = itemsIn(pod.spec.resourceClaims).flatMap((entry) => {
    const name = claimNameOf(pod, entry);
    if (!name) return [];
    const claim = question.get('ResourceClaim', `${namespace}/${name}`);
    return [{ entry, name, claim }];
  });
  return classes.slice(0, CLASSES_MAX).map((deviceClass) =>
    entries.flatMap(({ name, claim }) => {
      if (!claim) return [createClaim(`${namespace}/${name}`, deviceClass)];
      const unknown = requestsOf(claim.spec).filter(
        ({ exactly }) => exactly && !known.has(exactly.deviceClassName),
      );
      const edits = unknown.map((request) =>
        claimEdit(`${namespace}/${name}`, pod, question, ofClass(request.name, deviceClass)),
      );
      return edits.filter((edit) => edit !== undefined);
    }),
  );
}

/**
 * @param {DeviceRequest} request
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @returns {(Edit | undefined)[]}
 */
function alternatives(request, pod, question) {
  const { claim, left, asked, deviceClass } = request;
  if (claim === undefined) return [lowerExtended(request, pod, question)];
  const name = request.request;
  const rules = request.refused.map(({ rule }) => rule);
  const taints = request.refused.flatMap(({ taint }) => taint ?? []);
  const others = question
    .list('DeviceClass')
    .map(({ metadata }) => metadata.name)
    .filter((one) => one !== deviceClass)
    .slice(0, CLASSES_MAX);
  const relaxations = [
    ...(left > 0 && asked !== 'All' ? [fewer(name, left)] : []),
    ...(rules.includes('selector') ? [without(name, 'selectors')] : []),
    ...(rules.includes('capacity') ? [without(name, 'capacity')] : []),
    ...(rules.includes('constraint') ? [withoutConstraints()] : []),
    ...taints.map((taint) => tolerating(name, taint)),
    ...others.map((one) => ofClass(name, one)),
  ];
  return relaxations.map((one) => claimEdit(claim, pod, question, one));
}

/**
 * Returns one edit of each list, in all combinations.
 * @param {(Edit | undefined)[][]} lists
 * @returns {Edit[][]}
 */
function combined(lists) {
  return lists.reduce(
    (sets, list) => sets.flatMap((set) => list.flatMap((edit) => (edit ? [[...set, edit]] : []))),
    /** @type {Edit[][]} */ ([[]]),
  );
}

/**
 * The spec of a claim is immutable: the pod gets a new claim. Several edits of one claim change the
 * claim that the first one made.
 * @param {string} key `namespace/name` of the claim
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @param {Relaxation} relaxation
 * @returns {Edit | undefined}
 */
function claimEdit(key, pod, question, { name, text, size, change }) {
  const claim = question.get('ResourceClaim', key);
  if (!claim) return undefined;
  const entry = itemsIn(pod.spec.resourceClaims).find(
    (one) => claimNameOf(pod, one) === claim.metadata.name,
  );
  if (!entry) return undefined;
  const { namespace } = claim.metadata;
  const created = `${entry.name}-${name}`.toLowerCase().slice(0, 63);
  const made = {
    apiVersion: claim.apiVersion,
    kind: 'ResourceClaim',
    metadata: { namespace, name: created },
    spec: change(claim.spec),
  };
  return {
    key: `ChangeDeviceClaim ${key} ${name}`,
    shape: `ChangeDeviceClaim ${key} ${name}`,
    kind: 'ChangeDeviceClaim',
    sentence:
      `create ResourceClaim ${created}, ${text}, ` + `and use it instead of ${claim.metadata.name}`,
    asks: ASKS.namespace,
    size,
    pod: (before) =>
      withSpec(before, (spec) => ({
        ...spec,
        resourceClaims: itemsIn(spec.resourceClaims).map((one) =>
          one.name === entry.name ? { name: one.name, resourceClaimName: created } : one,
        ),
      })),
    creates: [made],
  };
}

/** @param {string} key @param {string} deviceClassName @returns {Edit} */
function createClaim(key, deviceClassName) {
  const [namespace, name] = key.split('/');
  const exactly = { deviceClassName, allocationMode: 'ExactCount', count: 1 };
  const made = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { namespace, name },
    spec: { devices: { requests: [{ name: 'device', exactly }] } },
  };
  return {
    key: `CreateClaim ${key} ${deviceClassName}`,
    shape: `CreateClaim ${key} ${deviceClassName}`,
    kind: 'CreateClaim',
    sentence: `create ResourceClaim ${name} for one device of class ${deviceClassName}`,
    asks: ASKS.namespace,
    size: 0.3,
    creates: [made],
  };
}

/**
 * @param {DeviceRequest} request for the pod's extended resources
 * @param {KubernetesObject} pod
 * @param {Question} question
 */
function lowerExtended({ deviceClass, left }, pod, question) {
  const found = question.list('DeviceClass').find(({ metadata }) => metadata.name === deviceClass);
  const resource =
    found?.spec?.extendedResourceName ?? `deviceclass.resource.kubernetes.io/${deviceClass}`;
  const asked = podAmounts(pod.spec, 'requests').get(resource);
  return asked ? lowerTo(pod, { resource, value: BigInt(left) * NANO, asked }) : undefined;
}

/** @param {any} spec of a claim @returns {any[]} */
function requestsOf(spec) {
  return itemsIn(spec?.devices?.requests);
}

/**
 * @param {any} spec of a claim
 * @param {string} name of the request
 * @param {(exactly: any) => any} change
 */
function withRequest(spec, name, change) {
  const requests = requestsOf(spec).map((one) =>
    one.name === name && one.exactly ? { ...one, exactly: change(one.exactly) } : one,
  );
  return { ...spec, devices: { ...spec.devices, requests } };
}

/** @param {string} request @param {number} count @returns {Relaxation} */
function fewer(request, count) {
  return {
    name: `${request}-${count}`,
    text: `which asks for ${count} ${count === 1 ? 'device' : 'devices'} in request ${request}`,
    size: 0.3,
    change: (spec) => withRequest(spec, request, (exactly) => ({ ...exactly, count })),
  };
}

/** @param {string} request @param {'selectors' | 'capacity'} field @returns {Relaxation} */
function without(request, field) {
  return {
    name: `${request}-without-${field}`,
    text: `without the ${field} of request ${request}`,
    size: 0.5,
    change: (spec) => withRequest(spec, request, ({ [field]: _, ...exactly }) => ({ ...exactly })),
  };
}

/** @returns {Relaxation} */
function withoutConstraints() {
  return {
    name: 'without-constraints',
    text: 'without its constraints',
    size: 0.6,
    change: ({ devices: { constraints: _, ...devices }, ...spec }) => ({ ...spec, devices }),
  };
}

/**
 * @param {string} request
 * @param {{ key: string, value?: string, effect: string }} taint
 * @returns {Relaxation}
 */
function tolerating(request, { key, value, effect }) {
  const toleration = value
    ? { key, operator: 'Equal', value, effect }
    : { key, operator: 'Exists', effect };
  return {
    name: `${request}-tolerant`,
    text: `whose request ${request} tolerates the taint ${key}`,
    size: 0.8,
    change: (spec) =>
      withRequest(spec, request, (exactly) => ({
        ...exactly,
        tolerations: [...itemsIn(exactly.tolerations), toleration],
      })),
  };
}

/** @param {string} request @param {string} deviceClassName @returns {Relaxation} */
function ofClass(request, deviceClassName) {
  return {
    name: `${request}-${deviceClassName}`,
    text: `whose request ${request} has the class ${deviceClassName}`,
    size: 0.7,
    change: (spec) => withRequest(spec, request, (exactly) => ({ ...exactly, deviceClassName })),
  };
}

/** @returns {Relaxation} */
function anew() {
  return { name: 'new', text: 'which is not allocated yet', size: 0.4, change: (spec) => spec };
}
