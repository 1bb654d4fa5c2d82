import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseFieldSelector } from '../../../js/src/kubernetes/field_selector.js';
import { resourceAt, resourceNamed } from '../../../js/src/kubernetes/kinds.js';

const pods = resourceNamed('pods');
const web = {
  metadata: { name: 'web', namespace: 'shop' },
  spec: { nodeName: 'n1', schedulerName: 'default-scheduler' },
  status: { phase: 'Running' },
};

test('pods are selected by the fields that upstream knows', () => {
  const cases = /** @type {[string, boolean][]} */ ([
    ['', true],
    ['metadata.name=web,metadata.namespace=shop', true],
    ['metadata.name!=web', false],
    ['spec.nodeName==n1', true],
    ['spec.nodeName=', false],
    ['spec.nodeName!=,status.phase!=Succeeded', true],
    ['status.nominatedNodeName=', true],
    ['spec.hostNetwork=false', true],
    ['spec.schedulerName=default-scheduler,status.phase=Running', true],
    ['metadata.name=a\\,b', false],
  ]);
  for (const [text, wanted] of cases) {
    assert.equal(parseFieldSelector(pods, text).matches(web), wanted, text);
  }
  assert.equal(parseFieldSelector(pods, 'metadata.name=web').name, 'web');
  const both = parseFieldSelector(pods, 'status.phase=Running').withName('other');
  assert.equal(both.matches(web), false);
});

test('each kind has its own fields', () => {
  const matches = (/** @type {any} */ resource, /** @type {string} */ text, object = {}) =>
    parseFieldSelector(resource, text).matches({ metadata: {}, ...object });
  assert.ok(matches(resourceNamed('nodes'), 'spec.unschedulable=false'));
  assert.ok(matches(resourceNamed('namespaces'), 'status.phase=', {}));
  assert.ok(matches(resourceNamed('secrets'), 'type=Opaque', { type: 'Opaque' }));
  assert.ok(matches(resourceNamed('jobs'), 'status.successful=1', { status: { succeeded: 1 } }));
  const event = { involvedObject: { kind: 'Pod', name: 'web' }, reason: 'Scheduled' };
  assert.ok(matches(resourceNamed('events'), 'involvedObject.name=web,reason=Scheduled', event));
  const eventsV1 = resourceAt('events.k8s.io/v1', 'events');
  assert.ok(matches(eventsV1, 'regarding.name=web', event));
});

test('unknown fields are refused with the message of upstream', () => {
  const cases = [
    ['pods', 'spec.foo=a', 'field label not supported: spec.foo'],
    ['nodes', 'metadata.namespace=a', 'field label not supported: metadata.namespace'],
    ['jobs', 'spec.foo=a', 'field label "spec.foo" not supported for batchv1.Job'],
    [
      'leases',
      'spec.holderIdentity=a',
      '"spec.holderIdentity" is not a known field selector: only "metadata.name", ' +
        '"metadata.namespace"',
    ],
    [
      'pods',
      'metadata.name',
      "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
    ],
    ['pods', 'metadata.name=a\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['pods', 'metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
  ];
  for (const [resource, text, message] of cases) {
    assert.throws(() => parseFieldSelector(resourceNamed(resource), text), {
      status: 400,
      message,
    });
  }
});
