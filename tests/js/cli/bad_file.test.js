// Goal: one bad file does not end the rest, and is not overlooked: the other verdicts are there,
// the problem stands in every output format with its line, and the exit code is 2.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { makeFolder } from '../support/folder.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';
import { junitErrors, sarifErrors } from '../support/standard_schemas.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { folder, file } = await makeFolder();
const cluster = await file('cluster.json', makeList(makeNode('a', { cpu: '3' })));

const FAULTS = /** @type {const} */ ([
  ['not YAML', 'kind: Pod\nmetadata: [\n', 'MalformedYaml', 3],
  ['not JSON', '{"kind" "Pod"}', 'MalformedJson', 1],
  ['not UTF-8', new Uint8Array([0x6b, 0xff, 0xfe]), 'InvalidUtf8', undefined],
  ['no object', '- 5\n', 'FieldValueTypeInvalid', 1],
  ['no kind', 'metadata: {name: p}\n', 'FieldValueRequired', 1],
  [
    'an unknown class',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n  priorityClassName: none\n' +
      '  containers: [{name: c, image: a}]\n',
    'FieldValueInvalid',
    5,
  ],
  [
    'what the engine does not take',
    JSON.stringify(makePod('bad', { cpu: '1x' })),
    'FieldValueInvalid',
    1,
  ],
]);

/**
 * A directory with a file that is bad, and one that is not.
 * @param {string} name
 * @param {string | Uint8Array} content
 */
async function directoryWith(name, content) {
  const bad = await file(`${name}/a-bad.yaml`, content);
  await file(`${name}/b-good.json`, JSON.stringify(makePod('good')));
  return { bad, directory: `${folder}/${name}` };
}

test('check goes on, and reports a bad file in every format', async () => {
  for (const [name, content, code, line] of FAULTS) {
    const { bad, directory } = await directoryWith(name, content);
    /** @param {string} format */
    const run = async (format) => {
      const argv = ['check', directory, '--cluster', cluster, '--validate=ignore', '-o', format];
      const result = await runCli(argv);
      assert.equal(result.code, 2, `${name} ${format}: ${result.stderr}`);
      assert.ok(result.stderr.includes(`error: ${bad}: `), `${name}: ${result.stderr}`);
      assert.equal(result.stderr.match(/error: /g)?.length, 1, 'once');
      return result.stdout;
    };
    assert.match(await run('table'), /pod\/good +1 +1 +Fits /, name);

    const document = JSON.parse(await run('json'));
    assert.deepEqual(validate(schema, document), []);
    assert.equal(document.fits, false, 'what was not read was not checked');
    const good = document.workloads.find((workload) => workload.name === 'good');
    assert.equal(good.result, 'Fits');
    assert.deepEqual(
      document.problems.map((problem) => [problem.code, problem.place.line]),
      [[code, line]],
      name,
    );
    assert.ok(document.problems[0].place.file.endsWith('a-bad.yaml'));

    const junit = await run('junit');
    assert.deepEqual(await junitErrors(junit), []);
    assert.match(junit, /<testsuites [^>]*errors="1"/);
    assert.match(junit, new RegExp(`<error type="${code}" message="`));

    const sarif = JSON.parse(await run('sarif'));
    assert.deepEqual(await sarifErrors(sarif), []);
    const [result] = sarif.runs[0].results.filter(({ ruleId }) => ruleId === 'stowage/bad-input');
    assert.equal(result.level, 'error');
    assert.equal(result.locations[0].physicalLocation.region?.startLine, line);
    assert.deepEqual(sarif.runs[0].invocations, [{ executionSuccessful: false }]);

    const where = line === undefined ? '' : `,line=${line},col=\\d+`;
    const annotation = new RegExp(
      `^::error file=[^,]*a-bad.yaml${where},title=invalid input::`,
      'm',
    );
    assert.match(await run('github'), annotation, name);
  }
});

test('a workload whose pods the engine does not take was not checked', async () => {
  const spec = makePod('x', { cpu: '1x' }).spec;
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 's' },
    spec: { replicas: 3, selector: { matchLabels: { a: 'b' } }, template: { spec } },
  };
  set.spec.template.metadata = { labels: { a: 'b' } };
  const stdin = `${JSON.stringify(set)}\n${JSON.stringify(makePod('good'))}`;
  const { code, stdout, stderr } = await runCli(
    ['check', '-', '--cluster', cluster, '--validate', 'ignore'],
    { stdin },
  );
  assert.equal(code, 2);
  assert.match(stdout, /replicaset\/s +3 +0 +NotChecked .*cannot be read: .*requests\[cpu\]/);
  assert.match(stdout, /pod\/good +1 +1 +Fits/);
  assert.equal(stderr.match(/error: /g)?.length, 1, 'the pods of one template share a mistake');
});

test('simulate goes on, and reports a bad file in every format', async () => {
  for (const [name, content, code, line] of FAULTS) {
    const { bad, directory } = await directoryWith(`simulate ${name}`, content);
    for (const format of ['table', 'wide', 'json', 'yaml', 'name']) {
      const result = await runCli(['simulate', cluster, directory, '-o', format]);
      assert.equal(result.code, 2, `${name} ${format}: ${result.stderr}`);
      assert.ok(result.stderr.includes(`error: ${bad}: `), `${name}: ${result.stderr}`);
      assert.match(result.stdout, /good/);
      assert.doesNotMatch(result.stdout, /Undecided/);
      if (format !== 'json') continue;
      const document = JSON.parse(result.stdout);
      assert.deepEqual(validate(schema, document), []);
      assert.deepEqual(
        document.problems.map((problem) => [problem.code, problem.place.line]),
        [[code, line]],
        name,
      );
    }
  }
});

test('all bad files are named, and whatever ends the command first', async () => {
  const { bad, directory } = await directoryWith('both', 'kind: [');
  const missing = `${folder}/missing.yaml`;
  const all = await runCli(['simulate', missing, cluster, directory, '-q']);
  assert.deepEqual(
    [all.code, all.stderr.split('\n').map((line) => line.split(': ')[1])],
    [2, [missing, bad, undefined]],
  );
  const unknown = await runCli(['simulate', directory, cluster, '--explain', 'nowhere']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /^error: .*a-bad\.yaml: .*\nerror: --explain: there is no pod/);
  const nodes = await runCli(['check', directory, '--cluster', bad]);
  assert.equal(nodes.code, 2);
  assert.match(nodes.stderr, /a-bad\.yaml: document 1.*\nerror: .*: there are no nodes/s);
});

test('errors in a part of the cluster are reported, and the result is not “all fit”', async () => {
  const objects = makeList(makeNode('a'), storedPod('p', { cpu: 'x', spec: { nodeName: 'a' } }));
  const path = await file('half.json', objects);
  const stdin = JSON.stringify(makePod('good'));
  const { code, stdout } = await runCli(['check', '-', '--cluster', path, '-o', 'json'], { stdin });
  const { fits, problems, workloads } = JSON.parse(stdout);
  assert.deepEqual([code, fits, problems.length, workloads[0].result], [2, false, 1, 'Fits']);
});
