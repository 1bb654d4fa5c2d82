// Goal: what other programs read is what they expect, whatever names and messages hold. Method: the
// schemas of the standards, and the rules of GitHub's workflow commands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGithub } from '../../../js/src/check/github.js';
import { toJUnit } from '../../../js/src/check/junit.js';
import { reportOf, verdictOf } from '../../../js/src/check/report.js';
import { toSarif } from '../../../js/src/check/sarif.js';
import { junitErrors, sarifErrors } from '../support/standard_schemas.js';

const place = { file: 'deploy/a, b:c%.yaml', line: 3, column: 7 };
const identity = { kind: 'Deployment', namespace: 'shop', name: 'web', place };
const nasty = 'line 1\nline 2\r100% <b> & "quoted" \u0000\u001b[1m ]]> \ud800 🚢';
const scheduled = { pod: 'shop/a', result: 'Scheduled', message: '' };
const report = reportOf(
  [
    verdictOf(identity, [scheduled]),
    verdictOf(identity, [scheduled, { pod: 'shop/b', result: 'Unschedulable', message: nasty }]),
    verdictOf({ ...identity, place: {} }, [{ ...scheduled, evicted: ['low/p'] }]),
    verdictOf({ ...identity, place: { file: '/srv/x.yaml' } }, [], { notChecked: nasty }),
  ],
  { kubernetesVersion: 'v1.36' },
);

test('JUnit: valid, and nothing that XML cannot hold', async () => {
  const xml = toJUnit(report, { elapsedMs: 1234.5 });
  assert.deepEqual(await junitErrors(xml), []);
  assert.match(
    xml,
    /<testsuites name="stowage check" tests="4" failures="1" errors="0" time="1.23/,
  );
  assert.match(
    xml,
    /<failure type="DoesNotFit" message="1 of 2 replicas fit: line 1&#10;line 2&#13;/,
  );
  assert.match(xml, />deploy\/a, b:c%\.yaml:3:7: 1 of 2/);
  assert.match(xml, /&quot;quoted&quot; \ufffd\ufffd\[1m \]\]&gt; \ufffd 🚢/);
  assert.match(xml, /<skipped>\/srv\/x\.yaml: line 1/);
  assert.equal(xml.match(/<testsuite /g)?.length, 3);
  const empty = toJUnit(reportOf([], { kubernetesVersion: 'v1.36' }), { elapsedMs: 0 });
  assert.deepEqual(await junitErrors(empty), []);
});

test('the schema of JUnit is asked', async () => {
  assert.notDeepEqual(await junitErrors('<testsuites><testcase name="x"/></testsuites>'), []);
  assert.notDeepEqual(await junitErrors('<testsuites>'), []);
});

test('SARIF 2.1.0: valid, a result for each that does not simply fit', async () => {
  const sarif = toSarif(report, { version: '1.2.3' });
  assert.deepEqual(await sarifErrors(JSON.parse(JSON.stringify(sarif))), []);
  const [{ results, tool }] = sarif.runs;
  assert.deepEqual(
    results.map(({ ruleId, level }) => [ruleId, level]),
    [
      ['stowage/does-not-fit', 'error'],
      ['stowage/fits-by-preemption', 'warning'],
      ['stowage/not-checked', 'note'],
    ],
  );
  for (const { ruleId, ruleIndex } of results)
    assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
  assert.deepEqual(results[0].locations[0].physicalLocation, {
    artifactLocation: { uri: 'deploy/a%2C%20b%3Ac%25.yaml' },
    region: { startLine: 3, startColumn: 7 },
  });
  assert.equal(results[1].locations[0].physicalLocation, undefined);
  assert.deepEqual(results[2].locations[0].physicalLocation, {
    artifactLocation: { uri: 'file:///srv/x.yaml' },
  });
  assert.match(results[0].message.text, /^Deployment shop\/web: 1 of 2 replicas fit: line 1\n/);
});

test('the schema of SARIF is asked', async () => {
  const sarif = JSON.parse(JSON.stringify(toSarif(report, { version: '1.2.3' })));
  sarif.runs[0].results[0].level = 'terrible';
  delete sarif.runs[0].results[1].message;
  assert.equal((await sarifErrors(sarif)).length, 2);
});

test('GitHub: a command for each, on one line, with nothing left unescaped', () => {
  const lines = toGithub(report).split('\n');
  assert.equal(lines.pop(), '');
  assert.equal(lines.length, 3);
  const title = 'Deployment shop/web does not fit';
  const [head, message] = lines[0].split(`,title=${title}::`);
  assert.equal(head, '::error file=deploy/a%2C b%3Ac%25.yaml,line=3,col=7');
  assert.match(message, /^1 of 2 replicas fit: line 1%0Aline 2%0D100%25 </);
  assert.equal(lines[1], '::warning title=Deployment shop/web fits if other pods go::evicts low/p');
  assert.match(
    lines[2],
    /^::notice file=\/srv\/x\.yaml,title=Deployment shop\/web was not checked::/,
  );
});
