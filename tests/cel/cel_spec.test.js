/**
 * Goal: expressions mean what CEL defines. Method: CEL's conformance tests, as data of
 * @bufbuild/cel-spec, through the native program tests/cel/stowage_cel_spec.cc.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehension } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';

import { expectedValue, normalized, requestOf, testsOf, textOf, typeText } from './cel_spec.js';
import { exclusionOf, EXCLUSIONS, ISSUE_EXCLUSIONS } from './exclusions.js';

const BUILD = new URL('../../build/native/', import.meta.url);
const PROGRAM = fileURLToPath(new URL('tests/cel/stowage_cel_spec', BUILD));
const OUTPUT_BYTES_MAX = 64 << 20;

/** @typedef {import('./cel_spec.js').SpecEntry} SpecEntry */
/** @typedef {import('./cel_spec.js').Answer} Answer */

/** @param {SpecEntry[]} entries @returns {Answer[]} */
function answersTo(entries) {
  const input = entries.map(({ original }) => `${requestOf(original)}\n`).join('');
  const { status, stdout, error } = spawnSync(PROGRAM, { input, maxBuffer: OUTPUT_BYTES_MAX });
  assert.equal(error, undefined, `${PROGRAM}: \`npm test -- addon\` builds it`);
  assert.equal(status, 0);
  const lines = stdout.toString().trimEnd().split('\n');
  assert.equal(lines.length, entries.length);
  return lines.map((line) => JSON.parse(line));
}

/**
 * The tests that apply. Every exclusion has to exclude something.
 *
 * @param {any} suite
 * @param {import('./exclusions.js').Exclusion[]} exclusions
 */
function applicable(suite, exclusions) {
  const used = new Set();
  const chosen = [...testsOf(suite)].filter(({ path, entry }) => {
    const exclusion = exclusionOf(exclusions, path, entry.original);
    if (exclusion) used.add(exclusion);
    return !exclusion;
  });
  return { chosen, unused: exclusions.filter((one) => !used.has(one)) };
}

/** @param {Answer} answer */
const shown = (answer) =>
  JSON.stringify({
    ...answer,
    ...(answer.error === undefined ? {} : { error: textOf(answer.error) }),
    ...(answer.issues === undefined ? {} : { issues: textOf(answer.issues) }),
  });

/**
 * What is wrong with the answer; null if nothing is.
 * @param {SpecEntry} entry @param {Answer} answer
 */
function faultOf({ original, type }, answer) {
  const expected = original.value ?? original.typedResult?.result;
  if (original.evalError) {
    return answer.error === undefined && answer.issues === undefined ? 'no error' : null;
  }
  if (
    expected &&
    !isDeepStrictEqual(normalized(answer.value), normalized(expectedValue(expected)))
  ) {
    return `not ${JSON.stringify(expected)}`;
  }
  if (original.disableCheck) return null;
  const deduced = original.typedResult?.deducedType;
  const wanted = deduced ? typeText(deduced) : type;
  return wanted === undefined || wanted === answer.type ? null : `not of type ${wanted}`;
}

test('CEL’s conformance tests', () => {
  const { chosen, unused } = applicable(conformance, EXCLUSIONS);
  assert.deepEqual(unused, [], 'exclusions without a test');
  const answers = answersTo(chosen.map(({ entry }) => entry));
  const faults = chosen.flatMap(({ path, entry }, at) => {
    const fault = faultOf(entry, answers[at]);
    return fault ? `${path}: ${entry.original.expr}: ${fault}, but ${shown(answers[at])}` : [];
  });
  assert.deepEqual(faults, []);
  assert.ok(chosen.length >= 1200, `${chosen.length} tests`);
});

/** The first issue with its two lines. @param {string} issues */
const firstOf = (issues) => issues.split('\n').slice(0, 3).join('\n');

test('the issues of cel-go’s parser and checker tests, in its words', () => {
  const sources = [checking, parsing].map((suite) => applicable(suite, ISSUE_EXCLUSIONS).chosen);
  const chosen = sources.flat().filter(({ entry }) => entry.error !== undefined);
  const answers = answersTo(chosen.map(({ entry }) => entry));
  const faults = chosen.flatMap(({ entry }, at) => {
    // cel-go's parser goes on behind a fault, and reports what follows from it. Its tests of the
    // parser alone have no name for the source.
    const isOfParser = /^ERROR: :/.test(String(entry.error));
    const wanted = String(entry.error).replaceAll('ERROR: :', 'ERROR: <input>:');
    const issues = textOf(answers[at].issues ?? '');
    const agrees = isOfParser ? firstOf(issues) === firstOf(wanted) : issues === wanted;
    return agrees ? [] : `${entry.original.expr}: not ${wanted}, but ${shown(answers[at])}`;
  });
  assert.deepEqual(faults, []);
  assert.ok(chosen.length >= 80, `${chosen.length} tests`);
});

test('cel-go’s tests of comprehensions with two variables', () => {
  // The data has the expressions alone: a comparison among them is true. Not part of it are their
  // variables m, x and y; strings have no reverse() in kube-scheduler.
  const entries = [...testsOf(comprehension)].map(({ entry }) => entry);
  const chosen = entries.filter(({ original }) => !/\b[mxy]\b|reverse\(\)/.test(original.expr));
  const answers = answersTo(chosen);
  const counts = { true: 0, other: 0, repeatedKey: 0, issues: 0 };
  for (const [at, answer] of answers.entries()) {
    const text = `${chosen[at].original.expr}: ${shown(answer)}`;
    if (answer.issues !== undefined) counts.issues += 1;
    else if (answer.error !== undefined) {
      assert.match(textOf(answer.error), /^insert failed: key \S+ already exists$/, text);
      counts.repeatedKey += 1;
    } else if (answer.type === 'bool') {
      assert.deepEqual(answer.value, { bool: true }, text);
      counts.true += 1;
    } else counts.other += 1;
  }
  assert.deepEqual(counts, { true: 47, other: 1, repeatedKey: 3, issues: 23 });
});
