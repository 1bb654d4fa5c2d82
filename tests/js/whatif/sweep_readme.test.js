import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const readme = await readFile(new URL('../../../js/src/whatif/README.md', import.meta.url), 'utf8');
const SOURCES = {
  stowage: '../../../js/src/index.js',
  'stowage/whatif': '../../../js/src/whatif.js',
};
const examples = [...readme.matchAll(/^```js\n([^]*?)^```/gm)]
  .map(([, code]) => code)
  .filter((code) => /import { (sweep|survives) }/.test(code));

test('the examples of sweep and survives in the README run', async (t) => {
  assert.equal(examples.length, 2);
  const printed = t.mock.method(console, 'log', () => {});
  for (const example of examples) {
    const code = example.replace(/from '(stowage[^']*)'/g, (_, name) => {
      return `from '${import.meta.resolve(SOURCES[name])}'`;
    });
    await import(`data:text/javascript,${encodeURIComponent(code)}`);
  }
  const said = printed.mock.calls.map(({ arguments: words }) => words.join(' '));
  assert.equal(said.length, 1);
  assert.match(said[0], /^zone\/east: 1 waits: 0\/1 nodes are available: 1 Insufficient cpu\. /);
});
