// Goal: webhooks and policies of admission are served and stored, and each write warns that they
// have no effect. Method: an exchange for each kind, with the response's warnings.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from './asked_server.js';

const GROUP_VERSION = 'admissionregistration.k8s.io/v1';
const WARNING =
  '299 - "this server stores admission webhooks and policies, and never calls or evaluates them"';

const webhook = {
  name: 'a.example.org',
  clientConfig: { url: 'https://example.org/admit' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

const OBJECTS = {
  mutatingwebhookconfigurations: { kind: 'MutatingWebhookConfiguration', webhooks: [webhook] },
  validatingadmissionpolicies: {
    kind: 'ValidatingAdmissionPolicy',
    spec: { validations: [{ expression: 'object.spec.replicas < 5' }] },
  },
  validatingadmissionpolicybindings: {
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: { policyName: 'one', validationActions: ['Deny'] },
  },
  validatingwebhookconfigurations: { kind: 'ValidatingWebhookConfiguration', webhooks: [webhook] },
};

test('discovery has the group and its kinds', async () => {
  const server = new AskedServer();
  const { groups } = await server.get('/apis');
  const group = groups.find(({ name }) => name === 'admissionregistration.k8s.io');
  assert.deepEqual(group.preferredVersion, { groupVersion: GROUP_VERSION, version: 'v1' });
  const { resources } = await server.get(`/apis/${GROUP_VERSION}`);
  const kinds = Object.entries(OBJECTS).map(([name, { kind }]) => [name, kind]);
  assert.deepEqual(
    resources.filter(({ name }) => !name.includes('/')).map(({ name, kind }) => [name, kind]),
    kinds,
  );
});

for (const [plural, parts] of Object.entries(OBJECTS)) {
  test(`${plural} are kept, with a warning at each write`, async () => {
    const server = new AskedServer();
    const path = `/apis/${GROUP_VERSION}/${plural}`;
    const object = { apiVersion: GROUP_VERSION, metadata: { name: 'one' }, ...parts };
    const created = await server.ask('POST', path, object);
    assert.equal(created.status, 201, created.body.message);
    assert.equal(created.headers.get('warning'), WARNING);
    assert.equal(created.body.metadata.generation, 1);
    const replaced = await server.ask('PUT', `${path}/one`, created.body);
    assert.equal(replaced.headers.get('warning'), WARNING);
    assert.equal(replaced.body.metadata.resourceVersion, created.body.metadata.resourceVersion);
    const labels = { metadata: { labels: { a: 'b' } } };
    const patched = await server.ask('PATCH', `${path}/one`, labels, {
      'Content-Type': 'application/merge-patch+json',
    });
    assert.equal(patched.headers.get('warning'), WARNING);
    const read = await server.ask('GET', `${path}/one`);
    assert.deepEqual(read.body, patched.body);
    assert.equal(read.headers.get('warning'), null);
    assert.deepEqual(read.body.spec, parts.spec);
    assert.deepEqual(read.body.webhooks, parts.webhooks);
    assert.equal((await server.ask('DELETE', `${path}/one`)).status, 200);
    assert.deepEqual((await server.get(path)).items, []);
  });
}
