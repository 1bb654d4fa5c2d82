/**
 * Goal: every form of selector that drivers' manifests use has the right verdict on real devices.
 * Method: tables derived by hand (selector_forms.js), for the engine and for the evaluator that
 * other tests compare it with.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TARGETS } from '../js/support/real_engine.js';
import { Inventory } from './allocation_rules.js';
import { makeCluster } from './cluster.js';
import { accepts, deviceNames, EvaluationError } from './selector_evaluator.js';
import { FORMS, SAMPLES } from './selector_forms.js';
import { SelectorJudge } from './selector_judge.js';
import { parseSelector, SelectorSyntaxError } from './selector_parser.js';

/** @import { Form } from './selector_forms.js' */

const { devices } = new Inventory(makeCluster({ nodesOf: () => 1 }));
const NAMES = Object.keys(SAMPLES);

const samples = Object.values(SAMPLES).map(([machine, name]) => {
  const found = [...devices.values()].find(
    ({ id }) => id.split('/')[1] === `${machine}-0` && id.endsWith(`/${name}`),
  );
  assert.ok(found, `${machine} ${name}`);
  return found;
});

/** @param {Form} form @param {string} name @returns {boolean | string} */
function expected({ accepts: accepted, refuses = [], fails = {}, others }, name) {
  if (accepted.includes(name)) return true;
  if (refuses.includes(name)) return false;
  return fails[name] ?? others;
}

/** @param {Form} form */
function expectedOf(form) {
  return Object.fromEntries(NAMES.map((name) => [name, expected(form, name)]));
}

for (const [target, start] of Object.entries(TARGETS)) {
  test(`${target}: selectors have the verdicts of the tables`, async (t) => {
    const { engine } = await start();
    const judge = new SelectorJudge(engine, samples);
    t.after(() => judge.dispose());
    for (const form of FORMS) {
      const verdictOf = judge.verdictsOf(form.selector);
      const verdicts = Object.fromEntries(NAMES.map((name, index) => [name, verdictOf(index)]));
      assert.deepEqual(verdicts, expectedOf(form), form.selector);
    }
  });
}

test('the independent evaluator has the verdicts of the tables', () => {
  for (const form of FORMS) {
    const verdicts = samples.map(({ driver, device }, index) => {
      try {
        return [NAMES[index], accepts(form.selector, deviceNames(driver, device))];
      } catch (error) {
        assert.ok(error instanceof EvaluationError, String(error));
        return [NAMES[index], error.message];
      }
    });
    assert.deepEqual(Object.fromEntries(verdicts), expectedOf(form), form.selector);
  }
});

test('every sample is accepted by some selector and refused by another', () => {
  const verdicts = FORMS.map(expectedOf);
  for (const name of NAMES) {
    for (const verdict of [true, false])
      assert.ok(
        verdicts.some((each) => each[name] === verdict),
        `${name} ${verdict}`,
      );
  }
});

test('the independent parser refuses what is no expression', () => {
  for (const text of [
    'device.driver ==',
    '(device.driver == "a"',
    'device.driver == "a")',
    'device.attributes["a"',
    'device.attributes["a"].<name>',
    '"a" in',
    'device.driver == "a" extra',
    '',
  ])
    assert.throws(() => parseSelector(text), SelectorSyntaxError, text);
});
