// Goal: faults of a manifest are reported without a server, with the server's messages, and no
// object, however incomplete, breaks the validation. Method: a table of objects, each also sent to
// the embedded server, and every kind with incomplete specs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectFaults } from '../../../js/apiserver/object_faults.js';
import { KUBERNETES_TYPES } from '../../../js/apiserver/schema/kubernetes_types.js';
import { AskedServer, pod } from './asked_server.js';

const container = { name: 'c', image: 'nginx' };
/** @param {object} spec */
const deployment = (spec) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
    ...spec,
  },
});

/** @param {any} object */
const codes = (object) => objectFaults(object)?.map(({ code, field }) => [code, field]);

test('faults name their field', () => {
  const typo = { ...container, resource: { requests: { cpu: 64 } } };
  const cases = /** @type {[any, string[][]][]} */ ([
    [pod('a'), []],
    [
      pod('a', { nodeselector: {}, containers: [typo] }),
      [
        ['UnknownField', 'spec.containers[0].resource'],
        ['UnknownField', 'spec.nodeselector'],
      ],
    ],
    [pod('a', { priority: 'high' }), [['FieldValueTypeInvalid', 'spec.priority']]],
    [
      pod('a', { containers: [{ ...container, resources: { limits: { cpu: 'x' } } }] }),
      [['FieldValueTypeInvalid', 'spec.containers[0].resources.limits[cpu]']],
    ],
    [pod('a', { containers: [] }), [['FieldValueRequired', 'spec.containers']]],
    [pod('A'), [['FieldValueInvalid', 'metadata.name']]],
    [pod('', {}, { generateName: 'a-' }), []],
    [pod('a', {}, { labels: { '-': 'x' } }), [['FieldValueInvalid', 'metadata.labels']]],
    [deployment({}), []],
    [deployment({ selector: undefined }), [['FieldValueRequired', 'spec.selector']]],
    [
      deployment({ selector: { matchLabels: { app: 'other' } } }),
      [['FieldValueInvalid', 'spec.template.metadata.labels']],
    ],
    [deployment({ replica: 3 }), [['UnknownField', 'spec.replica']]],
  ]);
  for (const [object, expected] of cases) {
    assert.deepEqual(codes(object), expected, JSON.stringify(object));
  }
  assert.equal(objectFaults({ apiVersion: 'example.org/v1', kind: 'Thing' }), null);
});

test('a value that cannot be decoded is reported with its field, and with itself if short', () => {
  const claim = (/** @type {object} */ spec) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'a' },
    spec,
  });
  const quantity = 'quantities must match the regular expression ';
  const cases = /** @type {[any, string][]} */ ([
    [
      pod('a', { overhead: { 'example.com/gpu': '1x' } }),
      `spec.overhead[example.com/gpu]: Invalid value: "1x": ${quantity}`,
    ],
    [
      claim({ resources: { requests: { storage: true } } }),
      `spec.resources.requests[storage]: Invalid value: true: ${quantity}`,
    ],
    [
      pod('a', {}, { creationTimestamp: 'now' }),
      'metadata.creationTimestamp: Invalid value: "now": parsing time "now" as ',
    ],
    [
      pod('a', {}, { labels: { a: 5 } }),
      'metadata.labels[a]: Invalid value: 5: json: cannot unmarshal number into ',
    ],
    [
      pod('a', { nodeName: { name: 'n' } }),
      'spec.nodeName: Invalid value: json: cannot unmarshal object into ',
    ],
  ]);
  for (const [object, start] of cases) {
    const [{ message }] = objectFaults(object) ?? [];
    assert.ok(message.startsWith(start), message);
  }
});

test('an unknown field is reported with the known fields', () => {
  const faults = objectFaults(pod('a', { affinity: { nodeAfinity: {} } }));
  assert.deepEqual(faults?.[0].siblings, ['nodeAffinity', 'podAffinity', 'podAntiAffinity']);
});

test('the embedded server refuses the same objects in the same words', async () => {
  const server = new AskedServer();
  const pods = [
    pod('a', { nodeselector: {} }),
    pod('a', { priority: 'high' }),
    pod('a', { containers: [] }),
    pod('a', { containers: undefined }),
    pod('A'),
    pod('a', { tolerations: [{ operator: 'Exists', value: 'x' }] }),
  ];
  for (const object of pods) {
    const path = '/api/v1/namespaces/default/pods?fieldValidation=Strict';
    const { status, body } = await server.ask('POST', path, object);
    assert.ok(status === 400 || status === 422, JSON.stringify(body));
    const [{ message }] = objectFaults(object) ?? [];
    const words = message.replace(/^.*: (?=json: )/, '');
    assert.ok(body.message.endsWith(words), `${body.message} / ${message}`);
  }
});

test('an object without most of its fields is refused without an exception', () => {
  const kinds = [...KUBERNETES_TYPES.matchAll(/^kind (\S+) (\S+)/gm)];
  assert.ok(kinds.length > 50);
  const workload = (/** @type {object} */ spec) => ({ template: { spec } });
  const specs = [
    undefined,
    {},
    workload({}),
    workload({ containers: [{}] }),
    { jobTemplate: { spec: workload({}) } },
    { template: {}, jobTemplate: { spec: {} }, selector: {} },
    { limits: [{}], ports: [{}], containers: [{ ports: [{}], env: [{}], livenessProbe: {} }] },
    { volumes: [{}], tolerations: [{}], topologySpreadConstraints: [{}], affinity: {} },
  ];
  for (const [, apiVersion, kind] of kinds) {
    for (const spec of specs) {
      for (const metadata of [undefined, {}, { name: 'a' }, { generateName: 'a-' }]) {
        const faults = objectFaults({ apiVersion, kind, metadata, spec });
        const isNamed = metadata !== undefined && Object.keys(metadata).length > 0;
        if (faults && !isNamed) assert.ok(faults.length > 0, `${kind} ${JSON.stringify(spec)}`);
      }
    }
  }
});
