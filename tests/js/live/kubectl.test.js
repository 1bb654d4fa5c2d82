// Goal: a stock kubectl works with `stowage up` as it does with a cluster. Method: it is given
// scripts of commands, and all that it prints is compared with what it prints of a real cluster.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { kubectlProgram } from '../../../wasm/toolchain/kubectl.js';
import { makeFolder } from '../support/folder.js';
import { isPrinted, withoutWidths } from '../support/printed_text.js';
import { KubectlCluster } from './kubectl_cluster.js';
import { parseScript } from './kubectl_script.js';

/**
 * @import { Outcome } from './kubectl_cluster.js'
 * @import { Step } from './kubectl_script.js'
 */

/** Each goes on from what those before have left. */
const NAMES = [
  ...['setting_up', 'reading', 'writing', 'rolling_out', 'refusals', 'scheduling', 'devices'],
  'pod_groups',
  'ending',
];

const SCRIPTS = NAMES.map((name) =>
  parseScript(readFileSync(new URL(`kubectl/${name}.txt`, import.meta.url), 'utf8')),
);

/** How long anything may take that is waited for: milliseconds. */
const PATIENCE = 30_000;

const { folder } = await makeFolder();
const cluster = new KubectlCluster();
let passed = 0;

before(() => cluster.start({ folder, program: kubectlProgram() }));
after(() => cluster.stop());

for (const [index, { title, steps }] of SCRIPTS.entries()) {
  test(title, async () => {
    assert.ok(passed === index, 'not begun: the one before has failed');
    for (const step of steps) {
      const outcome = await performed(step);
      if (!isExpected(step, outcome)) assert.fail(difference(step, outcome));
    }
    passed += 1;
  });
}

test('the command ends with exit code 0 and no errors', async () => {
  const { code, stderr } = await cluster.stop();
  assert.deepEqual([code, stderr], [0, '']);
});

/** @param {Step} step @returns {Promise<Outcome>} */
async function performed(step) {
  if (step.isCutOff) return cutOff(step);
  const end = performance.now() + PATIENCE;
  for (;;) {
    const outcome = await cluster.run(step.command);
    if (!step.isAwaited || isExpected(step, outcome) || performance.now() > end) return outcome;
  }
}

/**
 * What a command prints that does not end by itself, until that is what it should print.
 * @param {Step} step
 * @returns {Promise<Outcome>}
 */
async function cutOff(step) {
  const { watches } = cluster;
  const { outcome, ended, kill } = cluster.spawn(step.command);
  if (step.meanwhile !== '') {
    await eventually(() => cluster.watches > watches);
    const { code, err } = await cluster.run(step.meanwhile);
    assert.equal(code, 0, `${step.meanwhile}: ${err}`);
  }
  await eventually(() => isExpected(step, outcome));
  kill();
  return ended;
}

/** Until it holds, or patience ends. @param {() => boolean} condition */
async function eventually(condition) {
  const end = performance.now() + PATIENCE;
  while (!condition() && performance.now() < end) {
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
}

/** What client-go logs now and then when `kubectl wait` ends its watch while an event arrives. */
const OWN_END = /^I\d{4} .* reflector\.go:\d+\] .*watch ended with error.*context canceled.*\n?/gm;

/** @param {Step} step @param {Outcome} outcome */
function isExpected({ prints, says, code }, { out, err, code: exitCode }) {
  const said = err.replace(OWN_END, '');
  return exitCode === code && isPrinted(out, prints.join('\n')) && isPrinted(said, says.join('\n'));
}

/** @param {Step} step @param {Outcome} outcome */
function difference({ command, prints, says, code }, outcome) {
  const texts = [
    ['expected', prints.join('\n')],
    ['printed', outcome.out],
    ['expected on stderr', says.join('\n')],
    ['said', outcome.err],
  ].map(([title, text]) => `--- ${title}\n${withoutWidths(text)}`);
  const codes = outcome.code === code ? [] : [`--- exit code ${outcome.code}, not ${code}`];
  return [`$ ${command}`, ...texts, ...codes].join('\n');
}
