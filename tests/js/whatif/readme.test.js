// Goal: the examples of README.md work. Method: the test runs each as a process.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';

const source = (/** @type {string} */ path) => import.meta.resolve(`../../../js/src/${path}`);
const readme = await readFile(new URL(source('whatif/README.md')), 'utf8');

test('the example of the README runs', async () => {
  const [, example] = /^```js\n([^]*?)^```/m.exec(readme) ?? [];
  const code = String(example)
    .replace("'stowage'", `'${source('index.js')}'`)
    .replace("'stowage/whatif'", `'${source('whatif.js')}'`);
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code]);
  assert.equal(stdout, '1 default/web-x a b\ntrue default/web-y a\n');
});

test('the README names every type of change', async () => {
  const schema = JSON.parse(await readFile(new URL(source('../schema/whatif-v1.json')), 'utf8'));
  const types = schema.$defs.change.oneOf.flatMap(({ properties }) => properties.type.enum);
  assert.ok(types.length > 9);
  for (const type of types) assert.match(readme, new RegExp(`^\\|.*\`${type}\``, 'm'), type);
});
