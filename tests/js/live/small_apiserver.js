/**
 * An API server as far as a live scheduler needs one: lists, watches with initial events, bindings,
 * status patches, evictions, events, leases. By the real protocol; nothing is validated.
 */

const INITIAL_END = { 'k8s.io/initial-events-end': 'true' };
const UTF8 = new TextEncoder();

/** @param {number} code @param {string} reason */
function refusal(code, reason, message = reason) {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return Response.json({ ...status, message, reason, code }, { status: code });
}

/** @typedef {{ method: string, path: string, query: URLSearchParams, body?: any }} Asked */

export class SmallApiServer {
  #version = 1000;
  /** By the path of the collection, in all namespaces. @type {Map<string, Map<string, any>>} */
  #stores = new Map();
  /** @type {Set<{ path: string, send: (event: object) => void }>} */
  #watches = new Set();
  /** @type {Asked[]} */
  asked = [];
  /**
   * What answers in place of the server.
   * @type {(asked: Asked) => Promise<Response | undefined> | Response | undefined}
   */
  disturb = () => undefined;

  /** @param {string} path such as `/api/v1/nodes` @returns {any[]} */
  objects(path) {
    return [...this.#store(path).values()];
  }

  /** What was written: everything but GETs. */
  get writes() {
    return this.asked
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  }

  /**
   * @param {string} path of its collection, in all namespaces
   * @param {any} object
   */
  put(path, object) {
    const key = keyOf(object.metadata);
    const store = this.#store(path);
    this.#version += 1;
    const resourceVersion = String(this.#version);
    const stored = structuredClone({
      ...object,
      metadata: { uid: `uid-${key}`, ...object.metadata, resourceVersion },
    });
    const type = store.has(key) ? 'MODIFIED' : 'ADDED';
    store.set(key, stored);
    this.#tell(path, { type, object: stored });
    return stored;
  }

  /** @param {string} path @param {string} key */
  remove(path, key) {
    const store = this.#store(path);
    const object = store.get(key);
    store.delete(key);
    this.#tell(path, { type: 'DELETED', object });
    return object;
  }

  /** @type {(request: Request) => Promise<Response>} */
  fetch = async (request) => {
    const { pathname: path, searchParams: query } = new URL(request.url);
    const { method, signal } = request;
    const text = await request.text();
    const body = text ? { body: JSON.parse(text) } : {};
    const asked = { method, path, query, ...body };
    this.asked.push(asked);
    const other = await this.disturb(asked);
    signal.throwIfAborted();
    return other ?? this.#handle(asked, signal);
  };

  /** @param {Asked} asked @param {AbortSignal} signal */
  #handle({ method, path, query, body }, signal) {
    const { collection, namespace, name, subresource } = partsOf(path);
    if (method === 'GET' && !name)
      return query.has('watch') ? this.#watch(collection, query, signal) : this.#list(collection);
    const key = namespace ? `${namespace}/${name}` : name;
    const found = this.#store(collection).get(key ?? '');
    if (method === 'POST' && subresource === 'binding') {
      if (!found) return refusal(404, 'NotFound');
      if (found.spec.nodeName) return refusal(409, 'Conflict', `pod ${name} is already assigned`);
      this.put(collection, { ...found, spec: { ...found.spec, nodeName: body.target.name } });
      return Response.json({ kind: 'Status', status: 'Success', code: 201 }, { status: 201 });
    }
    if (method === 'POST') {
      if (this.#store(collection).has(keyOf(body.metadata))) return refusal(409, 'AlreadyExists');
      return Response.json(this.put(collection, body), { status: 201 });
    }
    if (!found) return refusal(404, 'NotFound', `${name} not found`);
    if (method === 'GET') return Response.json(found);
    if (method === 'DELETE') return Response.json(this.remove(collection, String(key)));
    if (method === 'PATCH') return Response.json(this.#patch(collection, found, body));
    const version = body.metadata.resourceVersion;
    if (version && version !== found.metadata.resourceVersion) return refusal(409, 'Conflict');
    return Response.json(this.put(collection, body));
  }

  /** As far as status patches need it. @param {string} path @param {any} found @param {any} body */
  #patch(path, found, body) {
    return this.put(path, { ...found, status: { ...found.status, ...body.status } });
  }

  /** @param {string} path */
  #list(path) {
    const items = this.objects(path);
    const metadata = { resourceVersion: String(this.#version) };
    return Response.json({ kind: 'List', apiVersion: apiVersionOf(path), metadata, items });
  }

  /** @param {string} path @param {URLSearchParams} query @param {AbortSignal} signal */
  #watch(path, query, signal) {
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let controller;
    const watch = {
      path,
      send: (/** @type {object} */ event) =>
        controller.enqueue(UTF8.encode(`${JSON.stringify(event)}\n`)),
    };
    const stream = new ReadableStream({
      start: (given) => {
        controller = given;
        if (query.get('sendInitialEvents') === 'true') this.#sendAll(watch);
        this.#watches.add(watch);
      },
      cancel: () => void this.#watches.delete(watch),
    });
    signal.addEventListener('abort', () => {
      if (this.#watches.delete(watch)) controller.error(signal.reason);
    });
    return new Response(stream, { headers: { 'Content-Type': 'application/json' } });
  }

  /** @param {{ path: string, send: (event: object) => void }} watch */
  #sendAll({ path, send }) {
    for (const object of this.objects(path)) send({ type: 'ADDED', object });
    const metadata = { resourceVersion: String(this.#version), annotations: INITIAL_END };
    const object = { kind: kindOf(path), apiVersion: apiVersionOf(path), metadata };
    send({ type: 'BOOKMARK', object });
  }

  /** @param {string} path @param {object} event */
  #tell(path, event) {
    for (const watch of this.#watches) if (watch.path === path) watch.send(event);
  }

  /** @param {string} path */
  #store(path) {
    const store = this.#stores.get(path) ?? new Map();
    this.#stores.set(path, store);
    return store;
  }
}

/** @param {{ namespace?: string, name: string }} metadata */
function keyOf({ namespace, name }) {
  return namespace ? `${namespace}/${name}` : name;
}

/** `/api/v1/namespaces/default/pods/a/binding` in its parts. @param {string} path */
function partsOf(path) {
  const segments = path.split('/').slice(1);
  const head = segments.splice(0, segments[0] === 'api' ? 2 : 3);
  const namespace = segments[0] === 'namespaces' && segments.length > 2 ? segments[1] : undefined;
  const [resource, name, subresource] = namespace ? segments.slice(2) : segments;
  return { collection: `/${[...head, resource].join('/')}`, namespace, name, subresource };
}

/** @param {string} path */
function apiVersionOf(path) {
  const [, root, group, version] = path.split('/');
  return root === 'api' ? group : `${group}/${version}`;
}

/** @param {string} path */
function kindOf(path) {
  return path.endsWith('pods') ? 'Pod' : 'Node';
}
