// Goal: an Event is the same in both of its groups. Method: the converted event is compared with
// what its type's decoder makes of it, and with the fields of the other form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asServed, asStored } from '../../../js/apiserver/event_conversion.js';
import { decode } from '../../../js/apiserver/schema/decode.js';
import { shapeOf } from '../../../js/apiserver/schema/types.js';

const NEW_GROUP = { group: 'events.k8s.io' };
const TIME = '2026-01-01T00:00:00.123456Z';

const LEAST = {
  kind: 'Event',
  apiVersion: 'events.k8s.io/v1',
  metadata: { name: 'a.1', namespace: 'default' },
  eventTime: TIME,
};

const WHOLE = {
  ...LEAST,
  reportingController: 'default-scheduler',
  reportingInstance: 'default-scheduler-1',
  action: 'Binding',
  reason: 'Scheduled',
  regarding: { kind: 'Pod', name: 'a', uid: 'u', apiVersion: 'v1' },
  related: { kind: 'Node', name: 'n' },
  note: 'Successfully assigned default/a to n',
  type: 'Normal',
  deprecatedSource: { component: 'c', host: 'h' },
  deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
  deprecatedLastTimestamp: '2026-01-01T00:00:01Z',
  deprecatedCount: 3,
};

const EVENTS = {
  'the least': LEAST,
  'the whole': WHOLE,
  'a series': { ...WHOLE, series: { count: 2, lastObservedTime: TIME } },
  'a series without a count': { ...LEAST, series: { count: 0, lastObservedTime: TIME } },
};

/** @param {any} event */
function decoded(event) {
  return decode(shapeOf(event.apiVersion, 'Event'), event).value;
}

for (const [name, event] of Object.entries(EVENTS)) {
  test(`${name} is converted as its type decodes it, in both directions`, () => {
    const stored = asStored(NEW_GROUP, decoded(event));
    assert.equal(stored.apiVersion, 'v1');
    assert.equal(JSON.stringify(stored), JSON.stringify(decoded(stored)));
    const served = asServed(NEW_GROUP, stored);
    assert.equal(JSON.stringify(served), JSON.stringify(decoded(event)));
  });
}

test('each field has its counterpart', () => {
  const { metadata, kind, apiVersion, ...fields } = asStored(NEW_GROUP, decoded(WHOLE));
  assert.deepEqual(fields, {
    involvedObject: WHOLE.regarding,
    reason: 'Scheduled',
    message: WHOLE.note,
    source: WHOLE.deprecatedSource,
    firstTimestamp: WHOLE.deprecatedFirstTimestamp,
    lastTimestamp: WHOLE.deprecatedLastTimestamp,
    count: 3,
    type: 'Normal',
    eventTime: TIME,
    action: 'Binding',
    related: WHOLE.related,
    reportingComponent: 'default-scheduler',
    reportingInstance: 'default-scheduler-1',
  });
  assert.deepEqual([metadata.name, kind, apiVersion], ['a.1', 'Event', 'v1']);
});

test('an event of the core group without a reporter has none in the other group', () => {
  const core = { kind: 'Event', apiVersion: 'v1', metadata: { name: 'a' }, involvedObject: {} };
  const served = asServed(NEW_GROUP, decoded(core));
  assert.equal('reportingController' in served, false);
  assert.equal(JSON.stringify(served), JSON.stringify(decoded(served)));
});
