/**
 * The embedded API server: a Kubernetes API in memory that takes a `Request` and returns a
 * `Response`.
 */
import { fetchOf } from '../src/io/plain_http.js';
import { systemRandom } from '../src/runtimes/system_random.js';
import { systemClock } from '../src/runtimes/system_clock.js';
import { bootstrap } from './bootstrap.js';
import { controllersNamed } from './controllers/controllers.js';
import { KUBERNETES_VERSION, serveDiscovery, serverVersion } from './discovery.js';
import { forgetOldEvents } from './event_ttl.js';
import { featureGatesOf, GATES } from './feature_gates.js';
import { FOR_KUBECTL } from './for_kubectl.js';
import { dispatch } from './handlers/dispatch.js';
import { exportedList, importedList } from './object_list.js';
import { requestInfo } from './request_info.js';
import { errorResponse, textResponse } from './responses.js';
import { checkGates } from '../src/kubernetes/server_gates.js';
import { noSuchPath } from '../src/kubernetes/status_errors.js';
import { Storage } from './storage.js';
import { Store } from './store.js';
import { Watches } from './watches.js';

/**
 * @import { PlainRequest, PlainResponse } from '../src/io/plain_http.js'
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Clock } from '../src/io/clock.js'
 * @import { ControllerName } from './controllers/controllers.js'
 * @import { FeatureGates } from './feature_gates.js'
 * @import { ServerContext } from './handlers/context.js'
 */

/**
 * @typedef {object} ApiServerOptions
 * @property {Iterable<KubernetesObject>} [objects] the initial objects
 * @property {Clock} [clock] default: the host's. With a virtual one no watch times out
 * @property {readonly ControllerName[]} [controllers] to run; default: those that deletions need,
 *   `namespace` and `garbagecollector`
 * @property {boolean} [gracefulDeletion] whether running pods wait for a kubelet when they are
 *   deleted; default: whether `kubelet` is among the controllers
 * @property {boolean} [taintNodesByCondition] whether a new node is not ready until a controller
 *   reports it ready; default: whether `nodelifecycle` is among the controllers
 * @property {(error: unknown, key: string) => void} [onError] receives errors of controllers; by
 *   default they are thrown asynchronously
 * @property {number} [history] the number of changes of each resource that watches and pages can go
 *   back; default 10,000
 * @property {number} [eventTtl] milliseconds after which an Event is deleted; default one hour
 * @property {(prefix?: string) => number} [random] for uids and names: at least 0, below 1;
 *   default: the host's. For names it gets the `generateName`
 * @property {number} [resourceVersion] the first version, default 0. A server that replaces
 *   another one at the same address, without its objects, needs a later one
 * @property {string} [gitVersion] the version that `/version` reports, such as `v1.34.9`; default
 *   that of the API, which is the same with any, except for the defaults of feature gates
 * @property {Record<string, boolean>} [featureGates] those that differ from their default in the
 *   release of `gitVersion`
 */

/**
 * @typedef {object} ApiServer
 * @property {(request: Request) => Promise<Response>} fetch never rejects
 * @property {Store} store the objects, for code in the same process
 * @property {() => Uint8Array} exportList all objects, as a v1 List in JSON
 * @property {(bytes: Uint8Array) => void} importList adds or updates the objects of a List
 * @property {() => void} compact deletes the history: requests from an older version get a 410
 * @property {() => void} dispose ends the controllers and all watches
 */

const HISTORY = 10_000;
const EVENT_TTL = 3_600_000;

/** Without them namespaces never terminate, and owned objects stay. @type {ControllerName[]} */
const NEEDED = ['namespace', 'garbagecollector'];

/**
 * Creates a server for any client, kubectl included.
 * @param {ApiServerOptions} [options]
 * @returns {ApiServer}
 * @throws {import('../src/kubernetes/errors.js').StowageError} if an object cannot be stored, or
 *   the release does not have a feature gate, or has locked it
 * @throws {RangeError} if a number is negative or not an integer
 */
export function createApiServer(options = {}) {
  const { featureGates = {}, gitVersion } = options;
  checkGates(featureGates, GATES, gitVersion);
  const gates = featureGatesOf(featureGates, gitVersion);
  return serverWith(options, { forKubectl: FOR_KUBECTL, gates });
}

/**
 * Creates the same server without tables, OpenAPI and protobuf, which only kubectl requests, so
 * that a bundler leaves out their code. A request for a table gets the objects if its client
 * accepts them too, and is a 406 otherwise; a body in protobuf is a 415. It has no feature
 * gates: it stores the fields of features that are off, and refuses what a gate would allow.
 * @param {ApiServerOptions} [options]
 * @returns {ApiServer}
 * @throws {import('../src/kubernetes/errors.js').StowageError} if an object cannot be stored
 * @throws {RangeError} if a number is negative or not an integer
 */
export function createJsonApiServer(options = {}) {
  return serverWith(options);
}

/**
 * @param {ApiServerOptions} options
 * @param {Pick<ServerContext, 'forKubectl'> & { gates?: FeatureGates }} [parts]
 * @returns {ApiServer}
 */
function serverWith(options, { forKubectl, gates } = {}) {
  const { clock = systemClock(), random = systemRandom, controllers = NEEDED } = options;
  const { history = HISTORY, resourceVersion = 0, objects = [], eventTtl = EVENT_TTL } = options;
  const { gitVersion = KUBERNETES_VERSION } = options;
  for (const [name, value] of Object.entries({ history, resourceVersion, eventTtl })) {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name}: ${value}`);
  }
  const storage = new Storage({ history, resourceVersion });
  const { gracefulDeletion = controllers.includes('kubelet') } = options;
  const { taintNodesByCondition = controllers.includes('nodelifecycle') } = options;
  const behaviour = { gracefulDeletion, taintNodesByCondition, gates };
  const store = new Store({ storage, clock, random, ...behaviour });
  const watches = new Watches();
  /** @type {ServerContext} */
  const server = { storage, store, clock, random, watches, gitVersion, forKubectl };
  bootstrap(store);
  for (const object of objects) store.load(object);
  const stopForgetting = forgetOldEvents(storage, clock, eventTtl);
  const running = controllersNamed(controllers, { onError: options.onError, gates });
  const stops = running.map((controller) => controller.start(store, clock));
  return {
    fetch: fetchOf((request) => serve(server, request)),
    store,
    exportList: () => exportedList(storage),
    importList: (bytes) => importedList(storage, store, bytes),
    compact: () => storage.compact(),
    dispose() {
      watches.endAll();
      for (const stop of stops) stop();
      stopForgetting();
    },
  };
}

/**
 * @param {ServerContext} server
 * @param {PlainRequest} request
 * @returns {Promise<PlainResponse>}
 */
async function serve(server, request) {
  try {
    const info = requestInfo(request.method, request.address);
    if (info) return await dispatch({ server, info, request });
    return serveOther(request, server);
  } catch (error) {
    return errorResponse(error);
  }
}

/**
 * @param {PlainRequest} request
 * @param {ServerContext} server
 */
function serveOther(request, { gitVersion, forKubectl }) {
  const parts = request.address.pathname.split('/').filter((part) => part !== '');
  switch (parts[0]) {
    case 'api':
    case 'apis':
      return serveDiscovery(parts, request);
    case 'openapi':
      if (!forKubectl) throw noSuchPath();
      return forKubectl.serveOpenApi(parts.slice(1));
    case 'version':
      return serverVersion(gitVersion);
    case 'healthz':
    case 'livez':
    case 'readyz':
      return textResponse('ok');
  }
  throw noSuchPath();
}
