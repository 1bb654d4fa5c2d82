/** Bodies that kubectl v1.36.4 sent for its `create` commands. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { DecodeError, decode } from '../../../../js/apiserver/schema/decode.js';
import { decodeProtobuf } from '../../../../js/apiserver/schema/protobuf.js';
import { shapeOf } from '../../../../js/apiserver/schema/types.js';
import { AskedServer } from '../asked_server.js';

/** @type {{ path: string, base64: string }[]} */
const bodies = JSON.parse(readFileSync(new URL('../kubectl_bodies.json', import.meta.url), 'utf8'));

/** @param {string} plural */
function bytesOf(plural) {
  const body = bodies.find(({ path }) => path.endsWith(`/${plural}`));
  return new Uint8Array(Buffer.from(body?.base64 ?? '', 'base64'));
}

/** @param {string} plural */
function objectOf(plural) {
  const object = decodeProtobuf(bytesOf(plural), shapeOf);
  return decode(shapeOf(object.apiVersion, object.kind), object).value;
}

test('kubectl’s bodies are decoded: structs, lists, maps, numbers, bytes, embedded structs', () => {
  assert.deepEqual(objectOf('deployments'), {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name: 'api', namespace: 'team', labels: { app: 'api' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'api' } },
      template: {
        metadata: { labels: { app: 'api' } },
        spec: {
          containers: [
            { name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }], resources: {} },
          ],
        },
      },
      strategy: {},
    },
    status: {},
  });
  assert.deepEqual(objectOf('secrets').data, { key: 'dmFsdWU=' });
  assert.deepEqual(objectOf('configmaps').data, { a: 'b' });
  assert.deepEqual(objectOf('resourcequotas').spec, { hard: { cpu: '1', memory: '1G' } });
  assert.equal(objectOf('poddisruptionbudgets').spec.minAvailable, '50%');
  const { value, globalDefault, preemptionPolicy } = objectOf('priorityclasses');
  assert.deepEqual([value, globalDefault, preemptionPolicy], [1000, true, 'PreemptLowerPriority']);
  const [port] = objectOf('services').spec.ports;
  assert.deepEqual([port.port, port.targetPort], [80, 8080]);
  assert.deepEqual(objectOf('ingresses').spec.rules[0].http.paths[0].backend, {
    service: { name: 'svc1', port: { number: 8080 } },
  });
  assert.deepEqual(objectOf('jobs').spec.template.spec.containers[0].command, [
    'sh',
    '-c',
    'exit 0',
  ]);
});

test('the server takes them, and answers in JSON', async () => {
  const server = new AskedServer();
  for (const { path, base64 } of bodies) {
    const { status, body } = await server.ask(
      'POST',
      path,
      new Uint8Array(Buffer.from(base64, 'base64')),
      {
        'Content-Type': 'application/vnd.kubernetes.protobuf',
        Accept: 'application/vnd.kubernetes.protobuf,application/json',
      },
    );
    assert.equal(status, 201, `${path}: ${body.message}`);
    assert.ok(body.metadata.uid);
  }
});

test('bytes that are not protobuf are refused, wherever they end', () => {
  const whole = bytesOf('deployments');
  assert.throws(() => decodeProtobuf(whole.subarray(1), shapeOf), DecodeError);
  let refused = 0;
  for (let length = 0; length < whole.length; length++) {
    try {
      decodeProtobuf(whole.subarray(0, length), shapeOf);
    } catch (error) {
      assert.ok(error instanceof DecodeError, String(error));
      refused++;
    }
  }
  assert.ok(refused > whole.length / 2);
});

/** @param {bigint} value @returns {number[]} a negative one takes ten bytes */
function varint(value) {
  const bits = BigInt.asUintN(64, value);
  return bits < 128n ? [Number(bits)] : [Number(bits & 127n) | 128, ...varint(bits >> 7n)];
}

/** @param {number} number of a field @param {string | readonly number[]} content */
function field(number, content) {
  const bytes = typeof content === 'string' ? [...Buffer.from(content)] : content;
  return [(number << 3) | 2, ...varint(BigInt(bytes.length)), ...bytes];
}

/** @param {readonly number[]} fields */
function configMap(fields) {
  const type = field(1, [...field(1, 'v1'), ...field(2, 'ConfigMap')]);
  return new Uint8Array([...Buffer.from('k8s\0'), ...type, ...field(2, fields)]);
}

test('a negative length is refused: reading would go back and never end', () => {
  for (let length = -1n; length > -20n; length -= 1n) {
    const bytes = configMap([(2 << 3) | 2, ...varint(length)]);
    const message = 'proto: negative length found during unmarshaling';
    assert.throws(() => decodeProtobuf(bytes, shapeOf), { constructor: DecodeError, message });
  }
});

test('the time to read a map grows with its entries, not with their square', () => {
  const [few, many] = [100, 20_000].map((count) => {
    const names = Array.from({ length: count }, (_, index) => `name-${index}`);
    return configMap(names.flatMap((name) => field(2, [...field(1, name), ...field(2, 'v')])));
  });
  assert.equal(Object.keys(decodeProtobuf(few, shapeOf).data).length, 100);
  const before = performance.now();
  assert.equal(Object.keys(decodeProtobuf(many, shapeOf).data).length, 20_000);
  assert.ok(performance.now() - before < 5000);
});

test('a map may have a key of any name, and the last of equal keys counts', () => {
  const entries = ['__proto__', 'constructor', '__proto__'].flatMap((name, index) =>
    field(2, [...field(1, name), ...field(2, String(index))]),
  );
  const { data } = decodeProtobuf(configMap(entries), shapeOf);
  assert.equal(JSON.stringify(data), '{"__proto__":"2","constructor":"1"}');
});

test('a time out of range is refused', async () => {
  for (const seconds of [253_402_300_800n, 2n ** 60n, -(2n ** 60n)]) {
    const bytes = configMap(field(1, field(8, [1 << 3, ...varint(seconds)])));
    const headers = { 'Content-Type': 'application/vnd.kubernetes.protobuf' };
    const path = '/api/v1/namespaces/default/configmaps';
    const { status } = await new AskedServer().ask('POST', path, bytes, headers);
    assert.equal(status, 400);
  }
});
