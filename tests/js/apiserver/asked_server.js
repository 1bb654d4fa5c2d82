/** An embedded API server with a clock that stands or steps, and short methods for requests. */
import { createApiServer } from '../../../js/apiserver/index.js';
import { steppedClock } from '../support/stepped_clock.js';

/** @import { ApiServerOptions } from '../../../js/apiserver/api_server.js' */

const START = Date.parse('2026-11-21T03:28:30Z');

/** Returns random numbers that are the same in each run. @param {number} seed */
export function lottery(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {Headers} headers
 * @property {any} body parsed if it is JSON
 */

export class AskedServer {
  clock;

  /** @param {ApiServerOptions & { now?: number, create?: typeof createApiServer }} [options] */
  constructor({ now = START, create = createApiServer, ...options } = {}) {
    this.clock = steppedClock(now);
    this.server = create({
      clock: this.clock,
      random: lottery(7),
      controllers: [],
      ...options,
    });
    this.store = this.server.store;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body] text is sent unchanged, everything else as JSON
   * @param {Record<string, string>} [headers]
   */
  request(method, path, body, headers = {}) {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const sent =
      body === undefined || typeof body === 'string' || body instanceof Uint8Array
        ? body
        : JSON.stringify(body);
    const request = new Request(`http://embedded${path}`, {
      method,
      headers: { ...type, ...headers },
      body: /** @type {BodyInit | undefined} */ (sent),
    });
    return this.server.fetch(request);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {Record<string, string>} [headers]
   * @returns {Promise<Answer>}
   */
  async ask(method, path, body, headers) {
    const response = await this.request(method, path, body, headers);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  }

  /** @param {string} path @param {Record<string, string>} [headers] */
  async get(path, headers) {
    return (await this.ask('GET', path, undefined, headers)).body;
  }

  /** @param {string} path @param {unknown} body @param {string} type of the patch */
  patch(path, body, type = 'application/merge-patch+json') {
    return this.ask('PATCH', path, body, { 'Content-Type': type });
  }

  /** @param {string} path @param {Record<string, string>} [headers] @returns {Promise<Watch>} */
  async watch(path, headers) {
    const response = await this.request('GET', path, undefined, headers);
    return new Watch(response);
  }
}

/** Collects the events of a watch. */
class Watch {
  /** @type {any[]} */
  events = [];
  isOver = false;
  #reader;

  /** @param {Response} response */
  constructor(response) {
    this.response = response;
    this.#reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    void this.#read();
  }

  /** The types and names, or the versions of bookmarks. */
  get lines() {
    return this.events.map(({ type, object }) =>
      type === 'BOOKMARK' || type === 'ERROR' ? type : `${type} ${object.metadata.name}`,
    );
  }

  cancel() {
    return this.#reader.cancel();
  }

  async #read() {
    const decoder = new TextDecoder();
    for (let text = ''; ;) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      const lines = text.split('\n');
      text = /** @type {string} */ (lines.pop());
      this.events.push(...lines.map((line) => JSON.parse(line)));
    }
    this.isOver = true;
  }
}

/** @param {string} name @param {object} [spec] @param {object} [metadata] */
export function pod(name, spec = {}, metadata = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'c', image: 'registry.k8s.io/pause:3.10' }], ...spec },
  };
}

/** @param {string} name @param {object} [spec] */
export function node(name, spec) {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name }, ...(spec && { spec }) };
}

export const PODS = '/api/v1/namespaces/default/pods';
