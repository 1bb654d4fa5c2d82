import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTable, Progress } from '../../../../js/src/cli/terminal/terminal.js';

test('tables are as kubectl prints them', () => {
  const rows = [
    ['NAME', 'NODE', 'WHY'],
    ['a', '<none>', 'x'],
    ['longer', 'n', ''],
  ];
  const cases = [
    [rows, { headers: true }, 'NAME     NODE     WHY\na        <none>   x\nlonger   n\n'],
    [rows, { headers: false }, 'a        <none>   x\nlonger   n\n'],
    [rows.slice(0, 1), { headers: true }, ''],
    [
      rows,
      { headers: false, paint: (text, row) => `${row}${text}` },
      '1a        1<none>   1x\n2longer   2n        2\n',
    ],
  ];
  for (const [table, options, expected] of cases)
    assert.equal(formatTable(table, options), expected);
});

test('a bar appears only on a terminal, and only when the work is long', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const draw = (isTTY, quiet) => {
    now = 0;
    let written = '';
    const stream = { isTTY, columns: 60, write: (text) => (written += text) };
    const progress = new Progress(/** @type {any} */ (stream), { quiet });
    for (; now <= 1000; now += 50) progress.update('placing', now, 1000);
    progress.clear();
    return written;
  };
  assert.equal(draw(false, false), '');
  assert.equal(draw(true, true), '');
  const bars = draw(true, false).split('\r\x1b[K');
  assert.deepEqual(bars.slice(0, 2), ['', `placing [${'#'.repeat(7)}${'.'.repeat(16)}] 300/1000`]);
  assert.equal(bars.length, 10);
  assert.equal(bars.at(-1), '', 'and goes away');
});
