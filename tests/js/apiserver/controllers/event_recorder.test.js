// Goal: events are counted, aggregated and dropped as in client-go's recorder.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventRecorder } from '../../../../js/apiserver/controllers/event_recorder.js';
import { World } from './world.js';

/** @param {World} world */
function prepare(world) {
  const object = world.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } });
  const { store, clock } = world;
  return { object, recorder: new EventRecorder({ store, clock, component: 'tester' }) };
}

test('a repeated event increases its count', async () => {
  const world = new World();
  const { object, recorder } = prepare(world);
  recorder.event(object, 'Warning', 'Broken', 'it broke');
  await world.advance(5000);
  recorder.event(object, 'Warning', 'Broken', 'it broke');
  const [event, ...others] = world.list('events');
  assert.deepEqual(others, []);
  assert.match(event.metadata.name, /^one\.[0-9a-f]+$/);
  assert.deepEqual(
    [event.type, event.reason, event.message, event.count, event.source.component],
    ['Warning', 'Broken', 'it broke', 2, 'tester'],
  );
  assert.equal(event.involvedObject.uid, object.metadata.uid);
  assert.equal(event.firstTimestamp, '2026-03-01T00:00:00Z');
  assert.equal(event.lastTimestamp, '2026-03-01T00:00:05Z');
});

test('events that differ only in their message are combined', () => {
  const world = new World();
  const { object, recorder } = prepare(world);
  for (let number = 0; number < 20; number += 1)
    recorder.event(object, 'Normal', 'Created', `Created pod: web-${number}`);
  const events = world.list('events').map(({ count, message }) => `${count} ${message}`);
  assert.equal(events.length, 11);
  assert.equal(events.at(-1), '10 (combined from similar events): Created pod: web-19');
});

test('events beyond the rate are dropped, and written again later', async () => {
  const world = new World();
  const { object, recorder } = prepare(world);
  for (let number = 0; number < 40; number += 1)
    recorder.event(object, 'Normal', `Reason${number}`, 'told');
  assert.equal(world.list('events').length, 25);
  await world.advance(300_000);
  recorder.event(object, 'Normal', 'Later', 'told');
  recorder.event(object, 'Normal', 'TooMuch', 'told');
  assert.equal(world.list('events').length, 26);
});

test('a refused event is ignored', () => {
  const world = new World();
  const { object, recorder } = prepare(world);
  const metadata = { ...object.metadata, namespace: 'nowhere' };
  recorder.event({ ...object, metadata }, 'Normal', 'Told', 'told');
  assert.deepEqual(world.list('events'), []);
});
