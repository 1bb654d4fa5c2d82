/**
 * The engine's requests to the API server, as a turn's records contain them, and their answers: for
 * runners that act as the server.
 */

/** @typedef {import('./raw_engine.js').RawScheduler} RawScheduler */
/** @typedef {{status: number, body?: object}} ApiAnswer */

/**
 * @typedef {object} ApiCall
 * @property {number} id
 * @property {string} verb    bind, patch, delete, create, update
 * @property {string} path    below the server's base address
 * @property {string} [body]
 * @property {string} [pod] namespace/name of the pod that it is for
 */

/**
 * The write that a call makes.
 *
 * @typedef {object} ApiWrite
 * @property {'binding' | 'status' | 'delete' | 'event' | 'volume' | 'claim' | 'other'} kind
 *   binding, status, delete: of a pod; volume, claim: the whole of one
 * @property {string} pod namespace/name; empty if it is not about a pod
 * @property {string} storage name of the volume, namespace/name of the claim; otherwise empty
 * @property {string} verb
 * @property {string} subresource  `status`, or empty
 * @property {any} body
 */

const POD = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)(?:\/(binding|status))?$/;
const VOLUME = /^\/api\/v1\/persistentvolumes\/([^/]+)$/;
const CLAIM = /^\/api\/v1\/namespaces\/([^/]+)\/persistentvolumeclaims\/([^/]+)$/;
const EVENT = /^\/apis\/events\.k8s\.io\/v1\/namespaces\/[^/]+\/events(\/|$)/;
const POD_WRITES = /** @type {const} */ ({
  'bind binding': 'binding',
  'patch status': 'status',
  'delete ': 'delete',
});
const CREATED = new Set(['bind', 'create']);
/** An engine that still makes calls after this many rounds counts as endless. */
const ROUNDS_MAX = 1000;

/** @param {any[]} records @returns {ApiCall[]} */
export function apiCallsIn(records) {
  return records.filter(({ kind, callKind }) => kind === 'Call' && callKind === 'api');
}

/** @param {ApiCall} call @returns {ApiWrite} */
export function writeOf({ verb, path, body }) {
  const subresource = path.endsWith('/status') ? 'status' : '';
  const write = { pod: '', storage: '', verb, subresource, body: body ? JSON.parse(body) : null };
  if (EVENT.test(path)) return { ...write, kind: 'event' };
  if (verb === 'update') {
    const [, volume] = VOLUME.exec(path) ?? [];
    if (volume) return { ...write, kind: 'volume', storage: volume };
    const [, space, claim] = CLAIM.exec(path) ?? [];
    if (claim) return { ...write, kind: 'claim', storage: `${space}/${claim}` };
  }
  const [, namespace, name, part = ''] = POD.exec(path) ?? [];
  const key = /** @type {keyof typeof POD_WRITES} */ (`${verb} ${part}`);
  if (!name || !(key in POD_WRITES)) return { ...write, kind: 'other' };
  return { ...write, kind: POD_WRITES[key], pod: `${namespace}/${name}` };
}

/**
 * The answer as a line for `apply`.
 * @param {ApiCall} call @param {ApiAnswer} answer
 */
export function completionOf({ id }, { status, body = {} }) {
  return { type: 'COMPLETION', call: id, status, body: JSON.stringify(body) };
}

/** @param {{verb: string}} call @returns {ApiAnswer} */
export function success({ verb }) {
  return { status: CREATED.has(verb) ? 201 : 200 };
}

/** @param {{code: number, reason: string, message: string}} error @returns {ApiAnswer} */
export function failure({ code, reason, message }) {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return { status: code, body: { ...status, message, reason, code } };
}

/**
 * Runs a turn, and further turns without cycles as long as calls are answered.
 * @param {RawScheduler} scheduler
 * @param {{nowUs: number, maxCycles: number}} turn
 * @param {(calls: ApiCall[]) => object[]} [answer] the completions of the calls that are answered;
 *   default: all succeed
 * @returns {any[]} the records of all turns
 */
export function runAnswering(scheduler, { nowUs, maxCycles }, answer = approve) {
  let records = scheduler.run(nowUs, maxCycles);
  const all = [...records];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const completions = answer(apiCallsIn(records));
    if (completions.length === 0) return all;
    scheduler.apply(completions, nowUs);
    records = scheduler.run(nowUs, 0);
    all.push(...records);
  }
  throw new Error(`the engine calls the API server without end, after ${ROUNDS_MAX} rounds of it`);
}

/** @param {ApiCall[]} calls */
function approve(calls) {
  return calls.map((call) => completionOf(call, success(call)));
}
