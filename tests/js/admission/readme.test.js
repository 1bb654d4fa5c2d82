// Goal: the example of README.md works. Method: the test runs it as a process.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';

const source = (/** @type {string} */ path) => import.meta.resolve(`../../../js/src/${path}`);

test('the example of the README runs', async () => {
  const readme = await readFile(new URL(source('admission/README.md')), 'utf8');
  const [, example] = /^```js\n([^]*?)^```/m.exec(readme) ?? [];
  const code = String(example)
    .replace("'stowage'", `'${source('index.js')}'`)
    .replace("'stowage/admission'", `'${source('admission.js')}'`);
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code]);
  assert.equal(
    stdout,
    'true pod "web-0" would be unschedulable even in an empty cluster: 0/1 nodes are available: ' +
      '1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: ' +
      '1 Preemption is not helpful for scheduling.\n',
  );
});
