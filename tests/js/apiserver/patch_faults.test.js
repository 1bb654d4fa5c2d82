// Goal: a patch with an invalid result is refused with kube-apiserver's message.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { virtualClock } from '../../../js/src/io/clock.js';
import { createApiServer } from '../../../js/apiserver/index.js';

const PATH = 'http://embedded/apis/apps/v1/namespaces/default/deployments/web';

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
};

const server = createApiServer({
  objects: [DEPLOYMENT],
  clock: virtualClock(0),
  random: () => 0.5,
});

/** @param {string} type @param {unknown} patch @param {string} [query] */
async function refused(type, patch, query = '') {
  const headers = { 'Content-Type': `application/${type}` };
  const body = JSON.stringify(patch);
  const response = await server.fetch(
    new Request(`${PATH}${query}`, { method: 'PATCH', headers, body }),
  );
  const { code, message } = await response.json();
  assert.equal(code, response.status);
  return { code, message };
}

test('a strategic merge patch is quoted, as Go prints it', async () => {
  const cases = /** @type {[object, string, string][]} */ ([
    [{ replicas: 'three' }, 'map[replicas:three]', 'unrecognized type: int32'],
    [{ replicas: 1.5 }, 'map[replicas:1.5]', 'cannot convert float64 to int32'],
    [{ paused: 1 }, 'map[paused:1]', 'unrecognized type: bool'],
    [{ selector: [] }, 'map[selector:[]]', 'cannot restore struct from: slice'],
    [
      { template: { metadata: { labels: { app: 1 } } } },
      'map[template:map[metadata:map[labels:map[app:1]]]]',
      'cannot convert int64 to string',
    ],
    [
      { strategy: { rollingUpdate: { maxSurge: false } } },
      'map[strategy:map[rollingUpdate:map[maxSurge:false]]]',
      'json: cannot unmarshal bool into Go struct field ' +
        'RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type intstr.IntOrString',
    ],
  ]);
  for (const [spec, text, why] of cases) {
    assert.deepEqual(await refused('strategic-merge-patch+json', { spec }), {
      code: 422,
      message: ` "" is invalid: patch: Invalid value: "map[spec:${text}]": ${why}`,
    });
  }
});

test('errors of other patches quote the result', async () => {
  const why =
    'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32';
  const merge = { spec: { replicas: 'three' } };
  const operation = { op: 'replace', path: '/spec/replicas', value: 'three' };
  for (const [type, patch] of /** @type {[string, unknown][]} */ ([
    ['merge-patch+json', merge],
    ['json-patch+json', [operation]],
  ])) {
    const { code, message } = await refused(type, patch);
    assert.equal(code, 422, type);
    assert.ok(message.startsWith(' "" is invalid: patch: Invalid value: "{\\"kind\\":'), message);
    assert.ok(message.endsWith(`: ${why}`), message);
  }
});

test('unknown fields are refused with fieldValidation=Strict', async () => {
  const patch = { spec: { replica: 3 } };
  const strict = '?fieldValidation=Strict';
  assert.deepEqual(await refused('strategic-merge-patch+json', patch, strict), {
    code: 422,
    message:
      ' "" is invalid: patch: Invalid value: "map[spec:map[replica:3]]": ' +
      'strict decoding error: unknown field "spec.replica"',
  });
});

test('a patch changes neither the name nor the namespace', async () => {
  const cases = /** @type {[object, string][]} */ ([
    [{ name: 'other' }, 'the name of the object (other) does not match the name on the URL (web)'],
    [
      { name: null },
      'the name of the object (web based on URL) was undeterminable: name must be provided',
    ],
    [
      { namespace: 'other' },
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
  ]);
  for (const [metadata, message] of cases) {
    assert.deepEqual(await refused('merge-patch+json', { metadata }), { code: 400, message });
  }
});
