/**
 * A small API server of one kind, nodes, that is as nasty as a real one may be: it tears streams,
 * refuses, forgets its history, is silent, and ends watches in time. All by chance, from a seed.
 */

/** Numbers ≥ 0 and < 1, the same ones for a seed. @param {number} seed */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const encoder = new TextEncoder();
const APART = { kind: 'Node', apiVersion: 'v1' };

/** @typedef {{ metadata: { name: string, resourceVersion: string } }} Item */

export class FaultyApiserver {
  #random;
  #clock;
  #version = 1;
  #compactedTo = 1;
  /** By version the state after it. @type {Map<number, Map<string, Item>>} */
  #states = new Map([[1, new Map()]]);
  /** @type {{ version: number, event: any }[]} */
  #history = [];
  /** @type {Set<() => void>} */
  #watchers = new Set();
  /** How likely each request or event goes wrong. */
  chance = 0;
  /** How it answers the wish for initial events. @type {'served' | 'refused' | 'ignored'} */
  initialEvents = 'served';
  /** What went wrong, and how often. @type {Map<string, number>} */
  faults = new Map();

  /** @param {{ random: () => number, clock: any }} parts */
  constructor({ random, clock }) {
    this.#random = random;
    this.#clock = clock;
  }

  /** Versions by name. */
  get state() {
    const items = [...this.#now()].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(items.map(([name, item]) => [name, item.metadata.resourceVersion]));
  }

  get version() {
    return String(this.#version);
  }

  /** @param {string} name @param {boolean} isDeleted */
  write(name, isDeleted) {
    const before = this.#now();
    const isKnown = before.has(name);
    if (isDeleted && !isKnown) return;
    this.#version += 1;
    const item = { metadata: { name, resourceVersion: String(this.#version) } };
    const state = new Map(before);
    if (isDeleted) state.delete(name);
    else state.set(name, item);
    this.#states.set(this.#version, state);
    const type = isDeleted ? 'DELETED' : isKnown ? 'MODIFIED' : 'ADDED';
    const event = { type, object: { ...APART, ...item } };
    this.#history.push({ version: this.#version, event });
    for (const wake of this.#watchers) wake();
  }

  /** Forgets what came before about the last `count` versions. @param {number} count */
  compact(count) {
    this.#compactedTo = Math.max(this.#compactedTo, this.#version - count);
    for (const version of this.#states.keys())
      if (version < this.#compactedTo) this.#states.delete(version);
  }

  /** @param {Request} request @returns {Promise<Response>} */
  fetch = async (request) => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    if (this.#happens('refused connection')) throw refusedConnection();
    if (this.#happens('silence')) return new Promise(() => {});
    for (const [code, reason] of REFUSALS) if (this.#happens(reason)) return refusal(code, reason);
    return query.watch === 'true' ? this.#watch(query) : this.#list(query);
  };

  /** @param {Record<string, string>} query */
  #list({ resourceVersion = '', limit = '0', continue: token }) {
    if (Number(resourceVersion) > this.#version) return refusal(504, 'Timeout', TOO_LARGE);
    const start = token ? JSON.parse(atob(token)) : { version: this.#listVersion(resourceVersion) };
    const state = this.#states.get(start.version);
    if (!state || (token && this.#happens('Expired token'))) return refusal(410, 'Expired');
    const names = [...state.keys()].sort().filter((name) => name > (start.after ?? ''));
    // Small pages, whatever is asked for.
    const count = Number(limit) > 0 ? 3 : names.length;
    const page = names.slice(0, count);
    const next = names.length > count && btoa(JSON.stringify({ ...start, after: page.at(-1) }));
    const metadata = { resourceVersion: String(start.version), ...(next && { continue: next }) };
    const items = page.map((name) => state.get(name));
    return Response.json({ kind: 'NodeList', apiVersion: 'v1', metadata, items });
  }

  /** Not older than that; any for 0. @param {string} asked */
  #listVersion(asked) {
    if (asked === '') return this.#version;
    const least = Math.max(Number(asked), this.#compactedTo);
    return least + Math.floor(this.#random() * (this.#version - least + 1));
  }

  /** @param {Record<string, string>} query */
  #watch({ resourceVersion = '', sendInitialEvents, timeoutSeconds }) {
    const isStreamed = sendInitialEvents === 'true';
    if (isStreamed && this.initialEvents === 'refused') return refusal(422, 'Invalid');
    if (isStreamed && Number(resourceVersion) > this.#version)
      return refusal(504, 'Timeout', TOO_LARGE);
    const isExpired = !isStreamed && Number(resourceVersion) < this.#compactedTo;
    if (isExpired && this.#random() < 0.5) return refusal(410, 'Expired');
    const lines = isExpired
      ? [{ type: 'ERROR', object: failure(410, 'Expired') }][Symbol.iterator]()
      : this.#events(Number(resourceVersion || this.#version), isStreamed);
    return new Response(this.#stream(lines, Number(timeoutSeconds)));
  }

  /** @param {number} from @param {boolean} isStreamed @returns {Iterator<any>} null: wait */
  *#events(from, isStreamed) {
    let version = from;
    if (isStreamed) {
      version = this.#version;
      for (const item of this.#now().values())
        yield { type: 'ADDED', object: { ...APART, ...item } };
      if (this.initialEvents === 'served') yield bookmark(version, true);
    }
    for (;;) {
      if (version < this.#compactedTo && this.#compactedTo < this.#version)
        return yield { type: 'ERROR', object: failure(410, 'Expired') };
      const next = this.#history.find((entry) => entry.version > version);
      if (next) version = next.version;
      yield next ? next.event : this.#random() < 0.2 ? bookmark(version, false) : null;
    }
  }

  /** @param {Iterator<any>} events @param {number} timeoutSeconds */
  #stream(events, timeoutSeconds) {
    const end = new AbortController();
    const wake = { call: () => {} };
    const tell = () => wake.call();
    this.#watchers.add(tell);
    const close = () => {
      this.#watchers.delete(tell);
      end.abort();
    };
    const until = this.#clock.now() + timeoutSeconds * 1000;
    this.#clock.sleep(until, end.signal).then(tell, () => {});
    const pull = async (/** @type {ReadableStreamDefaultController} */ controller) => {
      for (;;) {
        if (this.#clock.now() >= until || this.#happens('end'))
          return (close(), controller.close());
        if (this.#happens('tear')) return (close(), controller.error(new Error('torn')));
        if (this.#happens('internal error'))
          return controller.enqueue(line({ type: 'ERROR', object: failure(500, 'InternalError') }));
        const { done, value } = events.next();
        if (done) return (close(), controller.close());
        if (value) return controller.enqueue(this.#torn(line(value), controller));
        await new Promise((resolve) => (wake.call = () => resolve(undefined)));
      }
    };
    return new ReadableStream({ pull, cancel: close });
  }

  /** @param {Uint8Array} bytes @param {ReadableStreamDefaultController} controller */
  #torn(bytes, controller) {
    if (!this.#happens('half an event')) return bytes;
    queueMicrotask(() => controller.error(new Error('torn')));
    return bytes.subarray(0, Math.floor(this.#random() * bytes.length));
  }

  #now() {
    return this.#states.get(this.#version) ?? new Map();
  }

  /** @param {string} fault */
  #happens(fault) {
    if (this.#random() >= this.chance) return false;
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    return true;
  }
}

const TOO_LARGE = { details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } };

/** @type {[number, string][]} */
const REFUSALS = [
  ...[/** @type {[number, string]} */ ([401, 'Unauthorized']), [403, 'Forbidden']],
  ...[
    [404, 'NotFound'],
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
  ],
  ...[[503, 'ServiceUnavailable']],
];

/** @param {number} code @param {string} reason @param {object} [more] */
function failure(code, reason, more) {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return { ...status, message: reason, reason, code, ...more };
}

/** @param {number} code @param {string} reason @param {object} [more] */
function refusal(code, reason, more) {
  return Response.json(failure(code, reason, more), { status: code });
}

function refusedConnection() {
  return Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' });
}

/** @param {number} version @param {boolean} isEnd */
function bookmark(version, isEnd) {
  const annotations = isEnd && { annotations: { 'k8s.io/initial-events-end': 'true' } };
  const metadata = { resourceVersion: String(version), ...annotations };
  return { type: 'BOOKMARK', object: { ...APART, metadata } };
}

/** @param {any} event */
function line(event) {
  return encoder.encode(`${JSON.stringify(event)}\n`);
}
