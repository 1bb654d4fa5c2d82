import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { validate } from '../support/json_schema.js';
import { commandPath } from '../support/real_engine.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const example = 'examples/small-cluster/cluster.json';

/**
 * @param {string[]} argv
 * @param {string} [program]
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
function run(argv, program = fileURLToPath(commandPath)) {
  return new Promise((resolve) => {
    const options = { cwd: root, maxBuffer: 1 << 28 };
    execFile(process.execPath, [program, ...argv], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

test('the example cluster: every pending pod gets a decision', async () => {
  const { code, stdout, stderr } = await run(['simulate', example, '-o', 'json']);
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  const { summary, pods, leftAlone } = document;
  assert.equal(summary.boundBefore, 37);
  assert.equal(pods.filter(({ result }) => result === 'Undecided').length, 0);
  assert.equal(summary.placed + summary.pending, 18);
  assert.deepEqual(
    leftAlone.map(({ pod }) => pod),
    ['default/fill-2', 'default/fill-8'],
  );
  assert.equal(code, summary.pending > 0 || document.notImplemented.length > 0 ? 1 : 0);
  assert.match(stderr, new RegExp(`^placed ${summary.placed}, pending ${summary.pending}`, 'm'));
});

test('one pod of the example explained', async () => {
  const argv = ['simulate', example, '--explain', 'fill-24', '--all-plugins', '-q'];
  const { stdout } = await run(argv);
  assert.match(stdout, /^default\/fill-24: /);
  assert.match(stdout, /^node-1 +refused .*node\(s\) were unschedulable/m);
  assert.match(stdout, /^node-2 +refused .*node\(s\) had untolerated taint\(s\)/m);
});

test('version and help', async () => {
  assert.match(
    (await run(['version'])).stdout,
    /^stowage \d+\.\d+\.\d+ \(kube-scheduler v1\.36\)$/m,
  );
  assert.equal((await run(['simulate', '--help'])).code, 0);
});

test('a bad field is named, exit code 2', async () => {
  const { code, stderr } = await run(['simulate', 'tests/js/engine/bad_pod.yaml']);
  assert.equal(code, 2);
  assert.equal(
    stderr,
    'error: tests/js/engine/bad_pod.yaml: document 2, line 14, column 16: ' +
      'Pod default/p: spec.containers[0].resources.requests[cpu]: ' +
      stderr.slice(stderr.indexOf('[cpu]: ') + 7),
  );
});

test('the openb example places pods and names reasons', async () => {
  const { code, stdout } = await run(
    [],
    fileURLToPath(new URL('../../../examples/openb/openb.js', import.meta.url)),
  );
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^openb, default: 8,152 pods, 1,523 nodes, default sampling\nplaced +[\d,]+ on [\d,]+ nodes\n/,
  );
  assert.match(stdout, /decided [\d,]+ ms, [\d,]+ decisions\/s\n$/);
});
