/**
 * Goal: each expression that real drivers' manifests use has the right verdict on each real device.
 * Method: the engine and an independent evaluator agree on it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TARGETS } from '../js/support/real_engine.js';
import { Inventory } from './allocation_rules.js';
import { accepts, deviceNames, EvaluationError } from './selector_evaluator.js';
import { SelectorJudge } from './selector_judge.js';
import { parseSelector, SelectorSyntaxError } from './selector_parser.js';
import * as shared from './shared_data.js';

const hasData = !shared.NEEDS_SHARED_DATA.skip;
const expressions = hasData ? shared.expressionLines().map(shared.expressionIn) : [];
const slices = hasData ? shared.manifestPaths().flatMap((path) => shared.readManifest(path)) : [];
const devices = [...new Inventory(slices).devices.values()];

/** @param {string} expression */
function isExpression(expression) {
  try {
    parseSelector(expression);
    return true;
  } catch (error) {
    assert.ok(error instanceof SelectorSyntaxError, String(error));
    return false;
  }
}

/** @param {string} expression @param {number} index @returns {boolean | string} */
function independentVerdict(expression, index) {
  const { driver, device } = devices[index];
  try {
    return accepts(expression, deviceNames(driver, device));
  } catch (error) {
    assert.ok(error instanceof EvaluationError, String(error));
    return error.message;
  }
}

/**
 * Texts of errors are compared where the evaluator has cel-go's.
 *
 * @param {boolean | string} verdict
 */
function comparable(verdict) {
  if (typeof verdict === 'boolean' || verdict.startsWith('no such key: ')) return verdict;
  return 'another error';
}

test('the folder has the expressions and devices', shared.NEEDS_SHARED_DATA, () => {
  assert.ok(expressions.length >= 149, `${expressions.length} expressions`);
  assert.ok(devices.length >= 43, `${devices.length} devices`);
  const incomplete = expressions.filter((expression) => !isExpression(expression));
  // Documentation has a name in angle brackets for an attribute.
  assert.deepEqual(
    new Set(incomplete.map((text) => text.replace(/^.*\./, ''))),
    new Set(['<name>']),
  );
});

for (const [target, start] of Object.entries(TARGETS)) {
  test(`${target}: real expressions on real devices`, shared.NEEDS_SHARED_DATA, async (t) => {
    const { engine } = await start();
    const judge = new SelectorJudge(engine, devices);
    t.after(() => judge.dispose());
    const seen = new Set();
    for (const expression of new Set(expressions)) {
      const verdictOf = judge.verdictsOf(expression);
      if (!isExpression(expression)) {
        assert.match(String(verdictOf(0)), /compilation failed/, expression);
        continue;
      }
      devices.forEach(({ id }, index) => {
        const verdict = comparable(independentVerdict(expression, index));
        assert.equal(comparable(verdictOf(index)), verdict, `${expression} on ${id}`);
        seen.add(verdict);
      });
    }
    for (const verdict of [true, false, 'another error']) assert.ok(seen.has(verdict));
  });
}
