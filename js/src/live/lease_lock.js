/**
 * Reads and writes the Lease of an election for one candidate. Counterpart: client-go
 * tools/leaderelection/resourcelock/leaselock.go, v1.36.
 */
import { microTime } from '../io/clock.js';
import { ApiError } from '../kubernetes/api_error.js';
import { durationText } from '../kubernetes/duration.js';

/**
 * @import { ApiClient } from '../client/api_client.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

/** @typedef {Pick<ApiClient, 'json'>} JsonClient */

/**
 * The election record in a Lease. An empty `holderIdentity` means that the lease was released.
 * @typedef {object} LeaderElectionRecord
 * @property {string} holderIdentity
 * @property {number} leaseDurationSeconds
 * @property {string | null} acquireTime MicroTime
 * @property {string | null} renewTime MicroTime
 * @property {number} leaderTransitions
 */

export class LeaseLock {
  #client;
  #namespace;
  #name;
  #query;
  /** As last received from the server. @type {KubernetesObject | undefined} */
  #lease;

  /**
   * @param {{ client: JsonClient, namespace: string, name: string, timeout: number }} parts
   *   `timeout` of a request in milliseconds, also sent to the server
   */
  constructor({ client, namespace, name, timeout }) {
    this.#client = client;
    this.#namespace = namespace;
    this.#name = name;
    this.#query = `?timeout=${durationText(timeout)}`;
  }

  /** @returns {string} `namespace/name` */
  describe() {
    return `${this.#namespace}/${this.#name}`;
  }

  /** The Lease as last received from the server. */
  get lease() {
    return this.#lease;
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Promise<LeaderElectionRecord | undefined>} undefined if there is no such Lease
   * @throws {Error} from the client
   */
  async get(signal) {
    try {
      this.#lease = await this.#client.json(`${this.#path}/${this.#name}${this.#query}`, {
        signal,
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
    return recordOf(this.#lease);
  }

  /**
   * @param {LeaderElectionRecord} record
   * @param {AbortSignal} signal
   * @throws {Error} from the client
   */
  async create(record, signal) {
    const lease = {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { name: this.#name, namespace: this.#namespace },
      spec: specOf(record),
    };
    this.#lease = await this.#client.json(`${this.#path}${this.#query}`, {
      method: 'POST',
      body: JSON.stringify(lease),
      signal,
    });
  }

  /**
   * Replaces the Lease as last seen; the server rejects the write if the Lease has changed since.
   * Other fields of its spec are dropped.
   * @param {LeaderElectionRecord} record
   * @param {AbortSignal} signal
   * @throws {Error} from the client
   */
  async update(record, signal) {
    const lease = { ...this.#lease, spec: specOf(record) };
    this.#lease = await this.#client.json(`${this.#path}/${this.#name}${this.#query}`, {
      method: 'PUT',
      body: JSON.stringify(lease),
      signal,
    });
  }

  get #path() {
    return `/apis/coordination.k8s.io/v1/namespaces/${this.#namespace}/leases`;
  }
}

/**
 * The times that a candidate writes.
 * @param {number} now milliseconds since the epoch
 */
export function timesOf(now) {
  return { acquireTime: microTime(now), renewTime: microTime(now) };
}

/**
 * @param {KubernetesObject | undefined} lease
 * @returns {LeaderElectionRecord}
 */
function recordOf(lease) {
  const { spec = {} } = lease ?? {};
  return {
    holderIdentity: spec.holderIdentity ?? '',
    leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
    acquireTime: spec.acquireTime ?? null,
    renewTime: spec.renewTime ?? null,
    leaderTransitions: spec.leaseTransitions ?? 0,
  };
}

/** @param {LeaderElectionRecord} record */
function specOf({
  holderIdentity,
  leaseDurationSeconds,
  acquireTime,
  renewTime,
  leaderTransitions: leaseTransitions,
}) {
  return { holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions };
}
