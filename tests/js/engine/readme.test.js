import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const readme = await readFile(new URL('../../../js/README.md', import.meta.url), 'utf8');
const index = import.meta.resolve('stowage');

test('the example of the README runs', async (t) => {
  const [example, ...others] = [...readme.matchAll(/^```js\n([^]*?)^```/gm)].map(
    ([, code]) => code,
  );
  assert.deepEqual(others, []);
  const printed = t.mock.method(console, 'log', () => {});
  const code = example.replace("from 'stowage'", `from '${index}'`);
  await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const [{ arguments: said }] = printed.mock.calls;
  assert.match(said[0], /^0\/1 nodes are available: 1 Insufficient cpu\. /);
});
