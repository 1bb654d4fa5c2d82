// Goal: examples/ci-check does what it says. Method: its commands are run as they stand in the
// workflows and in the README, by the real engine.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse as parseYaml } from 'yaml';
import { startNative } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';
import { junitErrors, sarifErrors } from '../../support/standard_schemas.js';

const { engine } = await startNative();
process.chdir(fileURLToPath(new URL('../../../../examples/ci-check', import.meta.url)));
const [[annotate], [annotateAsWell, sarif, junit]] = await Promise.all(
  ['workflow.yaml', 'workflow-with-reports.yaml'].map(async (file) => {
    const { jobs } = parseYaml(await readFile(file, 'utf8'));
    return jobs.check.steps.flatMap((/** @type {{ run?: string }} */ step) => step.run ?? []);
  }),
);

/** @param {string} command as a shell gets it */
function run(command) {
  const [, words] = /^(?:npx )?stowage (.*?)(?: *(?:>|#).*)?$/.exec(command) ?? [];
  return runCli(words.trim().split(/ +/), { loadEngine: async () => engine });
}

test('the workflows annotate the report, and nothing else', async () => {
  assert.equal(annotateAsWell, annotate);
  const { code, stdout } = await run(annotate);
  assert.equal(code, 1);
  assert.equal(
    stdout,
    '::error file=manifests/report.yaml,line=4,col=9,' +
      'title=CronJob shop/report does not fit::0/4 nodes are available: 2 Insufficient cpu, ' +
      "2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, " +
      'preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling. ' +
      'Nearest node eu-a-1: the pod asks for 6 cpu, 2 of 4 are taken, most by shop/db-0 2: ' +
      '4 missing.\n',
  );
});

test('its output is valid', async () => {
  assert.match(
    sarif,
    /> check\.sarif \|\| test \$\? = 1$/,
    'that it does not fit is no fault here',
  );
  const document = JSON.parse((await run(sarif)).stdout);
  assert.deepEqual(await sarifErrors(document), []);
  assert.equal(document.runs[0].results.length, 1);
  const { stdout } = await run(junit);
  assert.deepEqual(await junitErrors(stdout), []);
  assert.match(stdout, /<testsuites name="stowage check" tests="2" failures="1"/);
});

test('the commands of the README', async () => {
  const readme = await readFile('README.md', 'utf8');
  const [, block] = /```sh\n(.*?)```/s.exec(readme) ?? [];
  const codes = [];
  for (const command of block.trim().split('\n')) codes.push((await run(command)).code);
  assert.deepEqual(codes, [1, 1, 0]);
});

test('the snapshot is one: there is nothing in it that is not read', async () => {
  const { stdout } = await run('stowage snapshot snapshot.json');
  assert.deepEqual(JSON.parse(stdout), JSON.parse(await readFile('snapshot.json', 'utf8')));
});
