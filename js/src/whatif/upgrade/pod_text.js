/** Pods as JSON without what no scheduler reads. */
import { itemsIn } from '../../kubernetes/values.js';

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

/**
 * The JSON that pods of one controller have in common.
 * @typedef {{ id: number, type: string, metadata: string, spec: string, status: string }} Shared
 */

/**
 * A pod without its object. `key`: two pods share it only if no scheduler can tell them apart,
 * except for the node that they are on.
 * @typedef {{ shared: Shared, key: string, metadata: object, nodeName: unknown, status: object }}
 *   PodText
 */

/**
 * PodTexts encodes pods of one cluster. Equal texts are kept once, because most pods of a cluster
 * differ from others only in their name, node and times.
 */
export class PodTexts {
  /** @type {Map<string, Shared>} */
  #shared = new Map();

  /**
   * @param {KubernetesObject} pod
   * @returns {PodText | undefined} undefined if it has no JSON, or a field has another type
   */
  of(pod) {
    try {
      return this.#of(pod);
    } catch {
      return undefined;
    }
  }

  /** @param {KubernetesObject} pod */
  #of({ apiVersion, kind, metadata, spec, status = {} }) {
    const { name, uid, generation, creationTimestamp, deletionTimestamp } = metadata;
    const { namespace, labels, ownerReferences } = metadata;
    const { nodeName, volumes, resourceClaims } = spec;
    const { phase, startTime, nominatedNodeName } = status;
    const shared = this.#sharedOf([
      { apiVersion, kind },
      { namespace, labels, ownerReferences },
      readSpec(spec),
      readStatus(status),
    ]);
    const hasOwnClaim =
      itemsIn(volumes).some(({ ephemeral }) => ephemeral) || itemsIn(resourceClaims).length > 0;
    const ownName = hasOwnClaim || nominatedNodeName ? name : '';
    return {
      shared,
      key: `${shared.id} ${Boolean(nodeName)} ${ownName}`,
      metadata: { name, uid, generation, creationTimestamp, deletionTimestamp },
      nodeName,
      status: { phase, startTime, nominatedNodeName },
    };
  }

  /** @param {object[]} parts */
  #sharedOf(parts) {
    const texts = parts.map((part) => JSON.stringify(part));
    const key = texts.join('');
    const known = this.#shared.get(key);
    if (known) return known;
    const [type, metadata, spec, status] = texts;
    const shared = { id: this.#shared.size, type, metadata, spec, status };
    this.#shared.set(key, shared);
    return shared;
  }
}

/**
 * Lines contains the objects of a cluster for `apply` with the format `lines`. Makes the lines of
 * pods anew for each scheduler: as bytes they would take more memory than the scheduler.
 */
export class Lines {
  /** @type {(string | PodText)[]} */
  #entries = [];

  get length() {
    return this.#entries.length;
  }

  /** @param {string | PodText} entry whole lines, or a pod */
  add(entry) {
    this.#entries.push(entry);
  }

  /**
   * Yields the lines in pieces, with the number of entries before each. A piece is valid until the
   * next one.
   * @returns {Generator<{ bytes: Uint8Array, done: number }>}
   */
  *pieces() {
    const encoder = new TextEncoder();
    let piece = new Uint8Array(PIECE);
    let used = 0;
    for (const [done, entry] of this.#entries.entries()) {
      const line = typeof entry === 'string' ? entry : lineOf(entry);
      const size = line.length * BYTES_PER_CHARACTER;
      if (used > 0 && used + size > piece.byteLength) {
        yield { bytes: piece.subarray(0, used), done };
        used = 0;
      }
      if (size > piece.byteLength) piece = new Uint8Array(size);
      used += encoder.encodeInto(line, piece.subarray(used)).written;
    }
    if (used > 0) yield { bytes: piece.subarray(0, used), done: this.length };
  }
}

/**
 * Returns a pod as one line of JSON.
 * @param {PodText} text
 */
function lineOf({ shared, metadata, nodeName, status }) {
  const type = shared.type.slice(0, -1);
  const meta = joined(JSON.stringify(metadata), shared.metadata);
  const spec = joined(JSON.stringify({ nodeName }), shared.spec);
  const rest = joined(JSON.stringify(status), shared.status);
  return `${type},"metadata":${meta},"spec":${spec},"status":${rest}}\n`;
}

/**
 * Returns one JSON object with the fields of both.
 * @param {string} first
 * @param {string} second
 */
function joined(first, second) {
  if (first === '{}') return second;
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}

/**
 * Returns a spec without the node, and without names that differ from pod to pod.
 * @param {Record<string, any>} spec
 */
function readSpec({ nodeName, hostname, subdomain, ephemeralContainers, ...spec }) {
  const { containers, initContainers, volumes } = spec;
  return {
    ...spec,
    containers: readContainers(containers),
    initContainers: initContainers && readContainers(initContainers),
    volumes: volumes && itemsIn(volumes).map(readVolume),
  };
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
  return itemsIn(containers).map(
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
    itemsIn(statuses).map(({ name, resources, allocatedResources }) => ({
      name,
      resources,
      allocatedResources,
    }))
  );
}
