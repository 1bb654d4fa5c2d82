// Goal: no name, message or key reaches a terminal or CI as what these obey, in any command and any
// format. Method: hostile names run through all commands; of what is printed no line may be a
// command, and no character but letters, line feeds and our own colours may be there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse as parseYaml } from 'yaml';
import { klogLine, jsonLine } from '../../../js/src/live/klog.js';
import { toGithub } from '../../../js/src/check/github.js';
import { toJUnit } from '../../../js/src/check/junit.js';
import { reportOf, verdictOf } from '../../../js/src/check/report.js';
import { DecisionLines } from '../../../js/src/cli/up/decision_lines.js';
import { jsonText, yamlText } from '../../../js/src/cli/terminal/documents.js';
import { Progress } from '../../../js/src/cli/terminal/terminal.js';
import { isUnsafe, printable, printableLines } from '../../../js/src/engine/printable.js';
import { makeFolder } from '../support/folder.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';
import { junitErrors } from '../support/standard_schemas.js';

const { file } = await makeFolder();

const HOSTILE = [
  '::warning::owned',
  ' ::error file=x::owned',
  'a\n::warning::owned',
  'a\r\n##[error]owned',
  '##vso[task.setvariable variable=x]owned',
  '\u001b[2J\u001b]0;owned\u0007',
  'nul\u0000bell\u0007back\u0008',
  'c1\u009b31m\u0085next',
  'bidi\u202edesrever\u2066\u200f',
  'line\u2028separator\u2029',
  'del\u007f',
];

/** Controls but the line feed, separators, and what changes the direction of text. */
const CONTROLS = new RegExp(
  '[\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028\\u2029' +
    '\\u202a-\\u202e\\u2066-\\u2069]',
);

/** @param {string} text @param {string} what @param {RegExp} [own] commands that are ours */
function assertSafe(text, what, own = /^$/) {
  assert.doesNotMatch(text, CONTROLS, what);
  for (const line of text.split('\n')) {
    assert.ok(!line.trimStart().startsWith('::') || own.test(line), `${what}: ${line}`);
    assert.doesNotMatch(line, /##[a-z]*\[/i, what);
  }
}

test('a text is escaped, and one without anything unsafe is not', () => {
  for (const name of HOSTILE) {
    assertSafe(printable(name), name);
    assert.ok(isUnsafe(name));
    assert.ok(!printable(name).includes('\n'));
  }
  for (const name of ['web-0', 'a::b', 'größe 🚢 日本', '100% #[x]', 'shop/web (2 of 3)', '']) {
    assert.equal(printable(name), name);
    assert.ok(!isUnsafe(name));
  }
  assert.equal(printable('\u001b[1m\r\n'), '^[[1m\\r\\n', 'ESC and CR as kubectl does it');
  assert.equal(printableLines('a\n::b\u001b'), 'a\n\\::b^[');
});

test('JSON and YAML mean the same, and are safe', () => {
  const shared = { a: 1 };
  const value = {
    ...Object.fromEntries(HOSTILE.map((name) => [name, name])),
    list: [...HOSTILE, 'a\nb', `${'long '.repeat(40)}\n::warning::x`],
    some: [shared, shared],
  };
  for (const text of [jsonText(value), jsonText(value, { indent: 0 })]) {
    assertSafe(text, 'JSON');
    assert.deepEqual(JSON.parse(text), value);
  }
  assertSafe(yamlText(value), 'YAML');
  assert.deepEqual(parseYaml(yamlText(value)), value);
});

test('hostile names through all commands and formats', async () => {
  for (const [index, name] of HOSTILE.entries()) {
    const labels = { [name]: name };
    const objects = makeList(
      makeNode(`n${name}`, { labels, cpu: '3' }),
      storedPod(`b${name}`, { spec: { nodeName: `n${name}` } }),
      storedPod(name, { metadata: { namespace: name, labels } }),
      storedPod(`x${name}`, { cpu: '9', metadata: { namespace: name } }),
      storedPod('theirs', { spec: { schedulerName: name } }),
      { apiVersion: name, kind: name, metadata: { name } },
    );
    const cluster = await file(`${index}.json`, objects);
    const manifests = await file(
      `${index}-pods.json`,
      makeList(
        makePod(name, { metadata: { namespace: name, labels } }),
        makePod(`big${name}`, { cpu: '9' }),
      ),
    );
    const bad = await file(`${index}-bad.json`, makePod(name, { cpu: name }));
    const model = await file(`${index}-model.json`, makePod(`m${name}`, { metadata: { labels } }));
    const formats = (command, argv, words) => words.map((word) => [command, ...argv, '-o', word]);
    const lines = [
      ...formats('simulate', [cluster, '-v'], ['table', 'wide', 'json', 'yaml', 'name']),
      ['simulate', cluster, '--explain', `x${name}`, '-n', name],
      ['simulate', cluster, bad],
      ...formats('check', [manifests, '--cluster', cluster], ['table', 'json', 'junit', 'sarif']),
      ...formats(
        'check',
        [manifests, bad, '--cluster', cluster],
        ['table', 'json', 'junit', 'sarif'],
      ),
      ...formats('explain', [`${name}/x${name}`, cluster], ['table', 'json', 'yaml']),
      ['explain', `${name}/x${name}`, cluster, '--node', `n${name}`],
      ['explain', `no${name}`, cluster],
      ...formats('capacity', ['-f', model, '--cluster', cluster], ['table', 'json', 'yaml']),
      ...formats(
        'diff',
        [cluster, '--config', await file('c.json', CONFIGURATION)],
        ['table', 'json', 'yaml'],
      ),
      ...formats('snapshot', [cluster], ['json', 'yaml']),
      ['simulate', cluster, '--nope', name],
      [name],
      ['simulate', `${name}.json`],
      ['simulate', cluster, '-o', name],
      ['simulate', cluster, '-l', name],
      ['replay', cluster],
      ['check', manifests, '--cluster', name],
    ];
    for (const argv of lines) {
      const { stdout, stderr } = await runCli(argv);
      const what = `${JSON.stringify(name)}: ${argv.join(' ')}`;
      assert.notEqual(stdout + stderr, '', what);
      assertSafe(stdout, what);
      assertSafe(stderr, what);
    }
    const github = await runCli(['check', manifests, bad, '--cluster', cluster, '-o', 'github']);
    assertSafe(github.stdout, name, /^::(error|notice) (file|title)=/);
    assert.equal(github.stdout.split('\n').length - 1, github.stdout.match(/^::/gm)?.length);
  }
});

const CONFIGURATION = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [{ schedulerName: 'default-scheduler' }],
};

test('hostile names in parts of reports and in the output of live schedulers', async () => {
  const [verdicts, problems] = [[], []];
  for (const name of HOSTILE) {
    const identity = {
      kind: 'Pod',
      namespace: name,
      name,
      place: { file: name, line: 1, column: 1 },
    };
    const pod = { pod: `${name}/${name}`, result: 'Unschedulable', message: name };
    verdicts.push(verdictOf(identity, [pod]));
    problems.push({ code: 'MalformedYaml', message: name, place: { file: name } });

    const entry = { severity: 'error', verbosity: 0, message: name, error: name, values: {} };
    const values = { pod: `${name}/${name}`, list: [name], none: null };
    assertSafe(klogLine({ ...entry, values }, { now: 0, pid: 1 }), name);
    const json = jsonLine({ ...entry, values }, { now: 0 });
    assertSafe(json, name);
    assert.deepEqual(JSON.parse(json).list, [name]);

    const decision = { kind: 'Decision', pod: `${name}/${name}`, result: 'unschedulable' };
    const row = new DecisionLines().of({ ...decision, node: null, message: name });
    assertSafe(row ?? '', name);
    assert.equal(row?.split('\n').length, 2);
  }
  const report = reportOf(verdicts, { kubernetesVersion: 'v1.36' }, { problems });
  const junit = toJUnit(report, { elapsedMs: 1 });
  assertSafe(junit, 'JUnit');
  assert.deepEqual(await junitErrors(junit), []);
  assertSafe(toGithub(report), 'GitHub', /^::error file=/);
});

test('the bar of progress names files', () => {
  const written = [];
  const stream = { isTTY: true, columns: 80, write: (text) => written.push(text) };
  for (const name of HOSTILE) new Progress(stream, { quiet: false }).announce(name);
  for (const text of written) assertSafe(text.replace('\r\u001b[K', ''), text);
  assert.equal(written.length, HOSTILE.length);
});
