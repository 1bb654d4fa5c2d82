import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCli } from '../support/run_cli.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('a checkout that is not built prints what to do, without a stack', () => {
  mkdirSync(join(root, 'build'), { recursive: true });
  // Below the root, so that the package's dependencies and import map are found.
  const folder = mkdtempSync(join(root, 'build', 'not-built-'));
  try {
    for (const name of ['js/src', 'js/apiserver'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    const args = [join(folder, 'js/src/cli/stowage.js'), 'version'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(stderr, 'error: not built yet: run npm start\n');
    assert.equal(status, 3);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a command that is misspelt is guessed, and a wrong line points to its own page', async () => {
  const cases = /** @type {const} */ ([
    [['chek'], 'unknown command "chek"; did you mean check?', 'stowage --help'],
    [['help', 'snap'], 'unknown command "snap"; did you mean snapshot?', 'stowage --help'],
    [['hlep'], 'unknown command "hlep"; did you mean help?', 'stowage --help'],
    [['check', '--colour'], 'unknown flag --colour; did you mean --color?', 'stowage help check'],
    [['simulate', '-o', 'x', '-'], '', 'stowage help simulate'],
  ]);
  for (const [argv, message, page] of cases) {
    const { code, stdout, stderr } = await runCli([...argv]);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    const [first, second] = stderr.split('\n');
    if (message) assert.equal(first, `error: ${message}`);
    assert.equal(second, `See "${page}".`);
  }
  const { stderr } = await runCli(['zzzzzz']);
  assert.match(stderr, /unknown command "zzzzzz"; there are simulate, .*, version and help\n/);
});

test('help is found, however it is asked for', async () => {
  const { stdout: overview } = await runCli(['--help']);
  assert.match(overview, /^ {2}stowage help COMMAND /m);
  for (const argv of [['help'], ['-h'], [], ['help', 'help'], ['help', '--help'], ['help', '-h']]) {
    const { code, stdout, stderr } = await runCli(argv);
    assert.deepEqual([code, stdout, stderr], [0, overview, ''], argv.join(' '));
  }
});
