/** A reflector of nodes, what a script answers it, and what it asks for. */
import assert from 'node:assert/strict';
import { ApiError, ConnectionError, createInformers } from '../../../js/src/informer.js';
import { RecordingSink } from './recording_sink.js';
import { ScriptedClient, Stream } from './scripted_client.js';
import { settle, steppedClock } from './stepped_clock.js';

export const NODES = { version: 'v1', resource: 'nodes' };
const PATH = '/api/v1/nodes';
export const WATCH_LIST = {
  verb: 'watch',
  path: PATH,
  allowWatchBookmarks: true,
  resourceVersionMatch: 'NotOlderThan',
  sendInitialEvents: true,
  timeoutSeconds: 300,
};
export const WATCH = { verb: 'watch', path: PATH, allowWatchBookmarks: true, timeoutSeconds: 300 };
export const LIST = { verb: 'list', path: PATH };

const node = (name, resourceVersion) => ({
  kind: 'Node',
  apiVersion: 'v1',
  metadata: { name, resourceVersion: String(resourceVersion) },
});
export const added = (name, version) => ({ type: 'ADDED', object: node(name, version) });
export const modified = (name, version) => ({ type: 'MODIFIED', object: node(name, version) });
export const deleted = (name, version) => ({ type: 'DELETED', object: node(name, version) });
export const bookmark = (version, annotations) => ({
  type: 'BOOKMARK',
  object: {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { resourceVersion: String(version), ...(annotations && { annotations }) },
  },
});
export const initialEventsEnd = (version) =>
  bookmark(version, { 'k8s.io/initial-events-end': 'true' });
export const page = (version, names, next) => ({
  kind: 'NodeList',
  apiVersion: 'v1',
  metadata: { resourceVersion: String(version), ...(next && { continue: next }) },
  items: names.map((name) => ({ metadata: { name, resourceVersion: '1' } })),
});
const status = (code, reason, more) => ({
  ...{ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason },
  ...more,
});
export const refusal = (code, reason, more) => new ApiError(status(code, reason, more));
export const error = (code, reason, more) => ({
  type: 'ERROR',
  object: status(code, reason, more),
});
export const EXPIRED = [410, 'Expired'];
export const tooLarge = () =>
  refusal(504, 'Timeout', { details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } });
export const refused = () => new ConnectionError('ConnectionRefused', 'no server');

/** @param {any[]} answers @param {object} [options] */
export async function start(answers, options = {}) {
  const client = new ScriptedClient(...answers);
  const clock = steppedClock(1_000_000);
  const sink = new RecordingSink();
  const stop = new AbortController();
  const states = [];
  const errors = [];
  const informers = createInformers({
    ...{ client, sink, clock, random: () => 0, kinds: [NODES], signal: stop.signal },
    onStatus: ({ state }) => states.push(state),
    onError: (fault) => errors.push(fault.code ?? fault.message),
    ...options,
  });
  const run = informers.run();
  await settle();
  const end = async () => {
    stop.abort();
    await run;
    await settle();
    assert.deepEqual(clock.sleeping(), [], 'a timer is left');
    for (const { signal } of client.asked) assert.ok(signal.aborted, 'a request is left');
  };
  const [first] = informers.status().map(({ resource }) => resource);
  return { client, clock, sink, informers, states, errors, end, first, stop, run };
}

/** A reflector that has its objects, and the watch that it follows. */
export async function synced(...answers) {
  const stream = new Stream().push(added('a', 3), added('b', 2), initialEventsEnd(7));
  const started = await start([stream, ...answers]);
  assert.equal(started.states.at(-1), 'watching');
  started.client.asked.splice(0);
  return { ...started, stream };
}
