import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean, namesNear } from '../../../../js/src/cli/terminal/near_names.js';

test('slips of a finger, and beginnings; the nearest first, and few', () => {
  const commands = ['simulate', 'explain', 'check', 'capacity', 'snapshot', 'run', 'up'];
  const cases = [
    ['chek', ['check']],
    ['chcek', ['check']],
    ['checkk', ['check']],
    ['sim', ['simulate']],
    ['nur', []],
    ['rnu', ['run']],
    ['zzz', []],
    ['u', ['up']],
    ['', []],
  ];
  for (const [text, expected] of cases) assert.deepEqual(namesNear(text, commands), expected, text);
  const many = Array.from({ length: 30 }, (_, at) => `web-${at}`);
  assert.deepEqual(namesNear('web', [...many, 'wed', 'other']), ['wed', 'web-0', 'web-1']);
});

test('long names are not compared with short ones', () => {
  const long = 'x'.repeat(4 << 20);
  const began = process.cpuUsage().user;
  for (let count = 0; count < 20; count += 1) assert.deepEqual(namesNear(long, ['spec', 'x']), []);
  assert.ok(process.cpuUsage().user - began < 1_000_000);
});

test('in words', () => {
  assert.equal(didYouMean([]), '');
  assert.equal(didYouMean(['a']), '; did you mean a?');
  assert.equal(didYouMean(['a', 'b']), '; did you mean a or b?');
});
