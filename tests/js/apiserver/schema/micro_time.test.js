/** Times with microseconds keep their six digits in every form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';

const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

/** A time as sent, and as returned. */
const CASES = [
  ['2026-11-21T03:28:30Z', '2026-11-21T03:28:30.000000Z'],
  ['2026-11-21T03:28:30.5Z', '2026-11-21T03:28:30.500000Z'],
  ['2026-11-21T03:28:30.000000Z', '2026-11-21T03:28:30.000000Z'],
  ['2026-11-21T03:28:30.123456789Z', '2026-11-21T03:28:30.123456Z'],
  ['2026-11-21T05:28:30+02:00', '2026-11-21T03:28:30.000000Z'],
];

for (const [sent, answered] of CASES) {
  test(`${sent} is answered as ${answered}`, async () => {
    const server = new AskedServer();
    const event = await server.ask('POST', EVENTS, {
      metadata: { name: 'e' },
      eventTime: sent,
      regarding: { namespace: 'default' },
      series: { count: 2, lastObservedTime: sent },
    });
    assert.equal(event.status, 201, JSON.stringify(event.body));
    const shown = [
      event.body,
      await server.get(EVENTS.replace('apis/events.k8s.io', 'api') + '/e'),
    ];
    for (const { eventTime, series } of shown) {
      assert.deepEqual([eventTime, series.lastObservedTime], [answered, answered]);
    }
    const lease = await server.ask('POST', LEASES, {
      metadata: { name: 'l' },
      spec: { acquireTime: sent, renewTime: sent },
    });
    assert.deepEqual(lease.body.spec, { acquireTime: answered, renewTime: answered });
    const patch = await server.patch(`${LEASES}/l`, { spec: { renewTime: sent } });
    assert.equal(patch.body.spec.renewTime, answered);
    const loaded = server.store.load({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'loaded', namespace: 'default' },
      involvedObject: { namespace: 'default' },
      eventTime: sent,
    });
    assert.equal(loaded.eventTime, answered);
  });
}
