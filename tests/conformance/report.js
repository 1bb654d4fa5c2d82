/** The runner's output: a table by family, each failing case's first difference, the sum. */
import { alignColumns } from '../support/table.js';
import { nameOfWay } from './ways.js';

/**
 * @typedef {object} Result
 * @property {string} family
 * @property {string} name
 * @property {string} source
 * @property {string} target
 * @property {import('../support/raw_engine.js').VerdictCacheMode} [verdictCache]
 * @property {import('./decisions.js').Outcome} outcome
 */

const VALUE_LENGTH_MAX = 600;
const HEADS = ['FAMILY', 'SCENARIOS', 'ATTEMPTS', 'AGREED', 'PASSED', 'FAILED'];

/** @param {Result} result */
export function passed({ outcome }) {
  return outcome.finding === null;
}

/**
 * Rows by family and a sum, for the scenarios and attempts of one target.
 * @param {Result[]} results
 */
export function tableOf(results) {
  /** @type {Map<string, Result[]>} */
  const families = new Map();
  for (const result of results) {
    families.set(result.family, [...(families.get(result.family) ?? []), result]);
  }
  const names = [...families.keys()].sort();
  const rows = names.map((name) => rowOf(name, families.get(name) ?? []));
  return alignColumns([HEADS, ...rows, rowOf('all', results)]);
}

/** @param {string} name @param {Result[]} results */
function rowOf(name, results) {
  const sum = (/** @type {(result: Result) => number} */ of) =>
    results.reduce((total, result) => total + of(result), 0);
  const count = results.filter(passed).length;
  return [
    name,
    results.length,
    sum(({ outcome }) => outcome.attempts),
    sum(({ outcome }) => outcome.agreed),
    count,
    results.length - count,
  ].map(String);
}

/**
 * Texts of the cases that failed, empty if all passed.
 * @param {Result[]} results
 */
export function failuresIn(results) {
  return results
    .filter((result) => !passed(result))
    .map(failureOf)
    .join('\n');
}

/** @param {Result} result */
export function failureOf({ family, name, source, outcome, ...way }) {
  const { where, path, expected, actual } = /** @type {import('./decisions.js').Finding} */ (
    outcome.finding
  );
  return [
    `FAIL ${nameOfWay(way)} ${family}/${name}: ${where}, ${path}`,
    `  in       ${source}`,
    `  expected ${show(expected)}`,
    `  actual   ${show(actual)}`,
  ].join('\n');
}

/**
 * A scenario passes if it passes in every way.
 * @param {Result[]} results
 */
export function countScenarios(results) {
  const verdicts = new Map();
  for (const result of results) {
    verdicts.set(result.source, (verdicts.get(result.source) ?? true) && passed(result));
  }
  const verdictList = [...verdicts.values()];
  const passes = verdictList.filter(Boolean).length;
  return { passed: passes, failed: verdictList.length - passes };
}

/** @param {unknown} value */
function show(value) {
  const text = value === undefined ? '(absent)' : JSON.stringify(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
