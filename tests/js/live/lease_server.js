/**
 * The API server as far as leases are concerned: one Lease, kept by resourceVersion, answers as
 * late as a test wants them, requests that get lost before or after they did their work.
 */

import { ApiError } from '../../../js/src/kubernetes/api_error.js';

const PATH = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

/** @param {number} code @param {string} reason */
const refused = (code, reason) =>
  new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${reason} of the lease`,
    reason,
    code,
  });

/** @typedef {{ who: string, method: string, path: string, body?: any }} Asked */

export class LeaseServer {
  #clock;
  #version = 100;
  /** @type {any} */
  lease = undefined;
  /** What was asked, in order. @type {Asked[]} */
  asked = [];
  /** Who held the lease when, as it was written: `[time, holder]`. @type {[number, string][]} */
  written = [];
  /**
   * What becomes of a request: milliseconds until it is done and until it is answered, or that it
   * is never done, or never answered.
   * @type {(asked: Asked) => { before?: number, after?: number, lost?: 'before' | 'after' }}
   */
  faults = () => ({});

  /** @param {import('../support/manual_clock.js').ManualClock} clock */
  constructor(clock) {
    this.#clock = clock;
  }

  /** A client of one candidate. @param {string} who */
  client(who) {
    return {
      /** @param {string} path @param {any} [init] */
      json: async (path, { method = 'GET', body, signal } = {}) => {
        const text = body === undefined ? undefined : JSON.parse(String(body));
        const asked = { who, method, path, ...(text && { body: text }) };
        this.asked.push(asked);
        const { before = 0, after = 0, lost } = this.faults(asked);
        if (before > 0) await this.#clock.sleep(this.#clock.now() + before);
        if (lost === 'before') throw new TypeError('fetch failed');
        // It was sent: whether somebody still waits for it is not the server's affair.
        let answer;
        let fault;
        try {
          answer = this.#handle(asked);
        } catch (error) {
          fault = error;
        }
        if (after > 0) await this.#clock.sleep(this.#clock.now() + after);
        signal?.throwIfAborted();
        if (lost === 'after') throw new TypeError('socket hang up');
        if (fault) throw fault;
        return answer;
      },
    };
  }

  /** What anybody else does to the lease. @param {object} spec */
  edit(spec) {
    this.#store({ ...this.lease, spec: { ...this.lease.spec, ...spec } });
  }

  /** @param {Asked} asked */
  #handle({ method, path, body }) {
    const isOne = path === `${PATH}/kube-scheduler?timeout=5s`;
    if (method === 'POST' && path === `${PATH}?timeout=5s`) {
      if (this.lease) throw refused(409, 'AlreadyExists');
      return this.#store({ ...body, metadata: { ...body.metadata, uid: 'lease-uid' } });
    }
    if (!isOne || (method !== 'GET' && method !== 'PUT')) throw refused(405, 'MethodNotAllowed');
    if (!this.lease) throw refused(404, 'NotFound');
    if (method === 'GET') return structuredClone(this.lease);
    if (body.metadata.resourceVersion !== this.lease.metadata.resourceVersion)
      throw refused(409, 'Conflict');
    return this.#store(body);
  }

  /** @param {any} lease */
  #store(lease) {
    this.#version += 1;
    const metadata = { ...lease.metadata, resourceVersion: String(this.#version) };
    this.lease = structuredClone({ ...lease, metadata });
    this.written.push([this.#clock.now(), this.lease.spec.holderIdentity]);
    return structuredClone(this.lease);
  }
}
