import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const readme = await readFile(new URL('../../../js/README.md', import.meta.url), 'utf8');
const index = import.meta.resolve('stowage');
const examples = [...readme.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code]) => code);

test('the examples of the README run', async (t) => {
  assert.equal(examples.length, 6);
  const printed = t.mock.method(console, 'log', () => {});
  for (const example of examples) {
    const code = example.replace("from 'stowage'", `from '${index}'`);
    await import(`data:text/javascript,${encodeURIComponent(code)}`);
  }
  const said = printed.mock.calls.map(({ arguments: words }) => words.join(' '));
  assert.equal(said.length, 7);
  assert.match(said[0], /^0\/1 nodes are available: 1 Insufficient cpu\. /);
  assert.match(said[1], /^2026-03-01T12:00:00.000000Z bindFailed$/);
  assert.match(said[2], /^2026-03-01T12:00:0[12].000000Z bound$/);
  assert.match(said[3], /^b /);
  assert.equal(said[4], 'true');
  assert.match(said[5], /^0\/1 nodes are available: 1 node\(s\) were of another tier\. /);
  assert.equal(said[6], 'b');
});
