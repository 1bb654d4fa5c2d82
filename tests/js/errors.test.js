import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ApiError,
  BatchError,
  ConfigurationError,
  DisposedError,
  EngineError,
  ExpiredError,
  InputError,
  LoadError,
  PluginError,
  ReplayError,
  StowageError,
  WaitError,
} from '../../js/src/index.js';
import { errorFromDocument } from '../../js/src/errors.js';

const input = new InputError({
  code: 'FieldValueInvalid',
  kind: 'Pod',
  namespace: 'a',
  name: 'b',
  field: 'spec.x',
  detail: 'bad',
});
const api = {
  apiVersion: 'v1',
  kind: 'Status',
  metadata: {},
  status: 'Failure',
  reason: 'Conflict',
  code: 409,
  details: { retryAfterSeconds: 2 },
};
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
    [
      new PluginError('PluginThrew', 'x', { plugin: 'p', point: 'Filter' }),
      'PluginThrew',
      500,
      'InternalError',
    ],
    [new ApiError(api), 'Conflict', 409, 'Conflict'],
    [new WaitError('w'), 'MustWait', 503, 'ServiceUnavailable'],
    [new ExpiredError('e'), 'Expired', 410, 'Expired'],
    [new DisposedError(), 'Disposed', 503, 'ServiceUnavailable'],
    [new LoadError('l'), 'LoadFailed', 503, 'ServiceUnavailable'],
    [new ReplayError('r', { seq: 1, expected: 1, actual: 2 }), 'Diverged', 500, 'InternalError'],
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

test('errors say what they carry', () => {
  assert.equal(input.message, 'Pod a/b: spec.x: bad');
  assert.deepEqual(input.toStatus().details, {
    kind: 'Pod',
    name: 'b',
    causes: [{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec.x' }],
  });
  assert.deepEqual(new InputError(input.toJSON()).toJSON(), input.toJSON());
  assert.equal(new ApiError(api).retryAfterSeconds, 2);
});

test('errors that the engine describes become their classes', () => {
  for (const name of [
    'InputError',
    'BatchError',
    'ConfigurationError',
    'WaitError',
    'ExpiredError',
    'DisposedError',
    'EngineError',
  ]) {
    assert.equal(
      errorFromDocument({ class: name, code: 'X', message: 'm', errors: [] }).name,
      name,
    );
  }
  assert.equal(errorFromDocument({ class: 'Unheard', code: 'X' }).name, 'EngineError');
});
