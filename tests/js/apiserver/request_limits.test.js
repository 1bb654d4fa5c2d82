// Goal: the work for a body or a patch is bounded, whatever its content. Method: small bodies that
// would cause much work; each is refused in time with its limit, and the server's state stays
// the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { applyJsonPatch } from '../../../js/apiserver/patch/json_patch.js';
import { AskedServer, PODS, pod } from './asked_server.js';

const PATH = `${PODS}/p`;
const JSON_PATCH = 'application/json-patch+json';

async function withPod() {
  const server = new AskedServer();
  await server.ask('POST', PODS, pod('p', {}, { annotations: { text: 'x'.repeat(1000) } }));
  return server;
}

/** @param {number} levels */
const nested = (levels) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** @param {string} limit */
const refused = (limit) => ({ status: 413, message: `Request entity too large: ${limit}` });

/** @param {any} answer */
const said = ({ status, body }) => ({ status, message: body.message });

test('copies of copies end at the limit of their total size', async () => {
  const server = await withPod();
  const before = await server.get(PATH);
  const copies = Array.from({ length: 40 }, (_, at) => ({
    op: 'copy',
    from: '/metadata',
    path: `/metadata/copy${at}`,
  }));
  const answer = await server.patch(PATH, copies, JSON_PATCH);
  assert.equal(answer.status, 413);
  assert.equal(answer.body.reason, 'RequestEntityTooLarge');
  assert.match(
    answer.body.message,
    new RegExp(
      '^Request entity too large: Unable to complete the copy, ' +
        'the accumulated size increase of copy is \\d+, exceeding the limit 3145728$',
    ),
  );
  assert.deepEqual(await server.get(PATH), before);
});

test('copies below the limit are made', () => {
  const copies = Array.from({ length: 3000 }, (_, at) => ({
    op: 'copy',
    from: '/a',
    path: `/b/${at}`,
  }));
  const { b } = applyJsonPatch({ a: 'x'.repeat(1000), b: {} }, copies);
  assert.equal(Object.keys(b).length, 3000);
  const full = [...copies, ...copies.slice(0, 200)];
  assert.throws(() => applyJsonPatch({ a: 'x'.repeat(1000), b: {} }, full), {
    message: /exceeding the limit 3145728$/,
  });
});

test('a patch whose result is too large, too deep or moves too much is refused', () => {
  const text = 'x'.repeat(2 << 20);
  const large = [
    { op: 'add', path: '/b', value: text },
    { op: 'add', path: '/c', value: text },
  ];
  const deeper = [
    { op: 'add', path: '/b', value: {} },
    { op: 'move', from: '/a', path: '/b/a' },
    { op: 'move', from: '/b', path: '/a' },
  ];
  const cases = [
    { of: {}, patch: large, limit: 'limit is 3145728' },
    {
      of: { a: {} },
      patch: Array.from({ length: 3000 }, (_, at) => deeper[at % 3]),
      limit: 'The allowed maximum depth of a JSON document is 1000 levels',
    },
    {
      of: { a: Array(200_000).fill(0) },
      patch: Array(1000).fill({ op: 'remove', path: '/a/0' }),
      limit: 'The allowed maximum of list elements that a JSON patch moves is 50000000',
    },
  ];
  for (const { of, patch, limit } of cases) {
    assert.throws(() => applyJsonPatch(of, patch), refused(limit), limit);
  }
});

test('bodies and patches that are too deep are refused, of every type', async () => {
  const server = await withPod();
  const limit = 'exceeded max depth: 1000 levels';
  const message = `couldn't get version/kind; json parse error: ${limit}`;
  const yaml = 'error converting YAML to JSON: nested deeper than 64 levels';
  for (const levels of [1001, 20_000, 200_000]) {
    const spec = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"q"},"spec":${nested(levels)}}`;
    for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
      assert.deepEqual(said(await server.patch(PATH, spec, type)), { status: 400, message });
    }
    const add = `[{"op":"add","path":"/spec/x","value":${nested(levels)}}]`;
    assert.deepEqual(said(await server.patch(PATH, add, JSON_PATCH)), { status: 400, message });
    assert.deepEqual(said(await server.ask('POST', PODS, spec)), { status: 400, message });
    const applied = await server.patch(
      `${PATH}?fieldManager=m`,
      spec,
      'application/apply-patch+yaml',
    );
    assert.deepEqual(said(applied), { status: 400, message: yaml });
    const block = await server.ask('POST', PODS, '- '.repeat(levels), {
      'Content-Type': 'application/yaml',
    });
    assert.deepEqual(said(block), { status: 400, message: yaml });
  }
  const allowed = `{"metadata":{"annotations":{"b":"c"}},"spec":${nested(900)}}`;
  assert.equal((await server.patch(PATH, allowed)).status, 200);
});
