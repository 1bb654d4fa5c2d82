// Goal: durations are read and written as Go does it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from '../../../js/src/kubernetes/errors.js';
import { durationText, parseDuration } from '../../../js/src/kubernetes/duration.js';

test('texts are read', () => {
  for (const [text, ms] of /** @type {[string, number][]} */ ([
    ['0', 0],
    ['15s', 15_000],
    ['1m30s', 90_000],
    ['1h', 3_600_000],
    ['1.5s', 1500],
    ['.5s', 500],
    ['500ms', 500],
    ['250us', 0.25],
    ['250µs', 0.25],
    ['-2s', -2000],
    ['1s500ms', 1500],
  ]))
    assert.equal(parseDuration(text, 'f'), ms, text);
  for (const text of ['', '15', 's', '1 s', '1d', '1s2', 'NaN', '1e3s'])
    assert.throws(
      () => parseDuration(text, 'leaderElection.leaseDuration'),
      (error) =>
        error instanceof ConfigurationError &&
        error.errors[0].field === 'leaderElection.leaseDuration' &&
        error.message.includes(JSON.stringify(text)),
      text,
    );
});

test('a text that is none is refused in the words of Go', () => {
  const limit = 'more than 256 characters in';
  for (const [text, why, shown = text] of /** @type {[string, string, string?][]} */ ([
    ['', 'invalid'],
    ['.s', 'invalid'],
    ['x', 'invalid'],
    ['15', 'missing unit in'],
    ['1h2', 'missing unit in'],
    ['1d', 'unknown unit "d" in'],
    ['1constructor', 'unknown unit "constructor" in'],
    ['2562048h', 'invalid'],
    [`${'9'.repeat(250)}s`, 'invalid'],
    [`${'7'.repeat(80_000)}s`, limit, `${'7'.repeat(32)}…`],
    ['7'.repeat(80_000), limit, `${'7'.repeat(32)}…`],
  ])) {
    const value = JSON.stringify(shown);
    const message = `timeout: Invalid value: ${value}: time: ${why} duration ${value}`;
    assert.throws(() => parseDuration(text, 'timeout'), { message });
  }
});

test('texts are written', () => {
  for (const [ms, text] of /** @type {[number, string][]} */ ([
    [0, '0s'],
    [1, '1ms'],
    [500, '500ms'],
    [5000, '5s'],
    [2500, '2.5s'],
    [60_000, '1m0s'],
    [90_000, '1m30s'],
    [3_600_000, '1h0m0s'],
    [5_400_500, '1h30m0.5s'],
  ])) {
    assert.equal(durationText(ms), text);
    assert.equal(parseDuration(text, 'f'), ms);
  }
});
