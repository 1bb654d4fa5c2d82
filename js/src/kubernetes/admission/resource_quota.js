/**
 * ResourceQuota: limits what the pods and claims of a namespace request together. Counterpart:
 * apiserver/pkg/admission/plugin/resourcequota and pkg/quota/v1/evaluator/core (pods.go,
 * persistent_volume_claims.go), v1.36. The embedded server stores quotas without enforcing them,
 * because it does not count usage.
 */
import { parseQuantity } from '../quantity.js';
import { podLimits, podRequests } from '../pod_requests.js';
import { isRecord, itemsIn } from '../values.js';
import { qosClass } from '../pod_qos.js';
import { resourceNamed } from '../kinds.js';
import { meets } from '../requirement.js';
import { quantityText } from '../canonical_quantity.js';
import { storageClassNameOf } from '../volume_defaults.js';
import { isPodFinished } from '../workloads/pods.js';
import { forbidden } from '../status_errors.js';

/**
 * @import { Operator } from '../requirement.js'
 * @import { KubernetesObject } from '../types.js'
 */

/** @typedef {Map<string, bigint>} Usage by the name in a quota, in units of 10^-9 */

const ONE = 1_000_000_000n;

/** Requests that a quota may also name without the prefix `requests.`. */
const PLAIN = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Resources whose quantities use powers of 1024. */
const BINARY = /memory|storage|hugepages-/;

/** The fields that each container must set if a quota has the resource. */
const COMPUTE = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** Counts the usage of a ResourceQuota, one pod or claim after another. */
export class QuotaUsage {
  #name;
  #hard;
  #used;
  #spec;

  /** @param {KubernetesObject} quota as stored, with its status */
  constructor({ metadata, spec = {}, status = {} }) {
    this.#name = metadata.name;
    this.#spec = spec;
    this.#hard = usageIn(status.hard ?? spec.hard);
    this.#used = usageIn(status.used);
  }

  /**
   * Subtracts a deleted pod or claim.
   * @param {KubernetesObject} object
   */
  release(object) {
    if (!this.#counts(object) || isPodFinished(object)) return;
    for (const [name, amount] of usageOf(object))
      if (this.#used.has(name)) this.#used.set(name, (this.#used.get(name) ?? 0n) - amount);
  }

  /**
   * Counts a stored pod or claim, also beyond the bounds.
   * @param {KubernetesObject} object
   */
  add(object) {
    if (!this.#counts(object) || isPodFinished(object)) return;
    for (const [name, amount] of usageOf(object))
      if (this.#hard.has(name)) this.#used.set(name, this.#usedOf(name) + amount);
  }

  /**
   * Counts a new pod or claim.
   * @param {KubernetesObject} object admitted
   * @throws {import('../api_error.js').ApiError} Forbidden; the object is then not counted
   */
  take(object) {
    if (!this.#counts(object)) return;
    const lacks = isClaim(object) ? [] : this.#lacksOf(object.spec);
    if (lacks.length > 0)
      throw refused(object, `failed quota: ${this.#name}: must specify ${lacks.sort().join('; ')}`);
    const usage = usageOf(object);
    const asked = [...usage].filter(([name]) => this.#hard.has(name));
    const exceeded = asked.filter(
      ([name, amount]) => amount > 0n && this.#usedOf(name) + amount > this.#hardOf(name),
    );
    if (exceeded.length > 0) {
      const names = exceeded.map(([name]) => name).sort();
      const list = (/** @type {(name: string) => bigint} */ of) =>
        names.map((name) => `${name}=${quantityText(of(name), BINARY.test(name))}`).join(',');
      const parts = [
        `exceeded quota: ${this.#name}`,
        `requested: ${list((name) => usage.get(name) ?? 0n)}`,
        `used: ${list((name) => this.#usedOf(name))}`,
        `limited: ${list((name) => this.#hardOf(name))}`,
      ];
      throw refused(object, parts.join(', '));
    }
    for (const [name, amount] of asked) this.#used.set(name, this.#usedOf(name) + amount);
  }

  /**
   * Returns the counted requests and limits that containers do not set.
   * @param {any} spec of a pod
   */
  #lacksOf(spec) {
    return COMPUTE.filter((name) => this.#hard.has(name)).flatMap((name) => {
      const containers = containersWithout(spec, name);
      return containers.length > 0 ? [`${name} for: ${containers.join(',')}`] : [];
    });
  }

  /** @param {string} name */
  #usedOf(name) {
    return this.#used.get(name) ?? 0n;
  }

  /** @param {string} name */
  #hardOf(name) {
    return this.#hard.get(name) ?? 0n;
  }

  /** @param {KubernetesObject} object */
  #counts(object) {
    const { scopes, scopeSelector } = this.#spec;
    /** @type {any[]} */
    const terms = [
      ...itemsIn(scopes).map((scopeName) => ({ scopeName, operator: 'Exists' })),
      ...itemsIn(scopeSelector?.matchExpressions).filter(isRecord),
    ];
    return terms.every((term) =>
      isClaim(object) ? isClaimInScope(object.spec, term) : isInScope(object.spec, term),
    );
  }
}

/**
 * @param {KubernetesObject} object
 * @param {string} cause
 */
function refused(object, cause) {
  const resource = resourceNamed(isClaim(object) ? 'persistentvolumeclaims' : 'pods');
  return forbidden(resource, object.metadata.name, cause);
}

/** @param {KubernetesObject} object */
function isClaim({ kind }) {
  return kind === 'PersistentVolumeClaim';
}

/**
 * @param {any} spec of a claim
 * @param {{ scopeName: string, operator: Operator, values?: string[] }} term of a scope selector
 */
function isClaimInScope({ volumeAttributesClassName }, { scopeName, operator, values = [] }) {
  const isOfClaims = scopeName === 'VolumeAttributesClass';
  return isOfClaims && meets(volumeAttributesClassName || undefined, { operator, values });
}

/**
 * @param {any} spec of a pod
 * @param {{ scopeName: string, operator: Operator, values?: string[] }} term of a scope selector
 */
function isInScope(spec, { scopeName, operator, values = [] }) {
  const isTerminating = (spec.activeDeadlineSeconds ?? -1) >= 0;
  switch (scopeName) {
    case 'Terminating':
      return isTerminating;
    case 'NotTerminating':
      return !isTerminating;
    case 'BestEffort':
      return qosClass(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClass(spec) !== 'BestEffort';
    case 'PriorityClass':
      return meets(spec.priorityClassName || undefined, { operator, values });
    case 'CrossNamespacePodAffinity':
      return namesNamespaces(spec.affinity ?? {});
    default:
      return false;
  }
}

/** @param {any} affinity */
function namesNamespaces({ podAffinity = {}, podAntiAffinity = {} }) {
  return [podAffinity, podAntiAffinity]
    .flatMap((side) => [
      ...itemsIn(side?.requiredDuringSchedulingIgnoredDuringExecution),
      ...itemsIn(side?.preferredDuringSchedulingIgnoredDuringExecution).map(
        (each) => each?.podAffinityTerm,
      ),
    ])
    .some((term) => itemsIn(term?.namespaces).length > 0 || term?.namespaceSelector);
}

/** @param {KubernetesObject} object a pod or claim @returns {Usage} */
function usageOf(object) {
  return isClaim(object) ? claimUsage(object) : podUsage(object.spec);
}

/**
 * Returns a claim's usage of a quota's resources, as a whole and by its class.
 * @param {KubernetesObject} claim
 * @returns {Usage}
 */
function claimUsage(claim) {
  const storageClass = storageClassNameOf(claim);
  const storage = parseQuantity(claim.spec.resources?.requests?.storage ?? 0) ?? 0n;
  // Quotas count whole bytes.
  const bytes = ((storage + ONE - 1n) / ONE) * ONE;
  /** @type {Usage} */
  const usage = new Map([['count/persistentvolumeclaims', ONE]]);
  const prefixes = storageClass ? ['', `${storageClass}.storageclass.storage.k8s.io/`] : [''];
  for (const prefix of prefixes) {
    usage.set(`${prefix}persistentvolumeclaims`, ONE);
    usage.set(`${prefix}requests.storage`, bytes);
  }
  return usage;
}

/**
 * Returns a pod's usage of a quota's resources.
 * @param {any} spec
 * @returns {Usage}
 */
function podUsage(spec) {
  /** @type {Usage} */
  const usage = new Map([
    ['pods', ONE],
    ['count/pods', ONE],
  ]);
  for (const [name, amount] of podRequests(spec)) {
    if (PLAIN.has(name) || name.startsWith('hugepages-')) usage.set(name, amount);
    usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of podLimits(spec))
    if (PLAIN.has(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

/**
 * Returns the names of containers that lack a counted request or limit; none if the pod sets it at
 * its own level.
 * @param {any} spec
 * @param {string} counted
 * @returns {string[]} their names
 */
function containersWithout(spec, counted) {
  const list = counted.startsWith('limits.') ? 'limits' : 'requests';
  const name = counted.slice(counted.indexOf('.') + 1);
  const says = (/** @type {any} */ resources) => Object.hasOwn(resources?.[list] ?? {}, name);
  if (says(spec.resources)) return [];
  const all = [...itemsIn(spec.containers), ...itemsIn(spec.initContainers)];
  return all
    .filter(({ resources }) => !says(resources))
    .map((container) => container.name)
    .sort();
}

/**
 * A bound that is no quantity limits nothing.
 * @param {Record<string, unknown> | undefined} quantities
 * @returns {Usage}
 */
function usageIn(quantities) {
  /** @type {Usage} */
  const usage = new Map();
  for (const [name, text] of Object.entries(quantities ?? {})) {
    const amount = parseQuantity(text ?? 0);
    if (amount !== null) usage.set(name, amount);
  }
  return usage;
}
