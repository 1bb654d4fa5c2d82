// Goal: reviews answer that everything is allowed, and nothing is stored.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from './asked_server.js';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

const attributes = { verb: 'create', resource: 'pods', namespace: 'default' };

/** @param {string} plural @param {unknown} body */
async function answered(plural, body) {
  const server = new AskedServer();
  const before = server.store.list('namespaces').length;
  const answer = await server.ask('POST', `${AUTHORIZATION}/${plural}`, body);
  assert.equal(server.store.list('namespaces').length, before);
  return answer;
}

test('access reviews allow every request', async () => {
  const self = { spec: { resourceAttributes: attributes } };
  const other = { spec: { ...self.spec, user: 'eve' } };
  const path = { spec: { nonResourceAttributes: { path: '/metrics', verb: 'get' } } };
  for (const [plural, review] of /** @type {[string, any][]} */ ([
    ['selfsubjectaccessreviews', self],
    ['selfsubjectaccessreviews', path],
    ['subjectaccessreviews', other],
  ])) {
    const { status, body } = await answered(plural, review);
    assert.equal(status, 201);
    assert.deepEqual(body.spec, review.spec);
    assert.deepEqual(body.status, { allowed: true });
  }
});

test('a rules review lists all verbs on all resources', async () => {
  const body = { spec: { namespace: 'default' } };
  const { status, body: review } = await answered('selfsubjectrulesreviews', body);
  assert.equal(status, 201);
  assert.deepEqual(review.status, {
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  });
});

test('a self-subject review names the anonymous user', async () => {
  const server = new AskedServer();
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const { status, body } = await server.ask('POST', path, {});
  assert.equal(status, 201);
  assert.equal(body.kind, 'SelfSubjectReview');
  assert.deepEqual(body.status.userInfo, {
    username: 'system:anonymous',
    groups: ['system:unauthenticated'],
  });
});

test('an empty review is refused, and reviews cannot be read', async () => {
  const cases = /** @type {[string, any, number, RegExp][]} */ ([
    [
      'selfsubjectaccessreviews',
      { spec: {} },
      422,
      /^SelfSubjectAccessReview\.authorization\.k8s\.io "" is invalid: spec\.resourceAttributes: /,
    ],
    [
      'selfsubjectaccessreviews',
      { spec: { resourceAttributes: attributes, nonResourceAttributes: { path: '/' } } },
      422,
      /spec\.nonResourceAttributes: .* cannot be specified in combination with resourceAttributes$/,
    ],
    [
      'subjectaccessreviews',
      { spec: { resourceAttributes: attributes } },
      422,
      /spec\.user: Invalid value: "": at least one of user or group must be specified$/,
    ],
    ['selfsubjectrulesreviews', { spec: {} }, 400, /^no namespace on request$/],
  ]);
  for (const [plural, review, code, message] of cases) {
    const { status, body } = await answered(plural, review);
    assert.equal(status, code);
    assert.match(body.message, message);
  }
  const server = new AskedServer();
  const { status } = await server.ask('GET', `${AUTHORIZATION}/subjectaccessreviews`);
  assert.equal(status, 405);
});
