import assert from 'node:assert/strict';
import { test } from 'node:test';

import { applyPatch, PATCH_TYPES } from '../../../../js/apiserver/patch/patch.js';

const POD = { apiVersion: 'v1', kind: 'Pod' };
const current = { ...POD, metadata: { name: 'p' }, spec: { containers: [{ name: 'a' }] } };
const now = Date.UTC(2026, 0, 1);

/** @param {object} options */
const patched = (options) =>
  applyPatch({ contentType: PATCH_TYPES[1], patch: {}, current, resource: POD, now, ...options });

test('the content type selects the kind of patch', () => {
  const patch = { spec: { containers: [{ name: 'b' }] } };
  const cases = [
    { contentType: 'application/merge-patch+json', patch, want: ['b'] },
    {
      contentType: 'application/strategic-merge-patch+json; charset=utf-8',
      patch,
      want: ['b', 'a'],
    },
    {
      contentType: 'application/json-patch+json',
      patch: [{ op: 'add', path: '/spec/containers/-', value: { name: 'b' } }],
      want: ['a', 'b'],
    },
    {
      contentType: 'application/apply-patch+yaml',
      patch: { ...POD, ...patch },
      fieldManager: 'ci',
      want: ['a', 'b'],
    },
  ];
  for (const { want, ...options } of cases) {
    const { spec } = patched(options);
    const names = spec.containers.map((/** @type {any} */ { name }) => name);
    assert.deepEqual(names, want, options.contentType);
  }
});

test('only server-side apply creates a missing object', () => {
  const config = { ...POD, metadata: { name: 'p' } };
  const apply = { contentType: 'application/apply-patch+yaml', patch: config, current: null };
  assert.deepEqual(patched({ ...apply, fieldManager: 'ci' }), config);
  assert.throws(() => patched({ current: null }), { status: 500 });
});

test('invalid options are refused in the server’s words', () => {
  const apply = { contentType: 'application/apply-patch+yaml', patch: POD };
  const cases = [
    {
      options: apply,
      status: 422,
      message:
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required ' +
        'for apply patch',
    },
    {
      options: { force: true },
      status: 422,
      message:
        'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified ' +
        'for non-apply patch',
    },
    {
      options: { ...apply, fieldManager: 'x'.repeat(129) },
      status: 422,
      message: /fieldManager: Too long: may not be more than 128 bytes$/,
    },
    {
      options: { contentType: 'application/json' },
      status: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: ' +
        'application/json-patch+json, application/merge-patch+json, ' +
        'application/strategic-merge-patch+json, application/apply-patch+yaml',
    },
  ];
  for (const { options, status, message } of cases) {
    assert.throws(() => patched(options), { status, message });
  }
});

test('an applied configuration has to be an object', () => {
  const apply = { contentType: 'application/apply-patch+yaml', fieldManager: 'ci' };
  assert.throws(() => patched({ ...apply, patch: null }), {
    status: 400,
    message: 'invalid object type: /, Kind=',
  });
  const words = 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into';
  assert.throws(() => patched({ ...apply, patch: [] }), {
    status: 400,
    message: `error decoding YAML: ${words} Go value of type map[string]interface {}`,
  });
});

test('a kind without a type has no strategic merge patch', () => {
  const resource = { apiVersion: 'example.com/v1', kind: 'Thing' };
  const contentType = 'application/strategic-merge-patch+json';
  assert.throws(() => patched({ contentType, resource }), {
    status: 415,
    code: 'UnsupportedMediaType',
    message: /json-patch\+json, application\/merge-patch\+json, application\/apply-patch\+yaml$/,
  });
});
