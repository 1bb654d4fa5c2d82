/** Pods as JSON without what no scheduler reads. */
import { isRecord, itemsIn } from '../../kubernetes/values.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/** The size of the pieces of lines in bytes. */
const PIECE = 4 << 20;

/** The maximum number of bytes of a character. */
const BYTES_PER_CHARACTER = 3;

/** The conditions of most pods, which no scheduler reads. */
const REPORTED = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'ContainersReady',
  'Ready',
  'PodScheduled',
]);

/** Members of a spec that differ from pod to pod, or that no scheduler reads. */
const OWN_MEMBERS = ['nodeName', 'hostname', 'subdomain', 'ephemeralContainers'];

/**
 * What pods of one controller have in common: `pod`, and its parts as JSON, without their braces.
 * @typedef {{ id: number, pod: Record<string, any>, type: string, metadata: string, spec: string,
 *   status: string }} Shared
 */

/** The members of a pod's parts that it has of its own. @typedef {Record<string, Scalar>} Own */

/** @typedef {string | number | boolean | null | undefined} Scalar */

/**
 * A pod without its object: what it has in common with others, and the rest of its parts. `key`:
 * two pods share it only if no scheduler can tell them apart, except for the node that they are on.
 * @typedef {{ shared: Shared, key: string, own: { metadata: Own, spec: Own, status: Own } }}
 *   PodText
 */

/**
 * PodTexts encodes pods of one cluster. Equal texts are kept once, because most pods of a cluster
 * differ from others only in their name, node and times.
 */
export class PodTexts {
  /** @type {Map<string, Shared>} */
  #shared = new Map();
  /** The texts of reduced pods. @type {Map<KubernetesObject, PodText>} */
  #known = new Map();

  /**
   * @param {KubernetesObject} pod
   * @returns {PodText | undefined} undefined if it has no JSON, or a field has another type
   */
  of(pod) {
    try {
      return this.#known.get(pod) ?? this.#encoded(pod);
    } catch {
      return undefined;
    }
  }

  /**
   * Returns a stored pod without what no scheduler reads. It shares with other pods what they have
   * in common. Any other object is returned unchanged.
   * @param {KubernetesObject} object
   * @returns {KubernetesObject}
   */
  reduced(object) {
    if (object?.kind !== 'Pod' || !object.metadata?.uid) return object;
    try {
      const text = this.#encoded(object);
      const pod = reducedPod(text);
      this.#known.set(pod, text);
      return pod;
    } catch {
      return object;
    }
  }

  /** @param {KubernetesObject} pod @returns {PodText} */
  #encoded({ apiVersion, kind, metadata, spec, status = {} }) {
    const { name, uid, generation, creationTimestamp, deletionTimestamp } = metadata;
    const { namespace, labels, ownerReferences } = metadata;
    const { nodeName, volumes, resourceClaims } = spec;
    const { phase, startTime, nominatedNodeName } = status;
    const shared = this.#sharedOf(
      JSON.stringify({
        apiVersion,
        kind,
        metadata: { namespace, labels, ownerReferences },
        spec: readSpec(spec),
        status: readStatus(status),
      }),
    );
    const own = {
      metadata: { name, uid, generation, creationTimestamp, deletionTimestamp },
      spec: { nodeName },
      status: { phase, startTime, nominatedNodeName },
    };
    for (const part of Object.values(own)) requireScalars(part);
    const hasOwnClaim =
      itemsIn(volumes).some(({ ephemeral }) => ephemeral) || itemsIn(resourceClaims).length > 0;
    const ownName = hasOwnClaim || nominatedNodeName ? name : '';
    const key = `${shared.id} ${Boolean(nodeName)} ${ownName}`;
    return { shared, key, own };
  }

  /**
   * @param {string} text of a pod
   * @returns {Shared}
   */
  #sharedOf(text) {
    const known = this.#shared.get(text);
    if (known) return known;
    const pod = JSON.parse(text);
    const { apiVersion, kind } = pod;
    const [type, metadata, spec, status] = [
      { apiVersion, kind },
      pod.metadata,
      pod.spec,
      pod.status,
    ].map(membersOf);
    const shared = { id: this.#shared.size, pod, type, metadata, spec, status };
    this.#shared.set(text, shared);
    return shared;
  }
}

/**
 * Makes all pods with the same members in the same order: JavaScript makes and reads objects of
 * one shape in less time.
 * @param {PodText} text
 * @returns {KubernetesObject}
 */
function reducedPod({ shared, own }) {
  const { apiVersion, kind, metadata, spec, status } = shared.pod;
  const { name, uid, generation, creationTimestamp, deletionTimestamp } = own.metadata;
  const { namespace, labels, ownerReferences } = metadata;
  const { phase, startTime, nominatedNodeName } = own.status;
  return /** @type {any} */ ({
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      uid,
      generation,
      creationTimestamp,
      deletionTimestamp,
      labels,
      ownerReferences,
    },
    spec: { ...spec, nodeName: own.spec.nodeName },
    status: { ...status, phase, startTime, nominatedNodeName },
  });
}

/**
 * @param {object} part
 * @throws {TypeError} unless all members are scalars: the engine says what is wrong
 */
function requireScalars(part) {
  for (const value of Object.values(part))
    if (typeof value === 'bigint' || (typeof value === 'object' && value !== null))
      throw new TypeError('a scalar is expected');
}

/**
 * Returns an object as JSON, without its braces.
 * @param {object} object
 */
function membersOf(object) {
  return JSON.stringify(object).slice(1, -1);
}

/**
 * Lines contains the objects of a cluster for `apply` with the format `lines`. Makes the lines of
 * pods when they are used: as bytes they would take more memory than a scheduler.
 */
export class Lines {
  /** @type {(string | PodText)[]} */
  #entries = [];
  /** @type {number[]} */
  #indexes = [];

  get length() {
    return this.#entries.length;
  }

  /**
   * @param {string | PodText} entry a whole line, or a pod
   * @param {number} index the number of its object in the source
   */
  add(entry, index) {
    this.#entries.push(entry);
    this.#indexes.push(index);
  }

  /**
   * Yields the lines in pieces. `done`: the number of lines up to the end of the piece; `indexOf`
   * returns the number in the source of each of its lines. The bytes are valid until the next
   * piece.
   * @returns {Generator<{ bytes: Uint8Array, done: number, indexOf: (line: number) => number }>}
   */
  *pieces() {
    const encoder = new TextEncoder();
    let bytes = new Uint8Array(PIECE);
    let used = 0;
    let start = 0;
    const pieceUntil = (/** @type {number} */ done) => {
      const first = start;
      const indexOf = (/** @type {number} */ line) => this.#indexes[first + line];
      return { bytes: bytes.subarray(0, used), done, indexOf };
    };
    for (const [at, entry] of this.#entries.entries()) {
      const line = typeof entry === 'string' ? entry : lineOf(entry);
      const size = line.length * BYTES_PER_CHARACTER;
      if (used > 0 && used + size > bytes.byteLength) {
        yield pieceUntil(at);
        [used, start] = [0, at];
      }
      if (size > bytes.byteLength) bytes = new Uint8Array(size);
      used += encoder.encodeInto(line, bytes.subarray(used)).written;
    }
    if (used > 0) yield pieceUntil(this.length);
  }
}

/**
 * Returns a pod as one line of JSON.
 * @param {PodText} text
 */
function lineOf({ shared, own }) {
  const metadata = joined(membersOf(own.metadata), shared.metadata);
  const spec = joined(membersOf(own.spec), shared.spec);
  const status = joined(membersOf(own.status), shared.status);
  return `{${shared.type},"metadata":{${metadata}},"spec":{${spec}},"status":{${status}}}\n`;
}

/**
 * Returns the members of both.
 * @param {string} first
 * @param {string} second
 */
function joined(first, second) {
  return first && second ? `${first},${second}` : first || second;
}

/**
 * Returns a spec without the node, and without names that differ from pod to pod.
 * @param {Record<string, any>} spec
 */
function readSpec(spec) {
  // Members are removed by value: JSON of objects with few shapes is written faster.
  const read = { ...spec };
  for (const name of OWN_MEMBERS) if (read[name]) read[name] = undefined;
  read.containers = readContainers(spec.containers);
  if (spec.initContainers) read.initContainers = readContainers(spec.initContainers);
  if (spec.volumes) read.volumes = recordsIn(spec.volumes).map(readVolume);
  return read;
}

/**
 * @param {unknown} list
 * @returns {any[]}
 * @throws {TypeError} unless it is a list of objects, or absent: the engine says what is wrong
 */
function recordsIn(list) {
  const items = list ?? [];
  if (Array.isArray(items) && items.every(isRecord)) return items;
  throw new TypeError('a list of objects is expected');
}

/**
 * Only the claim of an ephemeral volume is named after it.
 * @param {any} volume
 */
function readVolume(volume) {
  return volume.ephemeral ? volume : { ...volume, name: '' };
}

/** @param {unknown} containers */
function readContainers(containers) {
  return recordsIn(containers).map(
    ({ name, image, resources, ports, restartPolicy, restartPolicyRules }) => ({
      name,
      image,
      resources,
      ports,
      restartPolicy,
      restartPolicyRules,
    }),
  );
}

/** @param {Record<string, any>} status */
function readStatus(status) {
  const { conditions, containerStatuses, initContainerStatuses } = status;
  const { resourceClaimStatuses, extendedResourceClaimStatus } = status;
  const { resources, allocatedResources, nodeAllocatableResourceClaimStatuses } = status;
  return {
    conditions: readConditions(conditions),
    resources,
    allocatedResources,
    containerStatuses: sizesIn(containerStatuses),
    initContainerStatuses: sizesIn(initContainerStatuses),
    resourceClaimStatuses,
    extendedResourceClaimStatus,
    nodeAllocatableResourceClaimStatuses,
  };
}

/** @param {unknown} conditions */
function readConditions(conditions) {
  if (!Array.isArray(conditions)) return conditions;
  const read = conditions.filter(({ type }) => !REPORTED.has(type));
  return read.length > 0 ? read : undefined;
}

/**
 * What the kubelet reports of the sizes of containers.
 * @param {unknown} statuses
 */
function sizesIn(statuses) {
  return (
    statuses &&
    recordsIn(statuses).map(({ name, resources, allocatedResources }) => ({
      name,
      resources,
      allocatedResources,
    }))
  );
}
