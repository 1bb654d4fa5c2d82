// Goal: a list may have more items than a call may have arguments. Method: 130,000 of one thing,
// where each became an argument.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createApiServer } from '../../js/apiserver/index.js';
import { parseLabelSelector } from '../../js/src/kubernetes/label_selector.js';
import { makeFolder } from '../js/support/folder.js';
import { makeList, makeNode, makePod } from '../js/support/objects.js';
import { runCli } from '../js/support/run_cli.js';

const SIZE = 130_000;
const NAMESPACE = '/api/v1/namespaces/default';

/** @param {string} method @param {string} path @param {object} object @param {string} [type] */
async function ask(method, path, object, type = 'application/json') {
  const server = createApiServer({ controllers: [] });
  const body = JSON.stringify(object);
  const headers = { 'Content-Type': type };
  const request = new Request(`http://server${NAMESPACE}${path}`, { method, body, headers });
  const response = await server.fetch(request);
  return { status: response.status, body: await response.json() };
}

test('symbols of a label selector', () => {
  assert.throws(() => parseLabelSelector('('.repeat(SIZE)), /found '\(', expected/);
});

test('characters of a Secret', async () => {
  const text = 'ü'.repeat(SIZE);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
  const { status, body } = await ask('POST', '/secrets', { ...secret, stringData: { text } });
  assert.equal(status, 201);
  assert.equal(Buffer.from(body.data.text, 'base64').toString(), text);
});

test('faults of an applied object', async () => {
  const pod = makePod('p', { spec: { containers: [{ name: 'c', args: Array(SIZE).fill(1) }] } });
  const type = 'application/apply-patch+yaml';
  const { body } = await ask('PATCH', '/pods/p?fieldManager=m', pod, type);
  assert.match(body.message, /\.args\[129999\]: expected string/);
});

test('faults of a manifest, as warnings', async () => {
  const { file } = await makeFolder();
  const resources = Object.fromEntries(Array.from({ length: SIZE }, (_, at) => [`x${at}`, 1]));
  const manifest = await file(
    'pod.json',
    makePod('p', { spec: { containers: [{ name: 'c', resources }] } }),
  );
  const cluster = await file('cluster.json', makeList(makeNode('a')));
  const flags = ['-f', manifest, '--cluster', cluster, '--validate', 'warn'];
  const { code, stderr } = await runCli(['check', ...flags]);
  assert.equal(code, 0);
  assert.match(stderr, /unknown field "spec\.containers\[0\]\.resources\.x0"/);
});
