import { failure, noSuchPath } from '../kubernetes/status_errors.js';
import { StowageError } from '../kubernetes/errors.js';
import { errorAnswer } from './answers.js';
import { checkBearerToken, isToken } from './bearer_token.js';
import { Clusters } from './clusters.js';
import { edgeOptions } from './edge_options.js';
import { getSnapshot, preScorePod, putSnapshot, rankClusters, serveOpenApi } from './operations.js';

/**
 * @import { EdgeHandlerOptions, EdgeSettings, Secret } from './edge_options.js'
 * @import { Operation } from './operations.js'
 */

/**
 * @typedef {object} EdgeHandler
 * @property {(request: Request, env?: any, ctx?: any) => Promise<Response>} fetch never rejects.
 *   `env` goes to the store and to secrets that are functions; `ctx.waitUntil`, if present, keeps a
 *   snapshot's load running after the response
 * @property {() => void} dispose frees the loaded clusters
 */

/** @typedef {{ run: Operation, access: 'open' | 'read' | 'push' }} Endpoint */

/** @type {{ path: RegExp, methods: Record<string, Endpoint> }[]} */
const PATHS = [
  { path: /^\/prescore$/, methods: { POST: { run: preScorePod, access: 'read' } } },
  { path: /^\/rank-clusters$/, methods: { POST: { run: rankClusters, access: 'read' } } },
  {
    path: /^\/snapshots\/([^/]+)$/,
    methods: {
      GET: { run: getSnapshot, access: 'read' },
      PUT: { run: putSnapshot, access: 'push' },
    },
  },
  { path: /^\/openapi\.json$/, methods: { GET: { run: serveOpenApi, access: 'open' } } },
];

/**
 * Creates a handler that answers where a pod would go in clusters, from their snapshots and without
 * creating anything. The engine is loaded with the first question.
 * @param {EdgeHandlerOptions} [options]
 * @returns {EdgeHandler}
 * @throws {ConfigurationError} if an option is unknown or invalid
 */
export function createEdgeHandler(options = {}) {
  const settings = edgeOptions(options);
  const clusters = new Clusters(settings);
  return {
    async fetch(request, env, ctx) {
      try {
        const { endpoint, name } = endpointOf(request, settings);
        await checkAccess(request, endpoint, settings, env);
        const waitUntil = (/** @type {Promise<unknown>} */ work) => void ctx?.waitUntil?.(work);
        const response = await endpoint.run({ request, name, env, waitUntil, settings, clusters });
        return request.method === 'HEAD' ? new Response(null, response) : response;
      } catch (error) {
        return errorAnswer(error, error instanceof NotAllowed ? { Allow: error.allow } : {});
      }
    },
    dispose: () => clusters.dispose(),
  };
}

/** The path exists, but not with this method. */
class NotAllowed extends StowageError {
  /**
   * @param {string} method
   * @param {string[]} allowed
   */
  constructor(method, allowed) {
    super('MethodNotAllowed', `${method} is not supported here, only ${allowed.join(', ')}`);
    this.allow = allowed.join(', ');
  }

  /** @override */
  toStatus() {
    return failure(405, 'MethodNotAllowed', this.message).toStatus();
  }
}

/**
 * @param {Request} request
 * @param {EdgeSettings} settings
 * @returns {{ endpoint: Endpoint, name: string }} `name`: the variable part of the path
 */
function endpointOf({ url, method }, settings) {
  const { pathname } = new URL(url);
  for (const { path, methods } of PATHS) {
    const match = path.exec(pathname);
    if (!match) continue;
    const wanted = method === 'HEAD' ? 'GET' : method;
    const served = Object.keys(methods).filter((name) => isServed(methods[name], settings));
    if (!served.includes(wanted)) {
      const heads = served.includes('GET') ? ['HEAD'] : [];
      throw new NotAllowed(method, [...served, ...heads]);
    }
    return { endpoint: methods[wanted], name: decoded(match[1] ?? '') };
  }
  throw noSuchPath();
}

/**
 * Snapshots can be pushed only if there are a secret and a store with `put`.
 * @param {Endpoint} endpoint
 * @param {EdgeSettings} settings
 */
function isServed({ access }, { secret, snapshots }) {
  return access !== 'push' || (secret !== undefined && typeof snapshots.put === 'function');
}

/** @param {string} part of a path */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * @param {Request} request
 * @param {Endpoint} endpoint
 * @param {EdgeSettings} settings
 * @param {any} env
 */
async function checkAccess({ headers }, { access }, { secret, readSecret }, env) {
  const wanted = access === 'push' ? secret : readSecret;
  if (access === 'open' || wanted === undefined) return;
  await checkBearerToken(headers, secretIn(wanted, env));
}

/**
 * @param {Secret} secret
 * @param {any} env
 */
function secretIn(secret, env) {
  if (typeof secret === 'string') return secret;
  const found = secret(env);
  if (isToken(found)) return found;
  throw new Error('the secret is missing, or is not printable ASCII without spaces');
}
