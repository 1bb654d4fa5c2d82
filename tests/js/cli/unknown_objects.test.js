// Goal: no command passes over an object without a kind: it is an error with its place, also where
// the command picks objects by their kind. Objects of other projects are none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../support/folder.js';
import { makeNode, makePod } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';

const { file } = await makeFolder();
const cluster = await file('cluster.json', JSON.stringify(makeNode('a')));

/** @type {Record<string, (path: string) => string[]>} */
const COMMANDS = {
  snapshot: (path) => [path],
  simulate: (path) => [path, cluster],
  check: (path) => ['-f', path, '--cluster', cluster],
  repack: (path) => [path, cluster],
  drain: (path) => ['a', '--cluster', path],
  up: (path) => ['-f', path, '--port', '0', '--for', '1'],
  plan: (path) => ['--pool', path, '--cluster', cluster],
  fix: (path) => ['web', '--cluster', cluster, '--pool', path],
};

for (const [name, argvOf] of Object.entries(COMMANDS))
  test(`${name} names an object without a kind`, async () => {
    for (const odd of [{ metadata: { name: 'x' } }, { kind: 5 }, { type: 'ADDED', object: {} }]) {
      const text = [makeNode('a'), odd].map((one) => JSON.stringify(one)).join('\n');
      const path = await file(`${name}.json`, text);
      const { code, stderr } = await runCli([name, ...argvOf(path)]);
      assert.equal(code, 2, stderr);
      assert.match(
        stderr,
        /json: document 2, line 2, column \d+: .*kind: (Required|Invalid) value/,
      );
    }
  });

test('objects of other projects are no faults', async () => {
  const thing = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'x' } };
  const pod = makePod('web', { cpu: '64' });
  const objects = [makeNode('a'), thing].map((one) => JSON.stringify(one)).join('\n');
  const path = await file('thing.json', objects);
  const waiting = await file(
    'waiting.json',
    [makeNode('a'), pod].map((one) => JSON.stringify(one)).join('\n'),
  );
  for (const argv of [
    ['snapshot', path],
    ['plan', '--pool', path, '--cluster', cluster],
    ['fix', 'web', '--cluster', waiting, '--pool', path],
  ]) {
    const { code, stderr } = await runCli(argv);
    assert.ok(code < 2, `${argv[0]}: ${stderr}`);
    assert.doesNotMatch(stderr, /error/);
    const isPool = argv.includes('--pool');
    assert.equal(/left aside: 1 Thing \(example\.org\/v1\)/.test(stderr), isPool, stderr);
  }
});
