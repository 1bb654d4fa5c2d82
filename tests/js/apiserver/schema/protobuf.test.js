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
