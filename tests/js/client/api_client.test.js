// Goal: the client of a started scheduler writes the same requests as kube-scheduler. Method: the
// real engine, a client over HTTP, and a server that records the requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../js/src/index.js';
import { createApiClient } from '../../../js/src/client/api_client.js';
import { makeNode, makePod } from '../support/objects.js';
import { playBack, schedulerExchanges } from '../support/playback_server.js';
import { TARGETS } from '../support/real_engine.js';

/** Returns the first writes whose paths end so. @param {string} ending @param {number} count */
function written(ending, count) {
  const isIt = ({ request }) => request.method !== 'GET' && request.path.endsWith(ending);
  const exchanges = schedulerExchanges().filter(isIt).slice(0, count);
  assert.equal(exchanges.length, count, ending);
  return exchanges;
}

/** Returns the shape of a value: its keys, without the values. @param {any} value */
function shapeOf(value) {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value !== 'object') return typeof value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, shapeOf(value[key])]));
}

for (const [name, start] of Object.entries(TARGETS)) {
  test(`a binding, a condition and events, ${name}`, async (t) => {
    const [binding] = written('/web-0/binding', 1);
    const [condition] = written('/big-0/status', 1);
    const events = written('/namespaces/default/events', 2);
    const server = await playBack(t, [binding, condition, ...events]);
    const { engine } = await start();
    const clock = virtualClock(new Date('2026-11-21T04:30:32Z'));
    const scheduler = engine.createScheduler({ api: 'host', clock });
    const { uid } = binding.request.body.metadata;
    const spec = { schedulerName: 'default-scheduler' };
    const metadata = { namespace: 'default', creationTimestamp: '2026-11-21T04:30:31Z' };
    scheduler.apply([
      makeNode('node-0'),
      makePod('web-0', { metadata: { ...metadata, uid, resourceVersion: '1' }, spec }),
      makePod('big-0', {
        cpu: '99',
        metadata: { ...metadata, uid: 'b', resourceVersion: '2', generation: 1 },
        spec,
      }),
    ]);
    const client = createApiClient({ baseUrl: server.url });
    const stop = new AbortController();
    const records = scheduler.records({ kinds: ['Completion'] });
    const done = scheduler.start({
      perform: (call, signal) => client.perform(call, signal),
      signal: stop.signal,
      until: clock.now(),
    });
    const statuses = [];
    for await (const { status } of records) if (statuses.push(status) === 4) break;
    stop.abort();
    await done;
    assert.deepEqual(statuses.sort(), [200, 201, 201, 201]);
    assert.deepEqual(
      server.asked.find(({ path }) => path === binding.request.path),
      JSON.parse(JSON.stringify(binding.request)),
    );
    for (const { request } of [condition, events[0]]) {
      const sent = server.asked.find(({ path }) => path === request.path);
      assert.equal(sent.contentType, request.contentType);
      assert.deepEqual(shapeOf(sent.body), shapeOf(request.body));
    }
    scheduler.dispose();
  });
}
