/** An edge handler with a manual clock, and short ways to send requests. */
import assert from 'node:assert/strict';
import { createEdgeHandler } from '../../../js/src/edge.js';
import { Engine } from '../../../js/src/index.js';
import { NativeSurface } from '../support/native_surface.js';
import { makeList, makeNode } from '../support/objects.js';
import { steppedClock } from '../support/stepped_clock.js';
import { assertDocument } from './edge_schema.js';

export const START = Date.parse('2026-03-01T12:00:00Z');

/**
 * A cluster of nodes with so much cpu each.
 * @param {Record<string, string>} nodes
 * @param {object[]} others
 */
export function clusterOf(nodes, ...others) {
  const list = Object.entries(nodes).map(([name, cpu]) => makeNode(name, { cpu }));
  return makeList(...list, ...others);
}

/** @typedef {{ status: number, headers: Headers, body: any }} Answer */

export class AskedHandler {
  clock = steppedClock(START);
  /** @type {any} */
  store;
  surface = new NativeSurface();

  /** @param {import('../../../js/src/edge.js').EdgeHandlerOptions} [options] */
  constructor(options = {}) {
    const { clock } = this;
    this.store = options.snapshots;
    const engine = new Engine(/** @type {any} */ (this.surface));
    this.handler = createEdgeHandler({ clock, engine, ...options });
  }

  /** The number of schedulers that are not disposed of. */
  get alive() {
    return this.surface.alive;
  }

  /**
   * Checks that each answer matches the schema, and each Status has the HTTP code.
   * @param {string} method
   * @param {string} path
   * @param {{ body?: unknown, raw?: BodyInit, token?: string | null, env?: any, ctx?: any,
   *   headers?: Record<string, string>, signal?: AbortSignal }} [options]
   * @returns {Promise<Answer>}
   */
  async ask(method, path, { body, raw, token, headers = {}, env, ctx, signal } = {}) {
    const request = new Request(`http://edge${path}`, {
      method,
      signal,
      headers: {
        ...((body ?? raw) !== undefined && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: body === undefined ? raw : JSON.stringify(body),
      ...(raw instanceof ReadableStream && { duplex: 'half' }),
    });
    const response = await this.handler.fetch(request, env, ctx);
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    if (answer.body?.openapi === undefined && answer.body) assertDocument(answer.body);
    if (answer.status >= 400) assert.equal(answer.body?.code ?? answer.status, answer.status);
    return answer;
  }

  /** @param {object} pod @param {string} [cluster] @param {object} [fields] */
  preScore(pod, cluster = 'eu-1', fields = {}) {
    return this.ask('POST', '/prescore', { body: { pod, cluster, ...fields } });
  }

  /** @param {object} pod @param {string[]} clusters */
  rank(pod, clusters) {
    return this.ask('POST', '/rank-clusters', { body: { pod, clusters } });
  }
}

/**
 * A store of snapshots that records its requests.
 * @param {Record<string, any>} snapshots what `get` answers, by name
 */
export function countingStore(snapshots) {
  /** @type {{ name: string, etag?: string }[]} */
  const asked = [];
  return {
    asked,
    snapshots,
    /** @param {string} name @param {{ etag?: string }} context */
    async get(name, { etag }) {
      asked.push({ name, etag });
      const found = snapshots[name];
      return typeof found === 'function' ? found({ etag }) : (found ?? null);
    },
  };
}

/** @param {object} list */
export function stored(list, etag = '"1"') {
  return { body: JSON.stringify(list), etag };
}
