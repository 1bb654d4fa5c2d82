// Goal: what README.md and CONTRIBUTING.md show works. Method: the JavaScript is run as written,
// and each command is run here, except the two that this test is part of, which .ci/run runs.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const contributing = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8');

/** @param {string} language */
function blocks(language, text = readme) {
  return [...text.matchAll(new RegExp('```' + language + '\\n(.*?)```', 'gs'))].map((m) => m[1]);
}

const RUN_BY_CI = ['npm start', 'npm test'];
const commands = [readme, contributing]
  .flatMap((text) => blocks('sh', text))
  .flatMap((block) => block.trim().split('\n'));

/** Runs a program, and returns what it prints. @param {string} example */
function outputOf(example) {
  const folder = mkdtempSync(join(root, 'build', 'readme-'));
  try {
    const file = join(folder, 'example.js');
    writeFileSync(file, example);
    return execFileSync(process.execPath, [file], { cwd: root, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the example runs as it stands', () => {
  const [example] = blocks('js');
  assert.ok(example.trim().split('\n').length <= 18, 'about fifteen lines');
  const output = outputOf(example);
  assert.match(output, /^default\/web large$/m);
  assert.match(output, /^default\/huge 0\/2 nodes are available: 2 Insufficient cpu\. /m);
});

test('the example of an older release runs as it stands', () => {
  const example = blocks('js').find((block) => block.includes('kubernetesVersion')) ?? '';
  assert.equal(outputOf(example), 'v1.34\n');
});

test('the two commands are what CI runs', () => {
  const ci = readFileSync(join(root, '.ci/run'), 'utf8').split('\n');
  for (const command of RUN_BY_CI) {
    assert.ok(commands.includes(command));
    assert.ok(ci.includes(command), `${command} is not in .ci/run`);
  }
});

for (const command of commands.filter((line) => !RUN_BY_CI.includes(line))) {
  test(command, () => {
    // Here the package is not installed, but these are its sources.
    const here = command.replace(/^npx stowage\b/, 'node js/src/cli/stowage.js');
    const { status, stderr } = spawnSync(here, { cwd: root, shell: true, encoding: 'utf8' });
    const isSimulation = command.includes(' simulate ');
    assert.ok(status === 0 || (isSimulation && status === 1), `exit ${status}: ${stderr}`);
  });
}
