import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  BatchError,
  ConfigurationError,
  DisposedError,
  EngineError,
  InputError,
  LoadError,
  StowageError,
} from '../../../js/src/index.js';
import { errorFromDocument } from '../../../js/src/kubernetes/errors.js';

const input = new InputError({
  code: 'FieldValueInvalid',
  kind: 'Pod',
  namespace: 'a',
  name: 'b',
  field: 'spec.x',
  detail: 'bad',
});

test('every error has a code and a Status', () => {
  const cases = [
    [input, 'FieldValueInvalid', 422, 'Invalid'],
    [new InputError({ code: 'MalformedJson' }), 'MalformedJson', 400, 'BadRequest'],
    [new InputError({ code: 'TooLarge' }), 'TooLarge', 413, 'RequestEntityTooLarge'],
    [new BatchError([input, input], null), 'InputErrors', 422, 'Invalid'],
    [
      new ConfigurationError('no', [{ field: 'f', detail: 'd' }]),
      'InvalidConfiguration',
      422,
      'Invalid',
    ],
    [new DisposedError(), 'Disposed', 503, 'ServiceUnavailable'],
    [new LoadError('l'), 'LoadFailed', 503, 'ServiceUnavailable'],
    [new EngineError('i'), 'Internal', 500, 'InternalError'],
  ];
  for (const [error, code, httpCode, reason] of cases) {
    assert.ok(error instanceof StowageError && error instanceof Error);
    assert.equal(error.name, error.constructor.name);
    const status = error.toStatus();
    assert.deepEqual(
      [error.code, status.code, status.reason, status.status],
      [code, httpCode, reason, 'Failure'],
    );
  }
});

test('an object without a name is not named by its namespace alone', () => {
  const messageOf = (/** @type {object} */ fields) =>
    new InputError({ code: 'FieldValueRequired', field: 'kind', namespace: 'a', ...fields })
      .message;
  assert.equal(messageOf({ detail: 'Required value' }), 'kind: Required value');
  assert.equal(messageOf({ kind: 'Pod', detail: 'bad' }), 'Pod: kind: bad');
  assert.equal(messageOf({ kind: 'Pod', name: 'b', detail: 'bad' }), 'Pod a/b: kind: bad');
});

test('every error says its name, whatever bundlers make of its class', async () => {
  const sources = new URL('../../../js/src/', import.meta.url);
  const classes = [];
  for (const file of await readdir(sources, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const text = await readFile(new URL(file, sources), 'utf8');
    classes.push(...text.matchAll(/^export class (\w+) extends StowageError \{\n([^]*?)^}/gm));
  }
  assert.ok(classes.length > 10);
  for (const [, name, body] of classes) assert.ok(body.includes(`\n  name = '${name}';\n`), name);
});

test('the messages of errors contain their fields', () => {
  assert.equal(input.message, 'Pod a/b: spec.x: bad');
  assert.deepEqual(input.toStatus().details, {
    kind: 'Pod',
    name: 'b',
    causes: [{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec.x' }],
  });
  assert.deepEqual(new InputError(input.toJSON()).toJSON(), input.toJSON());
});

test('errors that the engine describes become their classes', () => {
  for (const name of ['InputError', 'ConfigurationError', 'EngineError']) {
    assert.equal(
      errorFromDocument({ class: name, code: 'X', message: 'm', errors: [] }).name,
      name,
    );
  }
  assert.equal(errorFromDocument({ class: 'Unheard', code: 'X' }).name, 'EngineError');
});
