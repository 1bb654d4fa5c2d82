import assert from 'node:assert/strict';
import { test } from 'node:test';

import { canonicalQuantity } from '../../../../js/src/kubernetes/canonical_quantity.js';
import { DecodeError, decode } from '../../../../js/apiserver/schema/decode.js';
import { shapeOf } from '../../../../js/apiserver/schema/types.js';
import { exchange, framesOf } from '../recorded_exchanges.js';

test('decoding and encoding an object of a real server returns the same bytes', () => {
  const lists = ['list-nodes', 'list-pods-page-1', 'list-pods-page-2', 'list-pods-page-3'];
  const others = ['list-namespaces', 'list-services', 'list-priorityclasses'];
  const objects = [
    ...[...lists, ...others].flatMap((name) => {
      const { kind, apiVersion, items } = exchange(name).response.body;
      return items.map((/** @type {any} */ item) => ({
        kind: kind.replace(/List$/, ''),
        apiVersion,
        ...item,
      }));
    }),
    ...['watch-pods', 'watch-nodes', 'watch-events'].flatMap((name) =>
      framesOf(name).map(({ object }) => object),
    ),
    exchange('lease').response.body,
  ];
  for (const object of objects) {
    const { value, unknownFields } = decode(shapeOf(object.apiVersion, object.kind), object);
    assert.equal(JSON.stringify(value), JSON.stringify(object));
    assert.deepEqual(unknownFields, []);
  }
  assert.ok(objects.length > 250);
});

test('empty fields go, but for those that are always there', () => {
  const { value } = decode(shapeOf('v1', 'Pod'), {
    metadata: { labels: {}, name: 'a', annotations: null },
    spec: { containers: [{ name: 'c', args: [], tty: false }], nodeName: '', priority: 0 },
  });
  assert.deepEqual(value, {
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c', resources: {} }], priority: 0 },
    status: {},
  });
});

test('a value of the wrong type is refused in the words of Go', () => {
  const cases = /** @type {[object, string][]} */ ([
    [
      { metadata: { labels: { a: 1 } } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of ' +
        'type string',
    ],
    [
      { spec: { containers: 'x' } },
      'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of ' +
        'type []v1.Container',
    ],
    [
      { spec: { priority: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32',
    ],
    [
      { spec: { hostNetwork: [] } },
      'json: cannot unmarshal array into Go struct field PodSpec.spec.hostNetwork of type bool',
    ],
    [
      { metadata: { creationTimestamp: 'now' } },
      'parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"',
    ],
  ]);
  for (const [object, message] of cases) {
    assert.throws(
      () => decode(shapeOf('v1', 'Pod'), object),
      (/** @type {any} */ error) => {
        assert.ok(error instanceof DecodeError);
        assert.equal(error.message, message);
        return true;
      },
    );
  }
});

test('an integer has the range of its type', () => {
  const scalar = (/** @type {any} */ basic) => ({ kind: /** @type {const} */ ('scalar'), basic });
  const most = Number.MAX_SAFE_INTEGER;
  const cases = /** @type {[string, number[], number[]][]} */ ([
    ['int32', [-(2 ** 31), 2 ** 31 - 1], [-(2 ** 31) - 1, 2 ** 31, 1.5]],
    ['IntOrString', [-(2 ** 31), 2 ** 31 - 1], [-(2 ** 31) - 1, 2 ** 31, 1.5]],
    // JSON.parse has rounded larger ones already.
    ['int64', [-most, most], [-(2 ** 53), 2 ** 53, 2 ** 63, 1e300, 1.5]],
  ]);
  for (const [basic, valid, invalid] of cases) {
    for (const value of valid) assert.equal(decode(scalar(basic), value).value, value);
    for (const value of invalid) assert.throws(() => decode(scalar(basic), value), DecodeError);
  }
});

test('an int64 that JavaScript would round is refused with the limit', () => {
  const limit = ': integers beyond 9007199254740991 are not supported';
  const cases = /** @type {[unknown, string][]} */ ([
    // YAML leaves such integers as text.
    ['9223372036854775807', `number 9223372036854775807 into Go *${limit}`],
    ['-9007199254740993', `number -9007199254740993 into Go *${limit}`],
    [2 ** 53, `number 9007199254740992 into Go *${limit}`],
    ['9007199254740991', 'string into Go *'],
    ['x9223372036854775807', 'string into Go *'],
    [1.5, 'number 1.5 into Go *'],
  ]);
  for (const [terminationGracePeriodSeconds, message] of cases) {
    const place = 'struct field PodSpec.spec.terminationGracePeriodSeconds of type int64';
    assert.throws(() => decode(shapeOf('v1', 'Pod'), { spec: { terminationGracePeriodSeconds } }), {
      message: `json: cannot unmarshal ${message.replace('*', place)}`,
    });
  }
  assert.throws(() => decode(shapeOf('v1', 'Pod'), { spec: { priority: '9223372036854775807' } }), {
    message: /number 9223372036854775807 into Go struct field PodSpec.spec.priority of type int32$/,
  });
});

test('times are written in UTC, as precisely as their type is', () => {
  const { value } = decode(shapeOf('coordination.k8s.io/v1', 'Lease'), {
    metadata: { creationTimestamp: '2026-01-01T02:00:00.5+02:00' },
    spec: { renewTime: '2026-01-01T00:00:00Z', acquireTime: '2026-01-01T00:00:00.1234567Z' },
  });
  assert.equal(value.metadata.creationTimestamp, '2026-01-01T00:00:00Z');
  assert.deepEqual(value.spec, {
    acquireTime: '2026-01-01T00:00:00.123456Z',
    renewTime: '2026-01-01T00:00:00.000000Z',
  });
});

test('quantities are written with the largest suffix that loses nothing', () => {
  const cases = /** @type {[string | number, string][]} */ ([
    ['100m', '100m'],
    ['1000m', '1'],
    ['0.5', '500m'],
    [0.5, '500m'],
    [1, '1'],
    ['1500m', '1500m'],
    ['1024Mi', '1Gi'],
    ['1536Mi', '1536Mi'],
    ['1.5Gi', '1536Mi'],
    ['1000000', '1M'],
    ['1000Ki', '1000Ki'],
    ['2048', '2048'],
    ['0.1Gi', '107374182400m'],
    ['12e6', '12e6'],
    ['1E3', '1E3'],
    ['1000E3', '1e6'],
    ['5E', '5E'],
    ['-5', '-5'],
    ['0Gi', '0'],
    ['.5', '500m'],
    ['100n', '100n'],
    ['99E', '99E'],
    ['99Ei', '9223372036854775807'],
  ]);
  for (const [text, wanted] of cases) assert.equal(canonicalQuantity(text), wanted, String(text));
  assert.equal(canonicalQuantity('100n', -3), '1m');
  const wrong = /^quantities must match the regular expression/;
  for (const text of ['', '1 Gi', 'x', '1.2.3']) {
    assert.throws(() => canonicalQuantity(text), { name: 'RangeError', message: wrong }, text);
  }
  for (const text of ['1kk', '1e', '1Mi3', '--1']) {
    assert.throws(() => canonicalQuantity(text), { message: "unable to parse quantity's suffix" });
  }
  const shape = /** @type {const} */ ({ kind: 'scalar', basic: 'Quantity' });
  for (const value of [true, {}, [1]]) {
    assert.throws(() => decode(shape, value), { constructor: DecodeError, message: wrong });
  }
});

test('fields come in the order of their type, in whatever order and set they are given', () => {
  const given = { name: 'c', image: 'i', tty: true, stdin: true, workingDir: '/', command: ['a'] };
  const entries = Object.entries(given);
  const order = ['name', 'image', 'command', 'workingDir', 'resources', 'stdin', 'tty'];
  for (let turn = 0; turn < 40; turn += 1) {
    const at = turn % entries.length;
    const turned = [...entries.slice(at), ...entries.slice(0, at)];
    const some = turned.slice(0, 1 + (turn % 5));
    const container = Object.fromEntries([...some, ['unheard', 1]]);
    const pod = { spec: { containers: [container] } };
    const { value, unknownFields } = decode(shapeOf('v1', 'Pod'), pod);
    const names = new Set([...some.map(([name]) => name), 'name', 'resources']);
    const expected = order.filter((name) => names.has(name));
    assert.deepEqual(Object.keys(value.spec.containers[0]), expected);
    assert.deepEqual(unknownFields, ['spec.containers[0].unheard']);
  }
});

test('a map may have a key of any name', () => {
  const labels = JSON.parse('{"__proto__":"a","b":"c"}');
  const { value } = decode(shapeOf('v1', 'Pod'), { metadata: { labels } });
  assert.equal(JSON.stringify(value.metadata.labels), '{"__proto__":"a","b":"c"}');
});
